"""Endpoints and EndpointSlice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..defaulting.rules import Default, Group, TypePosition
from ..problems import Problem, declarative, duplicate, invalid, required, too_many, unsupported
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.declarative import by_table
from ..validation.eras import SLICE_ADDRESSES, SLICE_ADDRESSES_BEFORE
from ..validation.values import addresses, formats
from ..warnings import addresses as warned
from ..warnings import eras
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

PROTOCOLS = ("SCTP", "TCP", "UDP")
RULES = """
EndpointPort protocol string required enum=SCTP|TCP|UDP
"""
"""The checks of one field."""
ADDRESS_TYPES = ("FQDN", "IPv4", "IPv6")
MOST = {"endpoints": 1000, "addresses": 100, "ports": 20000, "deprecatedTopology": 16, "forZones": 8, "forNodes": 8}
MANAGED_BY = {"endpoint-controller", "endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"}
"""Controllers whose addresses cause no warnings."""


def endpoints(content: Object) -> Iterator[Problem]:
    """Validate Endpoints."""
    for index, subset in maps(content, "subsets"):
        at, ports = f"subsets[{index}]", list(maps(subset, "ports"))
        if not subset.get("addresses") and not subset.get("notReadyAddresses"):
            yield required(at, "must specify `addresses` or `notReadyAddresses`")
        for field in ("addresses", "notReadyAddresses"):
            for place, one in maps(subset, field):
                yield from _address(f"{at}.{field}[{place}]", one)
        for place, port in ports:
            yield from _port(f"{at}.ports[{place}]", port, needs_name=len(ports) > 1)


def _address(at: str, one: Object) -> Iterator[Problem]:
    ip = as_text(one.get("ip"))
    yield from addresses.address(f"{at}.ip", ip)
    if one.get("hostname"):
        yield from formats.each(f"{at}.hostname", one["hostname"], names.label)
    if one.get("nodeName") is not None:
        yield from formats.each(f"{at}.nodeName", one["nodeName"], names.subdomain)
    yield from addresses.assignable_address(f"{at}.ip", ip)


def _port(at: str, port: Object, *, needs_name: bool) -> Iterator[Problem]:
    name, wanted = as_text(port.get("name")), as_number(port.get("port")) or 0
    if name:
        yield from formats.each(f"{at}.name", name, names.label)
    elif needs_name:
        yield required(f"{at}.name")
    yield from (invalid(f"{at}.port", wanted, why) for why in formats.port_number(wanted))
    yield from by_table(RULES, "EndpointPort", at, port)
    yield from _app_protocol(at, port)


def _app_protocol(at: str, port: Object) -> Iterator[Problem]:
    if port.get("appProtocol") is not None:
        yield from formats.each(f"{at}.appProtocol", port["appProtocol"], names.key)


def changed_endpoints(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of Endpoints. Unchanged subsets are not checked again."""
    return iter(()) if content.get("subsets") == before.get("subsets") else endpoints(content)


def endpoint_slice(content: Object) -> Iterator[Problem]:
    """Validate an EndpointSlice."""
    yield from _slice(content)
    yield from _endpoints_of(content)


def _slice(content: Object) -> Iterator[Problem]:
    type_ = as_text(content.get("addressType"))
    if type_ and type_ not in ADDRESS_TYPES:
        yield declarative(unsupported("addressType", type_, ADDRESS_TYPES))
    ports = list(maps(content, "ports"))
    if len(ports) > MOST["ports"]:
        yield _too_many("ports", len(ports))
        return
    taken: set[str] = set()
    for index, port in ports:
        at, name = f"ports[{index}]", as_text(port.get("name"))
        if name:
            yield from formats.each(f"{at}.name", name, names.label)
        if name in taken:
            yield duplicate(f"{at}.name", name)
        taken.add(name)
        if port.get("protocol") not in PROTOCOLS:
            yield unsupported(f"{at}.protocol", port.get("protocol"), PROTOCOLS)
        yield from _app_protocol(at, port)


def _too_many(at: str, count: int) -> Problem:
    return too_many(at, count, MOST[at.rpartition(".")[2]])


def _endpoints_of(content: Object) -> Iterator[Problem]:
    listed, type_ = list(maps(content, "endpoints")), as_text(content.get("addressType"))
    if len(listed) > MOST["endpoints"]:
        yield _too_many("endpoints", len(listed))
        return
    for index, endpoint in listed:
        yield from _endpoint(f"endpoints[{index}]", endpoint, type_)


def _endpoint(at: str, endpoint: Object, type_: str) -> Iterator[Problem]:
    given = endpoint.get("addresses")
    listed = list(map(as_text, given if isinstance(given, list) else ()))
    for index, address in enumerate(listed):
        yield from _typed(f"{at}.addresses", index, address, type_)
    if endpoint.get("nodeName") is not None:
        yield from formats.each(f"{at}.nodeName", endpoint["nodeName"], names.subdomain)
    if endpoint.get("hostname") is not None:
        yield from formats.each(f"{at}.hostname", endpoint["hostname"], names.label)
    hints = as_map(endpoint.get("hints"))
    yield from _hints(f"{at}.hints.forZones", hints, names.label_value)
    if len(hints.get("forZones") or ()) <= MOST["forZones"]:
        yield from _hints(f"{at}.hints.forNodes", hints, names.subdomain)


