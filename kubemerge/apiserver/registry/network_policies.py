"""NetworkPolicy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..defaulting.rules import NO_ITEMS, Computed, Default, Group, TypePosition
from ..problems import Problem, forbidden, invalid, required, unsupported
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation.declarative import by_table
from ..validation.eras import FIRST_PORT, LAST_PORT
from ..validation.selectors import label_selector
from ..validation.values import addresses, formats
from ..warnings import addresses as warned
from ..warnings.eras import ADDRESSES
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

TYPES = ("Ingress", "Egress")
RULES = """
NetworkPolicyPort protocol *string optional enum=TCP|UDP|SCTP
"""
"""The checks of one field."""
DIRECTIONS = (("ingress", "from"), ("egress", "to"))


def network_policy(content: Object) -> Iterator[Problem]:
    """Validate a NetworkPolicy."""
    spec = as_map(content.get("spec"))
    yield from label_selector("spec.podSelector", spec.get("podSelector"))
    for direction, peers in DIRECTIONS:
        for index, rule in maps(spec, direction):
            at = f"spec.{direction}[{index}]"
            for place, port in maps(rule, "ports"):
                yield from _port(f"{at}.ports[{place}]", port)
            for place, peer in maps(rule, peers):
                yield from _peer(f"{at}.{peers}[{place}]", peer)
    types = spec.get("policyTypes")
    listed = types if isinstance(types, list) else []
    if len(listed) > len(TYPES):
        yield invalid("spec.policyTypes", listed, "may not specify more than two policyTypes")
        return
    for index, type_ in enumerate(listed):
        if type_ not in TYPES:
            yield unsupported(f"spec.policyTypes[{index}]", type_, TYPES)


def _port(at: str, port: Object) -> Iterator[Problem]:
    value, end = port.get("port"), as_number(port.get("endPort"))
    yield from by_table(RULES, "NetworkPolicyPort", at, port)
    first = as_number(value)
    if first is not None:
        yield from (invalid(f"{at}.port", first, why) for why in formats.port_number(first))
        if end is not None and end < first:
            for era, shown in ((FIRST_PORT, first), (LAST_PORT, end)):
                yield from era.limit([invalid(f"{at}.endPort", shown, "must be greater than or equal to `port`")])
        if end is not None:
            yield from (invalid(f"{at}.endPort", end, why) for why in formats.port_number(end))
    elif value is not None:
        if end is not None:
            yield invalid(f"{at}.endPort", end, "may not be specified when `port` is non-numeric")
        yield from formats.each(f"{at}.port", value, formats.port_name)
    elif end is not None:
        yield invalid(f"{at}.endPort", end, "may not be specified when `port` is not specified")


def _peer(at: str, peer: Object) -> Iterator[Problem]:
    given = [field for field in ("podSelector", "namespaceSelector", "ipBlock") if peer.get(field) is not None]
    yield from label_selector(f"{at}.podSelector", peer.get("podSelector"))
    yield from label_selector(f"{at}.namespaceSelector", peer.get("namespaceSelector"))
    if "ipBlock" in given:
        yield from _block(f"{at}.ipBlock", as_map(peer["ipBlock"]))
    if not given:
        yield required(at, "must specify a peer")
    elif len(given) > 1 and "ipBlock" in given:
        yield forbidden(at, "may not specify both ipBlock and another peer")


def _block(at: str, block: Object) -> Iterator[Problem]:
    cidr = as_text(block.get("cidr"))
    if not cidr:
        return
    yield from addresses.network(f"{at}.cidr", cidr)
    whole = addresses.read_network(cidr)
    if whole is None:
        return
    listed = block.get("except")
    for index, one in enumerate(listed if isinstance(listed, list) else ()):
        yield from addresses.network(f"{at}.except[{index}]", as_text(one))
        part = addresses.read_network(as_text(one))
        if part is not None and not _is_strictly_in(part, whole):
            yield invalid(f"{at}.except[{index}]", one, "must be a strict subset of `cidr`")


def _is_strictly_in(part: Any, whole: Any) -> bool:
    return bool(part.version == whole.version and part.prefixlen > whole.prefixlen and part.subnet_of(whole))


def warnings(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warn about ambiguous CIDRs."""
    spec = as_map(content.get("spec"))
    for direction, peers in DIRECTIONS:
        for index, rule in maps(spec, direction):
            for place, peer in maps(rule, peers):
                at, block = f"spec.{direction}[{index}].{peers}[{place}].ipBlock", as_map(peer.get("ipBlock"))
                yield from ADDRESSES.limit(warned.of_network(f"{at}.cidr", as_text(block.get("cidr"))))
                listed = block.get("except")
                for number_, one in enumerate(listed if isinstance(listed, list) else ()):
                    yield from ADDRESSES.limit(warned.of_network(f"{at}.except[{number_}]", as_text(one)))


_DIRECTIONS = Computed(
    "Ingress, and Egress if there are rules for it",
    lambda owner: ["Ingress", *(["Egress"] if get_path(owner, "spec.egress") else [])],
)

RECORDS = (
    KindRecord(
        group="networking.k8s.io",
        kind="NetworkPolicy",
        versions=("networking.k8s.io/v1", "extensions/v1beta1"),
        defaults=(
            Group(
                ("NetworkPolicy",),
                "networking/v1/defaults.go SetDefaults_NetworkPolicy",
                (Default("spec.policyTypes", _DIRECTIONS, since="1.8", unset=NO_ITEMS),),
            ),
            Group(
                ("NetworkPolicyPort",),
                "networking/v1/defaults.go SetDefaults_NetworkPolicyPort",
                (Default("protocol", "TCP", unset=(None,)),),
            ),
        ),
        places={
            "NetworkPolicy": (
                TypePosition("spec.ingress[].ports[]", "NetworkPolicyPort"),
                TypePosition("spec.egress[].ports[]", "NetworkPolicyPort"),
            ),
        },
        check=network_policy,
        warnings=warnings,
    ),
)
