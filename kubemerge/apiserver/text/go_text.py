"""Values as Go prints them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ESCAPED = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
_ESCAPED |= {'"': '\\"', "\\": "\\\\"}


def quoted(text: str) -> str:
    """Quote a text like Go."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{"".join(_ESCAPED.get(char) or _printed(char) for char in text)}"'


def _printed(char: str) -> str:
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no character, decoded with `surrogateescape`
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def go_text(value: Any) -> str:
    """Return a value as Go prints it with %v: `map[a:1 b:[x y]]`."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{go_text(value[key])}' for key in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(go_text, value))}]"
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _float(value) if isinstance(value, float) else str(value)


GO_TYPES: dict[type[Any], str] = {
    bool: "bool",
    dict: "map[string]interface {}",
    float: "float64",
    int: "int64",
    list: "[]interface {}",
    str: "string",
    type(None): "<nil>",
}
"""The Go types of JSON values."""


def go_syntax(value: Any) -> str:
    """Return a value as Go prints it with %#v: `map[string]interface {}{"a":1}`."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        inside = ", ".join(f"{quoted(key)}:{_inside(value[key])}" for key in sorted(value))
        return f"{GO_TYPES[dict]}{{{inside}}}"
    if isinstance(value, list):
        return f"{GO_TYPES[list]}{{{', '.join(map(_inside, value))}}}"
    return go_text(value)


def _inside(value: Any) -> str:
    return "interface {}(nil)" if value is None else go_syntax(value)


MOST_PLACES = 6
"""The power of ten from which numbers are printed with an exponent."""


def _float(value: float) -> str:
    from decimal import Decimal  # slow to import, and few values are floats

    exact = Decimal(repr(value)).normalize()
    if not exact or -5 < exact.adjusted() < MOST_PLACES:
        return format(exact, "f")
    first, _, rest = f"{exact:E}".partition("E")[0].partition(".")
    return f"{first}{f'.{rest}' if rest else ''}e{exact.adjusted():+03d}"


_INTEGER = re.compile("[+-]?[0-9]+")


def without_first_byte(text: str) -> str:
    """Return `text[1:]` of Go, which removes one byte of UTF-8."""
    return text.encode()[1:].decode(errors="replace")


_NUMBER, _UNIT = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+"), re.compile("[^0-9.]*")
_UNITS = frozenset(("ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "m", "h"))


def duration_error(text: str) -> str:
    """Return Go's error for a text that is no duration, such as `1h30m`, or an empty text."""
    rest = text[1:] if text[:1] in ("+", "-") else text
    if rest == "0":
        return ""
    if not rest:
        return f"time: invalid duration {quoted(text)}"
    while rest:
        number = _NUMBER.match(rest)
        if number is None:
            return f"time: invalid duration {quoted(text)}"
        unit = _UNIT.match(rest, number.end())
        found = unit[0] if unit else ""
        if not found:
            return f"time: missing unit in duration {quoted(text)}"
        if found not in _UNITS:
            return f"time: unknown unit {quoted(found)} in duration {quoted(text)}"
        rest = rest[number.end() + len(found) :]
    return ""


def parsed_int(text: str) -> int | str:
    """Return the 64-bit integer that Go reads from a text, or its error."""
    failed = f"strconv.ParseInt: parsing {quoted(text)}"
    if not _INTEGER.fullmatch(text):
        return f"{failed}: invalid syntax"
    digits = text.lstrip("+-").lstrip("0")
    found = int(digits[:20] or "0") * (-1 if text.startswith("-") else 1)
    return found if -(1 << 63) <= found < 1 << 63 else f"{failed}: value out of range"