def _typed(at: str, index: int, address: str, type_: str) -> Iterator[Problem]:
    if type_ == "FQDN":
        yield from _domain(f"{at}[{index}]", address)
    elif type_ in ("IPv4", "IPv6"):
        yield from SLICE_ADDRESSES_BEFORE.limit(_address_of_family(f"{at}[{index}]", address, type_))
        yield from SLICE_ADDRESSES.limit(_legacy_or_canonical(at, index, address, type_))


def _address_of_family(at: str, address: str, type_: str) -> Iterator[Problem]:
    if not _is_of_family(address, type_):
        yield invalid(at, address, f"must be a valid {type_} address")
    yield from addresses.assignable_address(at, address)


def _legacy_or_canonical(at: str, index: int, address: str, type_: str) -> Iterator[Problem]:
    problems = list(addresses.address(f"{at}[{index}]", address, canonical=type_ == "IPv6"))
    yield from problems
    if not problems:
        if not _is_of_family(address, type_):
            yield invalid(at, address, f"must be an {type_} address")
        yield from addresses.assignable_address(f"{at}[{index}]", address)


def _is_of_family(address: str, type_: str) -> bool:
    """Whether an address has a type. An IPv4-mapped IPv6 address counts as IPv4."""
    found = addresses.read_address(address)
    return found is not None and f"IPv{found.version}" == type_


def _domain(at: str, value: str) -> Iterator[Problem]:
    name = value.removesuffix(".")
    problems = list(names.subdomain(name)) if value else []
    if not value:
        yield required(at)
    elif problems:
        yield invalid(at, name, ",".join(problems))
    elif "." not in name:
        yield invalid(at, name, "should be a domain with at least two segments separated by dots")
    else:
        wrong = [(part, list(names.label(part))) for part in name.split(".")]
        yield from [invalid(at, part, ",".join(whys)) for part, whys in wrong if whys][:1]


def _hints(at: str, hints: Object, rule: Callable[[str], Iterator[str]]) -> Iterator[Problem]:
    field = at.rpartition(".")[2]
    listed = list(maps(hints, field))
    if len(listed) > MOST[field]:
        yield _too_many(at, len(listed))
        return
    taken: set[str] = set()
    for index, one in listed:
        name = as_text(one.get("name"))
        if name in taken:
            yield duplicate(f"{at}[{index}].name", name)
        taken.add(name)
        yield from formats.each(f"{at}[{index}].name", name, rule)


def changed_slice(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of an EndpointSlice. addressType is immutable."""
    yield from _slice(content)
    if content.get("endpoints") != before.get("endpoints"):
        yield from _endpoints_of(content)


def without_topology(content: Object) -> Object:
    """Return a v1 EndpointSlice without v1beta1 topology."""
    listed = content.get("endpoints")
    if content.get("apiVersion") != "discovery.k8s.io/v1" or not isinstance(listed, list):
        return content
    if not any(isinstance(one, dict) and "deprecatedTopology" in one for one in listed):
        return content
    return {**content, "endpoints": [_without(one, "deprecatedTopology") for one in listed]}


def _without(one: Any, field: str) -> Any:
    return {name: value for name, value in one.items() if name != field} if isinstance(one, dict) else one


def _kept_or_without(content: Object, before: Object) -> Object:
    return content if content.get("endpoints") == before.get("endpoints") else without_topology(content)


def endpoint_warnings(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warn about ambiguous addresses."""
    if as_map(get_path(content, "metadata.labels")).get("endpoints.kubernetes.io/managed-by") in MANAGED_BY:
        return
    for index, subset in maps(content, "subsets"):
        for field in ("addresses", "notReadyAddresses"):
            for place, one in maps(subset, field):
                found = warned.of_address(f"subsets[{index}].{field}[{place}].ip", as_text(one.get("ip")))
                yield from eras.ADDRESSES.limit(found)


def slice_warnings(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warn about ambiguous addresses, and about names in place of addresses."""
    if not before and content.get("addressType") == "FQDN":
        yield eras.NAMES_AS_ENDPOINTS("spec.addressType: FQDN endpoints are deprecated")
    if as_map(get_path(content, "metadata.labels")).get("endpointslice.kubernetes.io/managed-by") in MANAGED_BY:
        return
    for index, endpoint in maps(content, "endpoints"):
        given = endpoint.get("addresses")
        for place, address in enumerate(given if isinstance(given, list) else ()):
            found = warned.of_address(f"endpoints[{index}].addresses[{place}]", as_text(address))
            yield from eras.ADDRESSES.limit(found)


RECORDS = (
    KindRecord(
        group="",
        kind="Endpoints",
        versions=("v1",),
        defaults=(
            Group(("EndpointsPort",), "core/v1/defaults.go SetDefaults_Endpoints", (Default("protocol", "TCP"),)),
        ),
        places={"Endpoints": (TypePosition("subsets[].ports[]", "EndpointsPort"),)},
        check=endpoints,
        named_again=True,
        check_update=changed_endpoints,
        warnings=endpoint_warnings,
    ),
    KindRecord(
        group="discovery.k8s.io",
        kind="EndpointSlice",
        versions=("discovery.k8s.io/v1", "discovery.k8s.io/v1beta1"),
        defaults=(
            Group(
                ("EndpointSlicePort",),
                "discovery/v1/defaults.go SetDefaults_EndpointPort",
                (Default("name", "", unset=(None,)), Default("protocol", "TCP", unset=(None,))),
            ),
        ),
        places={"EndpointSlice": (TypePosition("ports[]", "EndpointSlicePort"),)},
        check=endpoint_slice,
        named_again=True,
        check_update=changed_slice,
        created=without_topology,
        updated=_kept_or_without,
        warnings=slice_warnings,
    ),
)
