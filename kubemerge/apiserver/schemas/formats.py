"""Text formats that a server validates. It ignores unknown ones."""

from __future__ import annotations

import ipaddress
import re
from datetime import date
from typing import TYPE_CHECKING

from ..regex.matching import compile_pattern
from ..text import net_url
from ..text.durations import nanoseconds_of_format

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBERS = {"integer": ("int32", "int64"), "number": ("float", "double")}
OF_NUMBERS = frozenset({"int32", "int64", "float", "double"})
_UUID = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?%s-?%s-?[0-9a-f]{12}$"
_HEX4 = "[0-9a-f]{4}"
_VARIANT = "[89ab][0-9a-f]{3}"
_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_BYTE = r"(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])"
_CARD = (
    r"^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$"
)
_HOST = (
    r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)"
    r"|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$"
)
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))")
_COMMENT = re.compile(r"[ \t]*\([^()\\]*\)[ \t]*$")


def known_format(format_name: str, kind: str) -> str:
    """Return the format if a server validates it in a field of this type, else an empty text."""
    if kind in NUMBERS:
        return format_name if format_name in NUMBERS[kind] else ""
    if kind not in ("", "string"):
        return ""
    return format_name if format_name.replace("-", "") in CHECKS else ""


def has_format(text: str, format_name: str) -> bool:
    """Whether a text has the format."""
    return CHECKS[format_name.replace("-", "")](text)


def _matches(text: str) -> Callable[[str], bool]:
    return lambda value: compile_pattern(text).matches(value)


def _is_uri(text: str) -> bool:
    try:
        net_url.parse_request(text)
    except net_url.BadUrl:
        return False
    return True


def _is_email(text: str) -> bool:
    """An email address, with or without a name. A comment may follow."""
    text = _COMMENT.sub("", text)
    name, bracket, rest = text.strip(" \t").rpartition("<")
    if bracket:
        if not rest.endswith(">") or ("@" in name and '"' not in name):
            return False
        text = rest[:-1]
    local, at, domain = text.strip(" \t").rpartition("@")
    atoms = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\u0080-\U0010ffff]+"
    dotted = rf"{atoms}(\.{atoms})*"
    if not at or not (re.fullmatch(dotted, local) or re.fullmatch(r'"([^"\\\r\n]|\\.)*"', local)):
        return False
    return bool(re.fullmatch(dotted, domain) or re.fullmatch(r"\[[^\]]*\]", domain))


def _is_hostname(text: str) -> bool:
    if len(text.encode()) > 255 or not compile_pattern(_HOST).matches(text):
        return False
    return all(len(part.encode()) <= 63 for part in text.split("."))


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An IP address, which may have leading zeros as in old versions of Go."""
    if ":" not in text:
        text = ".".join(part.lstrip("0") or "0" if part.isdecimal() else part for part in text.split("."))
    if "%" in text:
        return None
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _is_cidr(text: str) -> bool:
    address, slash, bits = text.partition("/")
    found = _address(address)
    return (
        bool(slash) and found is not None and bits.isascii() and bits.isdecimal() and int(bits) <= found.max_prefixlen
    )


def _is_mac(text: str) -> bool:
    for sign, digits in ((":", 2), ("-", 2), (".", 4)):
        parts = text.split(sign)
        if len(parts) > 1:
            octets = len(parts) * digits // 2
            return octets in (6, 8, 20) and all(re.fullmatch(f"[0-9A-Fa-f]{{{digits}}}", one) for one in parts)
    return False


def _is_isbn10(text: str) -> bool:
    text = re.sub(r"[\t\n\f\r -]+", "", text)
    if not re.fullmatch(r"[0-9]{9}X|[0-9]{10}", text):
        return False
    digits = [10 if char == "X" else int(char) for char in text]
    return sum(place * digit for place, digit in enumerate(digits, 1)) % 11 == 0


def _is_isbn13(text: str) -> bool:
    text = re.sub(r"[\t\n\f\r -]+", "", text)
    if not re.fullmatch(r"[0-9]{13}", text):
        return False
    total = sum((1, 3)[place % 2] * int(digit) for place, digit in enumerate(text[:12]))
    return int(text[12]) == (10 - total % 10) % 10


def _is_card(text: str) -> bool:
    digits = re.sub(r"[^0-9]+", "", text)
    if not compile_pattern(_CARD).matches(digits):
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled % 10 + 1 if doubled >= 10 else doubled
    return total % 10 == 0


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
        return False
    year, month, day = map(int, text.split("-"))
    try:
        date(year or 4, month, day)  # in Go, the year 0 exists and is a leap year
    except ValueError:
        return False
    return True


def _is_time(text: str) -> bool:
    parts = text.lower().split("t")
    found = _TIME.fullmatch(parts[1]) if len(parts) > 1 and len(text.encode()) >= 4 and _is_date(parts[0]) else None
    return found is not None and found[1] <= "23" and found[2] <= "59" and found[3] <= "59"


CHECKS: dict[str, Callable[[str], bool]] = {
    "bsonobjectid": lambda text: bool(re.fullmatch("[0-9A-Fa-f]{24}", text)),
    "byte": lambda text: bool(
        re.fullmatch("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})", text)
    ),
    "cidr": _is_cidr,
    "creditcard": _is_card,
    "date": _is_date,
    "datetime": _is_time,
    "duration": lambda text: nanoseconds_of_format(text) is not None,
    "email": _is_email,
    "hexcolor": _matches("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"),
    "hostname": _is_hostname,
    "ipv4": lambda text: "." in text and _address(text) is not None,
    "ipv6": lambda text: ":" in text and _address(text) is not None,
    "isbn": lambda text: _is_isbn10(text) or _is_isbn13(text),
    "isbn10": _is_isbn10,
    "isbn13": _is_isbn13,
    "k8slongname": lambda text: len(text) <= 253 and compile_pattern(rf"^{_LABEL}(\.{_LABEL})*$").matches(text),
    "k8sshortname": lambda text: len(text) <= 63 and compile_pattern(f"^{_LABEL}$").matches(text),
    "mac": _is_mac,
    "password": lambda _text: True,
    "rgbcolor": _matches(rf"^rgb\(\s*{_BYTE}\s*,\s*{_BYTE}\s*,\s*{_BYTE}\s*\)$"),
    "ssn": lambda text: len(text) == 11 and compile_pattern(r"^\d{3}[- ]?\d{2}[- ]?\d{4}$").matches(text),
    "uri": _is_uri,
    "uuid": _matches(_UUID % (_HEX4, _HEX4)),
    "uuid3": _matches(_UUID % ("3[0-9a-f]{3}", _HEX4)),
    "uuid4": _matches(_UUID % ("4[0-9a-f]{3}", _VARIANT)),
    "uuid5": _matches(_UUID % ("5[0-9a-f]{3}", _VARIANT)),
}
"""The text formats known to a server of this release, by their names without dashes."""
