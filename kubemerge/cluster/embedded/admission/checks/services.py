"""What the API does not allow in services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map, maps, number, text

from ....refusals import duplicate, forbidden, invalid, required, unsupported
from ..defaults.allocated import WITH_NODE_PORTS
from . import names
from .running.containers import PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
AFFINITIES = ("ClientIP", "None")
PORTS = "must be between 1 and 65535, inclusive"


def service(content: Object) -> Iterator[str]:
    """A service."""
    spec = a_map(content.get("spec"))
    type_, ports = spec.get("type"), list(maps(spec, "ports"))
    if not ports and type_ != "ExternalName" and spec.get("clusterIP") != "None":
        yield required("spec.ports")
    if type_ in WITH_NODE_PORTS and "None" in (spec.get("clusterIP"), *_addresses(spec)):
        yield invalid("spec.clusterIPs[0]", "None", f"may not be set to 'None' for {type_} services")
    if type_ == "ExternalName" and not spec.get("externalName"):
        yield required("spec.externalName")
    yield from _ports(ports)
    yield from names.labels("spec.selector", spec.get("selector"))
    affinity = spec.get("sessionAffinity")
    if affinity not in AFFINITIES:
        yield unsupported("spec.sessionAffinity", affinity, AFFINITIES)
    if type_ not in TYPES:
        yield unsupported("spec.type", type_, TYPES)
    if type_ == "ClusterIP":
        at = "spec.ports[{}].nodePort"
        yield from (
            forbidden(at.format(index), "may not be used when `type` is 'ClusterIP'")
            for index, port in ports
            if port.get("nodePort")
        )
    yield from _only_outside(spec)


def _ports(ports: list[tuple[int, Object]]) -> Iterator[str]:
    taken: set[str] = set()
    numbers: set[tuple[str, int | None]] = set()
    for index, port in ports:
        at, name, wanted = f"spec.ports[{index}]", text(port.get("name")), number(port.get("port"))
        if not name and len(ports) > 1:
            yield required(f"{at}.name")
        elif name:
            yield from (invalid(f"{at}.name", name, why) for why in names.label(name))
            if name in taken:
                yield duplicate(f"{at}.name", name)
        taken.add(name)
        if wanted is None or not 0 < wanted < 65536:
            yield invalid(f"{at}.port", wanted or 0, PORTS)
        target = number(port.get("targetPort"))
        if target is not None and not 0 < target < 65536:
            yield invalid(f"{at}.targetPort", target, PORTS)
        if port.get("protocol") not in PROTOCOLS:
            yield unsupported(f"{at}.protocol", port.get("protocol"), PROTOCOLS)
    for index, port in ports:
        key = text(port.get("protocol")), number(port.get("port"))
        if key in numbers:
            yield duplicate(f"spec.ports[{index}]", {"protocol": key[0], "port": key[1]})
        numbers.add(key)


def _addresses(spec: Object) -> list[Any]:
    addresses = spec.get("clusterIPs")
    return addresses[:1] if isinstance(addresses, list) else []


def _only_outside(spec: Object) -> Iterator[str]:
    """Fields that only externally reachable services have, left over after a change of the type."""
    type_, policy = spec.get("type"), spec.get("externalTrafficPolicy")
    if spec.get("loadBalancerSourceRanges") and type_ != "LoadBalancer":
        yield forbidden("spec.LoadBalancerSourceRanges", "may only be used when `type` is 'LoadBalancer'")
    outside = type_ in WITH_NODE_PORTS or (type_ == "ClusterIP" and spec.get("externalIPs"))
    if policy and not outside:
        yield invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")
    if spec.get("allocateLoadBalancerNodePorts") is not None and type_ != "LoadBalancer":
        yield forbidden("spec.allocateLoadBalancerNodePorts", "may only be used when `type` is 'LoadBalancer'")
