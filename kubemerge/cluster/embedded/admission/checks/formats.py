"""The forms of small values: ports, ids, addresses, names of variables; each yields what is wrong with a value."""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map, maps, number, text

from ....refusals import forbidden, invalid, required
from . import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

NOT_NEGATIVE = "must be greater than or equal to 0"
POSITIVE = "must be greater than zero"
NO_OPERATOR = "not a valid selector operator"
_MOST = 2**31 - 1
_HEADER = "[-A-Za-z0-9]+"
_PERCENT = "[0-9]+%"
_CONFIG_KEY = "[-._a-zA-Z0-9]+"
_UNDERSCORED_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_UNDERSCORED = rf"{_UNDERSCORED_LABEL}(\.{_UNDERSCORED_LABEL})*"
_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"


def between(value: int, low: int, high: int) -> Iterator[str]:
    """What is wrong with a number that has bounds."""
    if not low <= value <= high:
        yield f"must be between {low} and {high}, inclusive"


def not_negative(at: str, owner: Object, *fields: str) -> Iterator[str]:
    """The problems of fields that hold numbers, none of which may be negative."""
    for field in fields:
        value = number(owner.get(field))
        if value is not None and value < 0:
            yield invalid(f"{at}.{field}", value, NOT_NEGATIVE)


def port_number(value: int) -> Iterator[str]:
    """What is wrong with the number of a port."""
    return between(value, 1, 65535)


def port_name(value: str) -> Iterator[str]:
    """What is wrong with the name of a port."""
    if len(value) > 15:
        yield "must be no more than 15 characters"
    if not re.fullmatch("[-a-z0-9]+", value):
        yield "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
    if not re.search("[a-z]", value):
        yield "must contain at least one letter (a-z)"
    if "--" in value:
        yield "must not contain consecutive hyphens"
    if value.startswith("-") or value.endswith("-"):
        yield "must not begin or end with a hyphen"


def port(at: str, value: Any) -> Iterator[str]:
    """The problems of a port that is a number or a name; none is port 0."""
    if isinstance(value, str):
        yield from (invalid(at, value, why) for why in port_name(value))
    else:
        wanted = number(value) or 0
        yield from (invalid(at, wanted, why) for why in port_number(wanted))


def user_id(at: str, value: Any) -> Iterator[str]:
    """The problems of the id of a user or of a group."""
    if isinstance(value, int):
        yield from (invalid(at, value, why) for why in between(value, 0, _MOST))


def header(value: str) -> Iterator[str]:
    """What is wrong with the name of an HTTP header."""
    if not re.fullmatch(_HEADER, value):
        why = "a valid HTTP header must consist of alphanumeric characters or '-'"
        yield f"{why} (e.g. 'X-Header-Name', regex used for validation is '{_HEADER}')"


def variable(value: str) -> Iterator[str]:
    """What is wrong with the name of an environment variable."""
    if any(not " " <= sign <= "~" or sign == "=" for sign in value):
        yield "a valid environment variable name must consist only of printable ASCII characters other than '='"


def config_key(value: str) -> Iterator[str]:
    """What is wrong with a key of a ConfigMap or of a Secret."""
    if len(value) > 253:
        yield "must be no more than 253 characters"
    if not re.fullmatch(_CONFIG_KEY, value):
        examples = "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', "
        why = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
        yield f"{why} {examples}regex used for validation is '{_CONFIG_KEY}')"
    if value in (".", ".."):
        yield f"must not be '{value}'"
    elif value.startswith(".."):
        yield "must not start with '..'"


def percent(value: str) -> Iterator[str]:
    """What is wrong with a percentage."""
    if not re.fullmatch(_PERCENT, value):
        why = "a valid percent string must be a numeric string followed by an ending '%'"
        yield f"{why} (e.g. '1%',  or '93%', regex used for validation is '{_PERCENT}')"


def with_underscores(value: str) -> Iterator[str]:
    """What is wrong with a domain name in which underscores may stand."""
    if len(value) > 253:
        yield "must be no more than 253 characters"
    if not re.fullmatch(_UNDERSCORED, value):
        why = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', "
        bounds = "and must start and end with an alphanumeric character"
        yield f"{why}{bounds} (e.g. 'example.com', regex used for validation is '{_UNDERSCORED}')"


def prefixed_path(at: str, value: str) -> Iterator[str]:
    """The problems of a path with a domain name before it."""
    host, _, path = value.partition("/")
    if not value:
        yield required(at)
    elif not host or not path:
        yield invalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")')
    else:
        yield from (invalid(at, host, why) for why in names.subdomain(host))
        if not re.fullmatch(_PATH, path):
            yield invalid(at, path, f"Invalid path (regex used for validation is '{_PATH}')")


def _sloppy(address: str) -> str:
    """An IPv4 address without the zeros that used to be allowed before its numbers."""
    if ":" in address:
        return address
    return ".".join(part.lstrip("0") or "0" if part.isdigit() else part for part in address.split("."))


def address(at: str, value: Any) -> Iterator[str]:
    """The problems of an IP address."""
    try:
        found = ip_address(_sloppy(text(value)))
    except ValueError:
        yield invalid(at, text(value), "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")
        return
    if _sloppy(text(value)) != value:
        yield invalid(at, value, "must not have leading 0s")
    if getattr(found, "ipv4_mapped", None):
        yield invalid(at, value, "must not be an IPv4-mapped IPv6 address")


def network(at: str, value: str) -> Iterator[str]:
    """The problems of a range of addresses."""
    start, slash, size = value.partition("/")
    try:
        found = ip_network(f"{_sloppy(start)}/{int(size)}", strict=False) if slash and size.isdigit() else None
    except ValueError:
        found = None
    if found is None:
        yield invalid(at, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")
    elif _sloppy(start) != start or str(int(size)) != size:
        yield invalid(at, value, "must not have leading 0s in IP or prefix length")
    elif ip_address(start) != found.network_address:
        yield invalid(at, value, "must not have bits set beyond the prefix length")


def label_selector(at: str, selector: Any) -> Iterator[str]:
    """The problems of a label selector."""
    if not isinstance(selector, dict):
        return
    yield from names.labels(f"{at}.matchLabels", selector.get("matchLabels"))
    for index, one in maps(selector, "matchExpressions"):
        yield from _expression(f"{at}.matchExpressions[{index}]", one)


def _expression(at: str, one: Object) -> Iterator[str]:
    operator, values = one.get("operator"), one.get("values") or []
    if operator in ("In", "NotIn"):
        if not values:
            yield required(f"{at}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield forbidden(f"{at}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    else:
        yield invalid(f"{at}.operator", operator or "", NO_OPERATOR)
    key = text(one.get("key"))
    yield from (invalid(f"{at}.key", key, why) for why in names.key(key))
    yield from label_values(f"{at}.values", values)


def label_values(at: str, values: list[Any]) -> Iterator[str]:
    """The problems of a list of values of labels."""
    for index, value in enumerate(values):
        yield from (invalid(f"{at}[{index}]", value, why) for why in names.label_value(text(value)))


def can_be_asked(selector: Any) -> bool:
    """Whether a selector can be turned into a question at all; otherwise nobody asks whether it matches."""
    expressions = a_map(selector).get("matchExpressions")
    return not any(True for _ in label_selector("", {"matchExpressions": expressions, **a_map(selector)}))
