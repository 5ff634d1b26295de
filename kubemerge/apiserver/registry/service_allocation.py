"""Allocation for Services: cluster IPs, IP families, node ports, health check node ports."""

from __future__ import annotations

import zlib
from ipaddress import AddressValueError, IPv4Address
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ClusterError, Invalid, UnknownReason
from ..problems import Problem, invalid
from ..unchecked import as_map, as_number, as_text, maps
from ..validation.services import addresses
from .service_addresses import IP_RANGE, NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..identity import ObjectId
    from ..protocol import Object

KEPT_FREE = 256
"""The first addresses of the range, which are only allocated on request."""
PORTS = range(30000, 32768)
PORTS_KEPT_FREE = 86
SINGLE, PREFER, REQUIRE = "SingleStack", "PreferDualStack", "RequireDualStack"
NO_MATCH = "the provided network does not match the current range"
ADDRESS_NOT_IN_RANGE = "the provided IP ({}) is not in the valid range. The range of valid IPs is {}"
TAKEN = "provided IP is already allocated"
PORT_TAKEN = "provided port is already allocated"
NOT_IN_RANGE = f"provided port is not in the valid range. The range of valid ports is {PORTS[0]}-{PORTS[-1]}"
CONTROLLED_SINCE = 22
"""The first minor release with allocateLoadBalancerNodePorts."""
DRY_RUNS_SINCE = 23
"""The first minor release whose dry runs allocate addresses."""
SINCE = 20
"""The first minor release with clusterIPs and ipFamilies."""


class AllocatedAddresses(NamedTuple):
    """The allocated addresses and ports of a cluster, each with its Service."""

    taken: Mapping[str, ObjectId]
    dry_run: bool = False
    is_complete: bool = True
    """Whether the ranges of the cluster are known. If not, all addresses are in range."""
    is_reserved: Callable[[str], bool] = lambda _: False
    """Whether an IPAddress reserves this address."""


class _Service(NamedTuple):
    """The Service of one write, and the cluster."""

    key: ObjectId
    spec: Object
    seed: int
    cluster: AllocatedAddresses
    allocated: list[int]
    """The ports allocated by this write, in a dry run."""

    def is_allowed(self, port: int) -> bool:
        """Whether a port is in the range of node ports. A server does not check it in a dry run."""
        return self.cluster.dry_run or port in PORTS

    def is_free(self, number: str) -> bool:
        """Whether an address or port is free, or allocated to this Service."""
        return self.cluster.taken.get(number, self.key) == self.key

    def is_free_address(self, address: str) -> bool:
        """Whether an address is free, or allocated to this Service, and no IPAddress of another owner reserves it."""
        return self.is_free(address) and (address in self.cluster.taken or not self.cluster.is_reserved(address))


def allocate(content: Object, live: Object | None, key: ObjectId, cluster: AllocatedAddresses, minor: int) -> Object:
    """Return the Service with allocated addresses and ports. Reject requested ones that are in use."""
    former = as_map(live.get("spec")) if live is not None else None
    spec = {**as_map(content.get("spec"))}
    if "ports" in spec and isinstance(spec["ports"], list):
        spec["ports"] = [dict(port) if isinstance(port, dict) else port for port in spec["ports"]]
    one = _Service(key, spec, zlib.crc32(str(content["metadata"].get("uid")).encode()), cluster, [])
    # a Service stored by an earlier version of this cluster stays unchanged
    if former is None or _was_allocated(former):
        if _type(spec) != "ExternalName":
            _raise_problems(one, list(addresses(spec, former or {})))
            if minor >= SINCE:
                _families(one, former)
            _addresses(one, former, minor)
        _node_ports(one, former, minor)
        _health_check(one, former)
    return {**content, "spec": spec}


def as_read(service: Object, minor: int) -> Object:
    """Return a stored Service as a server does: one of an earlier release has no clusterIPs or ipFamilies."""
    spec = as_map(service.get("spec"))
    if minor < SINCE or _type(spec) == "ExternalName" or spec.get("ipFamilies"):
        return service
    given = spec.get("clusterIPs") or ([spec["clusterIP"]] if spec.get("clusterIP") else [])
    found = {**spec, **({"clusterIPs": given} if given else {})}
    if spec.get("clusterIP") == NONE and not spec.get("selector"):
        families = ["IPv4", "IPv6"]
    elif spec.get("clusterIP") in (None, "", NONE):
        families = ["IPv4"]
    else:
        families = ["IPv6" if ":" in str(one) else "IPv4" for one in given]
    found |= {"ipFamilies": families, "ipFamilyPolicy": SINGLE if len(families) == 1 else REQUIRE}
    return {**service, "spec": found}


