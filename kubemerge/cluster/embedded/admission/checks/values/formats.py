"""The syntax of texts and numbers in many kinds: addresses, names of ports, percentages, paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.unchecked import number, text

from .....refusals import invalid, required
from ..names import SUBDOMAIN, USED, subdomain, too_long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

    from engine.values.unchecked import Object

NO_PORT = "must be between 1 and 65535, inclusive"
NOT_NEGATIVE = "must be greater than or equal to 0"
NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
NO_NETWORK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
FIXED = "field is immutable"
_DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_NO_DNS_1035 = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    f"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', {USED} '{_DNS_1035}')"
)
_WILDCARD = rf"\*\.{SUBDOMAIN}"
_NO_WILDCARD = (
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of "
    "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', "
    f"{USED} '{_WILDCARD}')"
)
_PERCENT = "[0-9]+%"
_NO_PERCENT = (
    "a valid percent string must be a numeric string followed by an ending '%' "
    f"(e.g. '1%',  or '93%', {USED} '{_PERCENT}')"
)
_HTTP_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
_OCTET = re.compile(r"[0-9]{1,40}")
_C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*"
_NO_C_IDENTIFIER = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters "
    f"or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', {USED} '{_C_IDENTIFIER}')"
)
TOO_LONG = "Too long: may not be more than"


def each(at: str, value: Any, rule: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """What a rule says about a text, at its place."""
    yield from (invalid(at, value, why) for why in rule(text(value)))


def dns_1035_label(value: str) -> Iterator[str]:
    """What is wrong with a part of a domain name that begins with a letter."""
    yield from too_long(value, 63, "characters")
    if not re.fullmatch(_DNS_1035, value):
        yield _NO_DNS_1035


def wildcard(value: str) -> Iterator[str]:
    """What is wrong with a domain name that begins with `*.`."""
    yield from too_long(value, 253, "characters")
    if not re.fullmatch(_WILDCARD, value):
        yield _NO_WILDCARD


def c_identifier(value: str) -> Iterator[str]:
    """What is wrong with a name that has to be one in C."""
    if not re.fullmatch(_C_IDENTIFIER, value):
        yield _NO_C_IDENTIFIER


def percent(value: str) -> Iterator[str]:
    """What is wrong with a percentage."""
    if not re.fullmatch(_PERCENT, value):
        yield _NO_PERCENT


def port_number(value: int) -> Iterator[str]:
    """What is wrong with the number of a port."""
    if not 0 < value < 65536:
        yield NO_PORT


def port_name(value: str) -> Iterator[str]:
    """What is wrong with the name of a port."""
    yield from too_long(value, 15, "characters")
    if not re.fullmatch("[-a-z0-9]+", value):
        yield "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
    if not re.search("[a-z]", value):
        yield "must contain at least one letter (a-z)"
    if "--" in value:
        yield "must not contain consecutive hyphens"
    if value.startswith("-") or value.endswith("-"):
        yield "must not begin or end with a hyphen"


def not_negative(at: str, owner: Object, *fields: str) -> Iterator[str]:
    """The fields that are below zero."""
    for field in fields:
        value = number(owner.get(field))
        if value is not None and value < 0:
            yield invalid(f"{at}.{field}", value, NOT_NEGATIVE)


def domain_prefixed_path(at: str, value: Any) -> Iterator[str]:
    """The problems of a path with a domain name before it."""
    if not value:
        yield required(at)
        return
    host, _, path = text(value).partition("/")
    if not host or not path:
        yield invalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")')
        return
    yield from each(at, host, subdomain)
    if not re.fullmatch(_HTTP_PATH, path):
        yield invalid(at, path, f"Invalid path ({USED} '{_HTTP_PATH}')")


def fully_qualified(at: str, value: Any) -> Iterator[str]:
    """The problems of a domain name with three parts or more."""
    name = text(value)
    if not name:
        yield required(at)
        return
    found = list(subdomain(name))
    if found:
        yield invalid(at, name, ",".join(found))
    elif name.count(".") < 2:
        yield invalid(at, name, "should be a domain with at least three segments separated by dots")


def int_or_percent(at: str, value: Any) -> Iterator[str]:
    """The problems of a number of things, or a percentage of them."""
    if isinstance(value, str):
        yield from each(at, value, percent)
    elif number(value) is not None and value < 0:
        yield invalid(at, value, NOT_NEGATIVE)


def at_most_all(at: str, value: Any) -> Iterator[str]:
    """The problem of a percentage above 100."""
    if isinstance(value, str) and re.fullmatch(_PERCENT, value) and int(value[:-1][-18:]) > 100:
        yield invalid(at, value, "must not be greater than 100%")


# ---- addresses -------------------------------------------------------------------------------------------------------


def read_address(value: str) -> IPv4Address | IPv6Address | None:
    """An address, with zeros before its numbers or not; None if it is none."""
    from ipaddress import ip_address

    if ":" not in value:
        parts = value.split(".")
        if not all(_OCTET.fullmatch(part) for part in parts):
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
    """A network, with bits beyond its prefix or not; None if it is none."""
    from ipaddress import ip_network

    address, slash, prefix = value.partition("/")
    found = read_address(address)
    if found is None or not slash or not _OCTET.fullmatch(prefix):
        return None
    length = int(prefix[:40])
    if "::ffff:" in address.lower() and found.version == 4:
        length -= 96
    if not 0 <= length <= found.max_prefixlen:
        return None
    return ip_network(f"{found}/{length}", strict=False)


def _has_zeros(value: str) -> bool:
    return any(len(part) > 1 and part.startswith("0") for part in value.rpartition(":")[2].split(".") if "." in value)


def _is_mapped(value: str) -> bool:
    return ":" in value and getattr(read_address(value), "version", 6) == 4


def address(at: str, value: str, *, canonical: bool = False) -> Iterator[str]:
    """The problems of an address."""
    found = read_address(value)
    if found is None:
        yield invalid(at, value, NO_ADDRESS)
    elif _has_zeros(value):
        yield invalid(at, value, "must not have leading 0s")
    elif _is_mapped(value):
        yield invalid(at, value, "must not be an IPv4-mapped IPv6 address")
    elif canonical and str(found) != value:
        yield invalid(at, value, f'must be in canonical form ("{found}")')


def network(at: str, value: str, *, canonical: bool = False) -> Iterator[str]:
    """The problems of a network."""
    found = read_network(value)
    head, _, prefix = value.partition("/")
    if found is None:
        yield invalid(at, value, NO_NETWORK)
    elif _has_zeros(head) or (len(prefix) > 1 and prefix.startswith("0")):
        yield invalid(at, value, "must not have leading 0s in IP or prefix length")
    elif _is_mapped(head):
        yield invalid(at, value, "must not have an IPv4-mapped IPv6 address")
    elif read_address(head) != found.network_address:
        yield invalid(at, value, "must not have bits set beyond the prefix length")
    elif canonical and str(found) != value:
        yield invalid(at, value, f'must be in canonical form ("{found}")')


def address_warnings(at: str, value: str) -> Iterator[str]:
    """What a server warns of in an address that it takes."""
    found = read_address(value)
    if found is None:
        return
    if _has_zeros(value) or _is_mapped(value):
        yield f'{at}: non-standard IP address "{value}" is invalid: use "{found}"'
    elif found.version == 6 and str(found) != value:
        yield f'{at}: IPv6 address "{value}" should be in RFC 5952 canonical format ("{found}")'


def network_warnings(at: str, value: str) -> Iterator[str]:
    """What a server warns of in a network that it takes."""
    found = read_network(value)
    if found is None:
        return
    head = value.partition("/")[0]
    written = read_address(head)
    if written != found.network_address:
        single = f"{written}/{found.max_prefixlen}"
        yield f'{at}: CIDR value "{value}" is ambiguous in this context (should be "{found}" or "{single}"?)'
    if _has_zeros(head) or _is_mapped(head):
        yield f'{at}: non-standard CIDR value "{value}" is invalid: use "{found}"'
    elif written == found.network_address and found.version == 6 and str(found) != value:
        yield f'{at}: IPv6 CIDR value "{value}" should be in RFC 5952 canonical format ("{found}")'
