"""Services from ports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .parts import BadOptions, given, head, service_port

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Object

_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


def service(
    name: str, type_: str, *, tcp: Sequence[str], cluster_ip: str = "", node_port: int = 0, external_name: str = ""
) -> Object:
    """A Service of a type, which selects `app=NAME`."""
    external = type_ == "ExternalName"
    if cluster_ip != "None" and not tcp and not external:
        raise BadOptions("at least one tcp port specifier must be provided")
    if external and not (len(external_name) <= 253 and _SUBDOMAIN.fullmatch(external_name)):
        raise BadOptions(f"invalid service external name {external_name}")
    ports = []
    for text in tcp:
        port, target = service_port(text)
        one = {"name": text.replace(":", "-"), "protocol": "TCP", "port": port, "targetPort": target}
        ports.append({**one, **given({"nodePort": node_port})})
    labels = {"app": name}
    spec = given(
        {"ports": ports, "selector": labels, "clusterIP": cluster_ip, "type": type_, "externalName": external_name}
    )
    return {**head("v1", "Service", name, labels=labels), "spec": spec, "status": {"loadBalancer": {}}}
