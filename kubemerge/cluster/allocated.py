"""What a server has given to a service: an update that leaves it out keeps it, and a change of the type drops it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values import copied

from .looking import a_map, maps, number, text

if TYPE_CHECKING:
    from .looking import Object

SINCE = 20
"""The minor release in which servers began to; before, such an update was refused."""

WITH_ADDRESS = ("ClusterIP", "NodePort", "LoadBalancer")
WITH_NODE_PORTS = ("NodePort", "LoadBalancer")
BALANCED = ("LoadBalancer",)
NEEDED_BY: dict[str, tuple[str, ...]] = {
    "clusterIP": WITH_ADDRESS,
    "clusterIPs": WITH_ADDRESS,
    "ipFamilies": WITH_ADDRESS,
    "ipFamilyPolicy": WITH_ADDRESS,
    "externalTrafficPolicy": WITH_NODE_PORTS,
    "healthCheckNodePort": BALANCED,
    "allocateLoadBalancerNodePorts": BALANCED,
    "loadBalancerClass": BALANCED,
}
"""The fields that only services of some types have. Left as they were, they go when the type does."""


def keep_allocated(filled: Object, before: Object | None, minor: int) -> Object:
    """The object with what the service that it replaces was given; it is changed in place."""
    if before is None or minor < SINCE or (filled.get("apiVersion"), filled.get("kind")) != ("v1", "Service"):
        return filled
    spec, former = a_map(filled.get("spec")), a_map(before.get("spec"))
    now, then = text(spec.get("type")), text(former.get("type")) or "ClusterIP"
    for field, types in NEEDED_BY.items():
        if then in types and now not in types and spec.get(field) == former.get(field):
            spec.pop(field, None)
    if now in WITH_ADDRESS and then in WITH_ADDRESS:
        for field in ("clusterIP", "clusterIPs"):
            if not spec.get(field) and former.get(field):
                spec[field] = copied(former[field])
    ports, old_ports = ([port for _, port in maps(side, "ports")] for side in (spec, former))
    if then in WITH_NODE_PORTS:
        (_keep_node_ports if now in WITH_NODE_PORTS else _drop_node_ports)(ports, old_ports)
    return filled


def _keep_node_ports(ports: list[Object], former: list[Object]) -> None:
    """Ports are the same if they have the same name; a port that another one holds already is not given twice."""
    given = {text(port.get("name")): number(port.get("nodePort")) for port in former}
    used = {number(port.get("nodePort")) for port in ports} & set(given.values())
    for port in ports:
        kept = given.get(text(port.get("name")))
        if not port.get("nodePort") and kept and kept not in used:
            port["nodePort"] = kept


def _drop_node_ports(ports: list[Object], former: list[Object]) -> None:
    if {number(port.get("nodePort")) for port in ports} == {number(port.get("nodePort")) for port in former}:
        for port in ports:
            port.pop("nodePort", None)
