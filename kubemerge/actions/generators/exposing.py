"""The Service of `expose`: its selector, ports and labels are those of what it exposes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map, get_path
from .parts import BadOptions, given, head, in_order, labels_of, number_or_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...cluster import Object, Resource

_EXPOSED = {
    ("", "ReplicationController"),
    ("", "Service"),
    ("", "Pod"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("extensions", "Deployment"),
    ("extensions", "ReplicaSet"),
}
_LONGEST = 63


@dataclass(frozen=True)
class Exposing:
    """What `expose` was asked for; what is empty is taken from the object."""

    name: str
    port: str
    target_port: str
    protocol: str
    type_: str
    selector: str
    labels: str
    external_ip: str
    load_balancer_ip: str
    session_affinity: str
    cluster_ip: str


def exposed(live: Object, resource: Resource, wanted: Exposing) -> Object:
    """The Service for an object."""
    if (resource.group, resource.kind) not in _EXPOSED:
        raise BadOptions(f"cannot expose a {resource.title}")
    selector = labels_of(wanted.selector) if wanted.selector else _selector(live)
    ports = _ports(live, wanted)
    labels = labels_of(wanted.labels) if wanted.labels else in_order(get_path(live, "metadata.labels") or {})
    if wanted.session_affinity not in ("", "None", "ClientIP"):
        raise BadOptions(f"unknown session affinity: {wanted.session_affinity}")
    spec = given(
        {
            "ports": ports,
            "selector": selector,
            "clusterIP": wanted.cluster_ip,
            "type": wanted.type_,
            "externalIPs": [wanted.external_ip] if wanted.external_ip else None,
            "sessionAffinity": wanted.session_affinity,
            "loadBalancerIP": wanted.load_balancer_ip if wanted.type_ == "LoadBalancer" else "",
        }
    )
    name = wanted.name or live["metadata"]["name"][:_LONGEST]
    return {**head("v1", "Service", name, labels=labels), "spec": spec, "status": {"loadBalancer": {}}}


def _selector(live: Object) -> dict[str, str]:
    kind = live["kind"]
    problem = ""
    labels: Any
    if kind == "Pod":
        labels, problem = get_path(live, "metadata.labels"), "the pod has no labels and cannot be exposed"
    elif kind == "Service":
        labels, problem = get_path(live, "spec.selector"), "the service has no pod selector set"
    elif kind == "ReplicationController":
        labels = get_path(live, "spec.selector") or {"": ""}
    else:
        labels = get_path(live, "spec.selector.matchLabels")
        problem = f"invalid {kind.lower()}: no selectors, therefore cannot be exposed"
        if labels and get_path(live, "spec.selector.matchExpressions"):
            problem, labels = "couldn't convert expressions to map-based selector format", None
    if not labels:
        raise BadOptions(f"couldn't retrieve selectors via --selector flag or introspection: {problem}")
    return in_order(labels)


def _ports(live: Object, wanted: Exposing) -> list[Object]:
    numbers = wanted.port.split(",") if wanted.port else list(dict.fromkeys(str(port) for port, _ in _own_ports(live)))
    if not numbers and wanted.cluster_ip != "None":
        raise BadOptions("couldn't find port via --port flag or introspection")
    protocols: dict[str, list[str]] = {}
    for port, protocol in _own_ports(live):
        protocols.setdefault(str(port), []).append(protocol)
    several = len(numbers) > 1
    made: list[Object] = []
    for index, number in enumerate(numbers, start=1):
        if not re.fullmatch(r"[+-]?\d+", number):
            raise BadOptions(f'strconv.Atoi: parsing "{number}": invalid syntax')
        known = [wanted.protocol] if wanted.protocol else list(dict.fromkeys(protocols.get(number, ["TCP"])))
        name = f"port-{index}" if several else ""
        for protocol in known:
            named = f"port-{index}-{protocol.lower()}" if len(known) > 1 else name
            target = number_or_name(wanted.target_port) if wanted.target_port else int(number)
            made.append({**given({"name": named}), "protocol": protocol, "port": int(number), "targetPort": target})
    return made


def _own_ports(live: Object) -> Iterator[tuple[int, str]]:
    """The ports of the object, with their protocols."""
    if live["kind"] == "Service":
        ports: Sequence[Any] = as_list(get_path(live, "spec.ports"))
        yield from ((one["port"], one.get("protocol") or "TCP") for one in ports)
        return
    spec = as_map(get_path(live, "spec" if live["kind"] == "Pod" else "spec.template.spec"))
    for one in as_list(spec.get("containers")):
        for port in as_list(one.get("ports")):
            yield port["containerPort"], port.get("protocol") or "TCP"
