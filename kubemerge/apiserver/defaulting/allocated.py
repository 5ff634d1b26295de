"""Allocated fields of Services. An update without them keeps them, and a change of the type drops them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.plain import copied

from ..unchecked import as_map, as_number, as_text, maps

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..unchecked import Object

    Need = Callable[[Object], bool]

SINCE = 20
"""The first minor release that keeps them. Before, such an update was rejected."""

WITH_ADDRESS = ("ClusterIP", "NodePort", "LoadBalancer")
WITH_NODE_PORTS = ("NodePort", "LoadBalancer")


def _of_type(*types: str) -> Need:
    return lambda spec: _type(spec) in types


def _from_outside(spec: Object) -> bool:
    return _type(spec) in WITH_NODE_PORTS or (_type(spec) == "ClusterIP" and bool(spec.get("externalIPs")))


def _is_checked(spec: Object) -> bool:
    return _type(spec) == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"


NEEDED_BY: dict[str, Need] = {
    "clusterIP": _of_type(*WITH_ADDRESS),
    "clusterIPs": _of_type(*WITH_ADDRESS),
    "ipFamilies": _of_type(*WITH_ADDRESS),
    "ipFamilyPolicy": _of_type(*WITH_ADDRESS),
    "externalTrafficPolicy": _from_outside,
    "healthCheckNodePort": _is_checked,
    "allocateLoadBalancerNodePorts": _of_type("LoadBalancer"),
    "loadBalancerClass": _of_type("LoadBalancer"),
}
"""The fields of some Service types. Unchanged ones are dropped when the new type does not have them."""


UNSTEERED_SINCE = 24
"""The first minor release in which an ExternalName Service has no internalTrafficPolicy."""


def keep_allocated(filled: Object, before: Object | None, minor: int) -> Object:
    """Keep allocated fields of the old Service, in place."""
    if (filled.get("apiVersion"), filled.get("kind")) != ("v1", "Service"):
        return filled
    spec = as_map(filled.get("spec"))
    if _type(spec) == "ExternalName" and minor >= UNSTEERED_SINCE:
        spec.pop("internalTrafficPolicy", None)  # an external name has no traffic to steer
    if before is not None and minor >= SINCE:
        _keep(spec, as_map(before.get("spec")), minor)
    return filled


def _keep(spec: Object, former: Object, minor: int) -> None:
    now, then = _type(spec), _type(former)
    first = spec.get("clusterIP")
    if first and first != former.get("clusterIP") and spec.get("clusterIPs") == former.get("clusterIPs"):
        spec["clusterIPs"] = [first]  # a change of either means both
    for field, is_needed in NEEDED_BY.items():
        if is_needed(former) and not is_needed(spec) and spec.get(field) == former.get(field):
            spec.pop(field, None)
    if now in WITH_ADDRESS and then in WITH_ADDRESS:
        for field in ("clusterIP", "clusterIPs"):
            if not spec.get(field) and former.get(field):
                spec[field] = copied(former[field])
    ports, old_ports = ([port for _, port in maps(side, "ports")] for side in (spec, former))
    if then in WITH_NODE_PORTS and now not in WITH_NODE_PORTS:
        _drop_node_ports(ports, old_ports)
    elif all(_gets_node_ports(one, minor) for one in (former, spec)):
        _keep_node_ports(ports, old_ports)


OPTS_OUT_SINCE = 30
"""The first minor release in which a load balancer without node ports does not keep those that it had."""


def _type(spec: Object) -> str:
    return as_text(spec.get("type")) or "ClusterIP"


def _gets_node_ports(spec: Object, minor: int) -> bool:
    """Whether a Service keeps its node ports. A load balancer may opt out."""
    wanted = spec.get("allocateLoadBalancerNodePorts") is not False or minor < OPTS_OUT_SINCE
    return _type(spec) == "NodePort" or (_type(spec) == "LoadBalancer" and wanted)


def _keep_node_ports(ports: list[Object], former: list[Object]) -> None:
    """Ports are matched by name. A node port of another port is not assigned twice."""
    given = {as_text(port.get("name")): as_number(port.get("nodePort")) for port in former}
    used = {as_number(port.get("nodePort")) for port in ports} & set(given.values())
    for port in ports:
        kept = given.get(as_text(port.get("name")))
        if not port.get("nodePort") and kept and kept not in used:
            port["nodePort"] = kept


def _drop_node_ports(ports: list[Object], former: list[Object]) -> None:
    """Drop the node ports unless there is a new one, which validation rejects."""
    now, before = ({as_number(port.get("nodePort")) or 0 for port in some} - {0} for some in (ports, former))
    if before >= now:
        for port in ports:
            port.pop("nodePort", None)
