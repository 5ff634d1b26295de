"""IP addresses and CIDRs: parsing and validation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...eras import Era
from ...problems import Problem, invalid
from ..eras import STRICT_ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
NO_NETWORK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
NO_DNS_NAME = "must be a DNS name, not an IP address"
ALWAYS = Era()
_DIGITS = re.compile(r"[0-9]{1,40}")


def read_address(value: str) -> IPv4Address | IPv6Address | None:
    """Parse an address, with or without leading zeros. Return None if it is invalid."""
    from ipaddress import ip_address

    if ":" not in value:
        parts = value.split(".")
        if not all(_DIGITS.fullmatch(part) for part in parts):
            return None
        value = ".".join(part.lstrip("0") or "0" for part in parts)
    elif "%" in value:
        return None
    try:
        found = ip_address(value)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def read_network(value: str) -> IPv4Network | IPv6Network | None:
    """Parse a CIDR, with or without host bits. Return None if it is invalid."""
    from ipaddress import ip_network

    address, slash, prefix = value.partition("/")
    found = read_address(address)
    if found is None or not slash or not _DIGITS.fullmatch(prefix):
        return None
    length = int(prefix)
    if is_mapped(address):  # its prefix length in the fixed first 96 bits does not count
        length = max(0, length - 96)
    if not 0 <= length <= found.max_prefixlen:
        return None
    return ip_network(f"{found}/{length}", strict=False)


def has_zeros(value: str) -> bool:
    """Whether a part of an IPv4 address has leading zeros."""
    return any(len(part) > 1 and part.startswith("0") for part in value.rpartition(":")[2].split(".") if "." in value)


def is_mapped(value: str) -> bool:
    """Whether an IPv6 address stands for an IPv4 address."""
    return ":" in value and getattr(read_address(value), "version", 6) == 4


def address(at: str, value: str, *, canonical: bool = False) -> Iterator[Problem]:
    """Validate an address."""
    found = read_address(value)
    if found is None:
        yield invalid(at, value, NO_ADDRESS)
        return
    whys = _address_whys(value, str(found), canonical=canonical)
    yield from (ALWAYS if canonical else STRICT_ADDRESSES).limit(invalid(at, value, why) for why in whys)


def _address_whys(value: str, found: str, *, canonical: bool) -> Iterator[str]:
    if has_zeros(value):
        yield "must not have leading 0s"
    elif is_mapped(value):
        yield "must not be an IPv4-mapped IPv6 address"
    elif canonical and found != value:
        yield f'must be in canonical form ("{found}")'


def assignable_address(at: str, value: str) -> Iterator[Problem]:
    """Validate an address that a machine or Pod can have."""
    found = read_address(value)
    if found is None:
        yield invalid(at, value, "must be a valid IP address")
        return
    if found.is_unspecified:
        yield invalid(at, value, f"may not be unspecified ({value})")
    if found.is_loopback:
        yield invalid(at, value, "may not be in the loopback range (127.0.0.0/8, ::1/128)")
    if found.is_link_local:
        yield invalid(at, value, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")
    if found.is_multicast and str(found).startswith(("224.0.0.", "ff02:", "ff12:", "ff22:", "ff32:")):
        yield invalid(at, value, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)")


def network(at: str, value: str, *, canonical: bool = False) -> Iterator[Problem]:
    """Validate a CIDR."""
    found = read_network(value)
    if found is None:
        yield invalid(at, value, NO_NETWORK)
        return
    whys = _network_whys(value, found, canonical=canonical)
    yield from (ALWAYS if canonical else STRICT_ADDRESSES).limit(invalid(at, value, why) for why in whys)


def _network_whys(value: str, found: IPv4Network | IPv6Network, *, canonical: bool) -> Iterator[str]:
    head, _, prefix = value.partition("/")
    if has_zeros(head) or (len(prefix) > 1 and prefix.startswith("0")):
        yield "must not have leading 0s in IP or prefix length"
    elif is_mapped(head):
        yield "must not have an IPv4-mapped IPv6 address"
    elif read_address(head) != found.network_address:
        yield "must not have bits set beyond the prefix length"
    elif canonical and str(found) != value:
        yield f'must be in canonical form ("{found}")'


def interface_address(at: str, value: str) -> Iterator[Problem]:
    """Validate an interface address, which includes a prefix length."""
    network_, found = read_network(value), read_address(value.partition("/")[0])
    if network_ is None or found is None:
        yield invalid(at, value, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)")
    elif value != (canonical := f"{found}/{network_.prefixlen}"):
        yield invalid(at, value, f'must be in canonical form ("{canonical}")')
