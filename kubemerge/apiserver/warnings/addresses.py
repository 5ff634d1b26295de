"""Warnings of ambiguous IP addresses and CIDRs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..validation.values.addresses import has_zeros, is_mapped, read_address, read_network
from .eras import ADDRESSES, ADDRESSES_BEFORE, LENIENT_ADDRESSES, STRICT_ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .eras import DatedWarning

LATER = "was accepted, but will be invalid in a future Kubernetes release"
LOOPS = "which may cause controller apply-loops"
ZERO = "IPv4 field has octet with leading zero"


def of_address(at: str, value: str) -> Iterator[DatedWarning]:
    """Warn about an ambiguous address."""
    found = read_address(value)
    if found is None:
        return
    if has_zeros(value) or is_mapped(value):
        yield from _non_standard(f'{at}: non-standard IP address "{value}"', str(found))
    elif found.version == 6 and str(found) != value:
        yield ADDRESSES(f'{at}: IPv6 address "{value}" should be in RFC 5952 canonical format ("{found}")')
    if has_zeros(value):
        yield ADDRESSES_BEFORE(f'{at}: IP address {LATER}: ParseAddr("{value}"): {ZERO}')
    elif found.version == 6 and str(found) != value:
        yield ADDRESSES_BEFORE(f'{at}: IPv6 address "{value}" is not in RFC 5952 canonical format ("{found}"), {LOOPS}')


def _non_standard(about: str, better: str) -> Iterator[DatedWarning]:
    yield LENIENT_ADDRESSES(f'{about} will be considered invalid in a future Kubernetes release: use "{better}"')
    yield STRICT_ADDRESSES(f'{about} is invalid: use "{better}"')


def of_network(at: str, value: str) -> Iterator[DatedWarning]:
    """Warn about an ambiguous CIDR."""
    found = read_network(value)
    if found is None:
        return
    head, _, length = value.partition("/")
    written = read_address(head)
    if written != found.network_address:
        single = f"{written}/{found.max_prefixlen}"
        yield ADDRESSES(f'{at}: CIDR value "{value}" is ambiguous in this context (should be "{found}" or "{single}"?)')
    if has_zeros(head) or is_mapped(head) or (len(length) > 1 and length.startswith("0")):
        yield from _non_standard(f'{at}: non-standard CIDR value "{value}"', str(found))
    elif written == found.network_address and found.version == 6 and str(found) != value:
        yield ADDRESSES(f'{at}: IPv6 CIDR value "{value}" should be in RFC 5952 canonical format ("{found}")')
    yield from _network_before(at, value, f"{written}/{length}")


def _network_before(at: str, value: str, canonical: str) -> Iterator[DatedWarning]:
    head, _, length = value.partition("/")
    why = f'ParseAddr("{head}"): {ZERO}' if has_zeros(head) else ""
    if not why and len(length) > 1 and length.startswith("0"):
        why = f'bad bits after slash: "{length}"'
    if why:
        yield ADDRESSES_BEFORE(f'{at}: IP prefix {LATER}: netip.ParsePrefix("{value}"): {why}')
    elif ":" in head and not is_mapped(head) and canonical != value:
        yield ADDRESSES_BEFORE(
            f'{at}: IPv6 prefix "{value}" is not in RFC 5952 canonical format ("{canonical}"), {LOOPS}'
        )
