"""Ingresses from rules: `host/path=service:port,tls=secret`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .parts import BadOptions, given, head, in_order, number_or_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Object

_RULE = re.compile(
    r"(?P<host>[\w\*\-\.]*)?(?P<path>[^=]+)=(?P<svc>[\w\-\.]+):(?P<port>[\w\-\.]+)(,(?P<tls>tls(=[\w\-\.]+)?))?"
)


def ingress(
    name: str, *, rules: Sequence[str], default_backend: str, class_: str, annotations: Sequence[str]
) -> Object:
    """An Ingress."""
    _check(rules, default_backend, annotations)
    spec = given(
        {
            "ingressClassName": class_,
            "defaultBackend": _backend(default_backend) if default_backend else None,
            "tls": _tls(rules),
            "rules": _rules(rules),
        }
    )
    marks = in_order(dict(text.split("=", 1) for text in annotations))
    whole = {**head("networking.k8s.io/v1", "Ingress", name, annotations=marks), "spec": spec}
    return {**whole, "status": {"loadBalancer": {}}}


def _check(rules: Sequence[str], default_backend: str, annotations: Sequence[str]) -> None:
    if not default_backend and not rules:
        raise BadOptions(
            "not enough information provided: every ingress has to either specify a default-backend (which catches all "
            "traffic) or a list of rules (which catch specific paths)"
        )
    for rule in rules:
        if not _RULE.fullmatch(rule):
            form = "host/path=svcname:svcport[,tls[=secret]]"
            raise BadOptions(f"rule {rule} is invalid and should be in format {form}")
    for annotation in annotations:
        if "=" not in annotation:
            raise BadOptions(f"annotation {annotation} is invalid and should be in format key=[value]")
    if default_backend and default_backend.count(":") != 1:
        raise BadOptions("default-backend should be in format servicename:serviceport")


def _backend(text: str) -> Object:
    service, port = text.split(":")[:2]
    found = number_or_name(port)
    return {"service": {"name": service, "port": {"number" if isinstance(found, int) else "name": found}}}


def _tls(rules: Sequence[str]) -> list[Object]:
    """TLS entries. A host is listed once, and so is a secret with several hosts."""
    found: list[Object] = []
    seen: set[str] = set()
    for rule in rules:
        parts = rule.split(",")
        host = rule.split("/", 1)[0]
        if len(parts) != 2 or host in seen:
            continue
        seen.add(host)
        secret = parts[1].partition("=")[2]
        same = next((one for one in found if one.get("secretName", "") == secret), None)
        if same is not None:
            same["hosts"] = [*same.get("hosts", ()), host]
        elif secret or host:
            found.append(given({"hosts": [host] if host else None, "secretName": secret}))
    return found


def _rules(rules: Sequence[str]) -> list[Object]:
    by_host: dict[str, list[Object]] = {}
    for rule in rules:
        host, _, rest = rule.split(",")[0].partition("/")
        by_host.setdefault(host, []).append(_path(rest))
    return [{**given({"host": host}), "http": {"paths": paths}} for host, paths in by_host.items()]


def _path(text: str) -> Object:
    place, service = text.split("=")[:2]
    prefix = f"/{place}".endswith("*")
    path = f"/{place}"[:-1] if prefix else f"/{place}"
    return {**given({"path": path}), "pathType": "Prefix" if prefix else "Exact", "backend": _backend(service)}