def _was_allocated(former: Object) -> bool:
    return _type(former) == "ExternalName" or bool(former.get("clusterIP"))


def _type(spec: Object) -> str:
    return as_text(spec.get("type")) or "ClusterIP"


def _raise_problems(one: _Service, problems: list[Problem]) -> None:
    if problems:
        raise Invalid.of("Service", one.key.name, problems)


# ---- IP families -----------------------------------------------------------------------------------------------------


def _families(one: _Service, former: Object | None) -> None:
    spec = one.spec
    headless = spec.get("clusterIP") == NONE and not spec.get("selector")
    if not spec.get("ipFamilyPolicy"):
        before = (former or {}).get("ipFamilyPolicy")
        spec["ipFamilyPolicy"] = before or (REQUIRE if headless else SINGLE)
    policy, addresses = spec["ipFamilyPolicy"], spec.get("clusterIPs") or []
    families = list(spec.get("ipFamilies") or [])
    if former is not None and policy == SINGLE:
        if addresses == former.get("clusterIPs"):
            spec["clusterIPs"] = addresses = addresses[:1]
        if families == former.get("ipFamilies"):
            families = families[:1]
    problems = _of_policy(policy, addresses, families) if policy == SINGLE else []
    for index, address in enumerate(addresses):
        if address == NONE:
            break
        if index >= len(families):
            if _family(address) != "IPv4" and one.cluster.is_complete:
                why = f"{_family(address)} is not configured on this cluster"
                problems.append(invalid(f"spec.clusterIPs[{index}]", addresses, why))
            else:
                families.append(_family(address))
    _raise_problems(one, problems)
    if headless:
        families = families or ["IPv4"]
        if len(families) < 2 and policy != SINGLE:
            families.append("IPv6" if families[0] == "IPv4" else "IPv4")
    elif one.cluster.is_complete:
        _raise_problems(one, list(_not_configured(policy, families)))
    spec["ipFamilies"] = families or ["IPv4"]


def _of_policy(policy: str, addresses: list[Any], families: list[Any]) -> list[Problem]:
    at, when = "spec.ipFamilyPolicy", "must be 'RequireDualStack' or 'PreferDualStack' when multiple"
    found = [invalid(at, policy, f"{when} cluster IPs are specified")] if len(addresses) == 2 else []
    return found + ([invalid(at, policy, f"{when} IP families are specified")] if len(families) == 2 else [])


def _not_configured(policy: str, families: list[Any]) -> Iterator[Problem]:
    if policy == REQUIRE:
        yield invalid("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services")
    for index, family in enumerate(families):
        if family != "IPv4":
            yield invalid(f"spec.ipFamilies[{index}]", family, "not configured on this cluster")


def _family(address: Any) -> str:
    return "IPv6" if ":" in str(address) else "IPv4"


# ---- addresses -------------------------------------------------------------------------------------------------------


def _addresses(one: _Service, former: Object | None, minor: int) -> None:
    spec = one.spec
    held = former is not None and _type(former) != "ExternalName"
    held = held or (one.cluster.dry_run and minor < DRY_RUNS_SINCE)
    if not held and NONE not in (spec.get("clusterIP"), *(spec.get("clusterIPs") or ())):
        asked = spec.get("clusterIP") or next(iter(spec.get("clusterIPs") or ()), None)
        spec["clusterIP"] = _reserved(one, asked) if asked else _next_address(one)
    if minor >= SINCE and spec.get("clusterIP") and not spec.get("clusterIPs"):
        spec["clusterIPs"] = [spec["clusterIP"]]


def _reserved(one: _Service, asked: str) -> str:
    try:
        address = IPv4Address(asked)
        inside = IP_RANGE.network_address < address < IP_RANGE.broadcast_address
    except AddressValueError:
        inside = False
    why = _why_not(one, asked, inside=inside)
    if why:
        shown = one.spec.get("clusterIPs") or [asked]
        _raise_problems(one, [invalid("spec.clusterIPs", shown, f"failed to allocate IP {asked}: {why}")])
    return asked


def _why_not(one: _Service, asked: str, *, inside: bool) -> str:
    """The reason for not allocating an address. Empty if there is none. A dry run checks only the range."""
    if one.cluster.dry_run:
        return "" if inside or not one.cluster.is_complete else ADDRESS_NOT_IN_RANGE.format(asked, IP_RANGE)
    if not inside and one.cluster.is_complete:
        return NO_MATCH
    return "" if one.is_free_address(asked) else TAKEN


def _next_address(one: _Service) -> str:
    """A free address. The search begins at an offset derived from the uid. In a dry run, it is that of the range."""
    if one.cluster.dry_run and one.cluster.is_complete:
        return str(IP_RANGE.network_address)
    size = IP_RANGE.num_addresses - 1 - KEPT_FREE
    first = one.seed % size
    for step in range(size):
        found = str(IP_RANGE[KEPT_FREE + (first + step) % size])
        if one.is_free_address(found):
            return found
    raise ClusterError(
        f'Internal error occurred: failed to allocate a serviceIP for Service "{one.key.name}": range is full'
    )


# ---- node ports ------------------------------------------------------------------------------------------------------


def _node_ports(one: _Service, former: Object | None, minor: int) -> None:
    spec = one.spec
    if _type(spec) not in ("NodePort", "LoadBalancer"):
        return
    given: dict[int, int] = {}
    pairs: set[tuple[str, int]] = set()
    held = {as_number(port.get("nodePort")) for _, port in maps(former or {}, "ports")}
    for index, port in maps(spec, "ports"):
        wanted, shared = as_number(port.get("nodePort")) or 0, as_number(port.get("port")) or 0
        if not wanted and not _wants_node_ports(spec, minor):
            continue
        known = (given.get(shared) or _requested(spec, shared)) if former is None else 0
        chosen = wanted or known
        if chosen and chosen not in held:
            _reserve_port(one, index, chosen, given, is_new=former is None and chosen != given.get(shared))
        elif not chosen:
            chosen = _next_port(one, given)
        port["nodePort"] = given[shared] = chosen
        pair = as_text(port.get("protocol")) or "TCP", chosen
        if former is not None and pair in pairs:
            raise UnknownReason(
                f"duplicate nodePort: {{{pair[0]} {pair[1]}}}", advice="give each port its own nodePort"
            )
        pairs.add(pair)


def _wants_node_ports(spec: Object, minor: int) -> bool:
    if _type(spec) == "NodePort" or minor < CONTROLLED_SINCE:
        return True
    return spec.get("allocateLoadBalancerNodePorts") is not False


def _requested(spec: Object, shared: int) -> int:
    """The node port that another entry requests for the same port."""
    asked = (as_number(port.get("nodePort")) or 0 for _, port in maps(spec, "ports") if port.get("port") == shared)
    return next((one for one in asked if one), 0)


def _reserve_port(one: _Service, index: int, asked: int, given: dict[int, int], *, is_new: bool) -> None:
    why = NOT_IN_RANGE if not one.is_allowed(asked) else ""
    if not why and (not one.is_free(str(asked)) or (is_new and asked in given.values())):
        why = PORT_TAKEN
    if why:
        _raise_problems(one, [invalid(f"spec.ports[{index}].nodePort", asked, why)])
    one.allocated.append(asked)


def _next_port(one: _Service, given: dict[int, int]) -> int:
    """A free node port. In a dry run, it is the next one after those of the write, or after the range."""
    if one.cluster.dry_run and one.cluster.is_complete:
        one.allocated.append(max(one.allocated, default=PORTS.stop) + 1)
        return one.allocated[-1]
    size = len(PORTS) - PORTS_KEPT_FREE
    order: list[int] = [*PORTS[PORTS_KEPT_FREE:], *PORTS[:PORTS_KEPT_FREE]]
    first = one.seed % size
    used = {*given.values(), *(as_number(port.get("nodePort")) or 0 for _, port in maps(one.spec, "ports"))}
    found: int
    for found in (*order[first:size], *order[:first], *order[size:]):
        if found not in used and str(found) not in one.cluster.taken:
            return found
    raise ClusterError("Internal error occurred: failed to allocate a nodePort: range is full")


def _health_check(one: _Service, former: Object | None) -> None:
    spec = one.spec
    if not _is_checked(spec) or (former is not None and _is_checked(former) and former.get("healthCheckNodePort")):
        return
    asked = as_number(spec.get("healthCheckNodePort")) or 0
    if not asked:
        spec["healthCheckNodePort"] = _next_port(one, {})
        return
    own = {as_number(port.get("nodePort")) for _, port in maps(spec, "ports")}
    why = (
        NOT_IN_RANGE
        if not one.is_allowed(asked)
        else ""
        if one.is_free(str(asked)) and asked not in own
        else PORT_TAKEN
    )
    if why:
        said = f"failed to allocate requested HealthCheck NodePort {asked}: {why}"
        raise ClusterError(f"Internal error occurred: {said}")


def _is_checked(spec: Object) -> bool:
    return _type(spec) == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"
