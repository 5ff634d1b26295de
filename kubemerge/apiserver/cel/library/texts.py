"""Functions of texts, patterns and formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...regex.matching import compile_pattern
from ...regex.syntax import BadPattern, UnknownPattern
from ..values import CelError, NoOverload
from .formatting import format_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...regex.matching import Pattern
    from ..meter import Meter

SPACES = " \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
SPACES += "\u202f\u205f\u3000"


def _compiled(wanted: str, said: str) -> Pattern:
    try:
        return compile_pattern(wanted)
    except BadPattern as error:
        raise CelError(f"{said}{error}") from None
    except UnknownPattern as error:
        raise CelError(f"the pattern {wanted} cannot be judged: {error}") from None


def _text(*values: Any) -> None:
    for one in values:
        if not isinstance(one, str):
            raise NoOverload


def _matches(value: Any, wanted: Any) -> bool:
    _text(value, wanted)
    found = _compiled(wanted, "")
    try:
        return found.matches(value)
    except UnknownPattern as error:
        raise CelError(str(error)) from None


def _find(value: Any, wanted: Any) -> str:
    place = _compiled(wanted, "Illegal regex: ").find(value)
    return value[place[0] : place[1]] if place else ""


def _find_all(value: Any, wanted: Any, most: int = -1) -> list[str]:
    return _compiled(wanted, "Illegal regex: ").find_all(value, most if most >= 0 else -1)


def _char_at(value: Any, place: int) -> str:
    if not 0 <= place <= len(value):
        raise CelError(f"index out of range: {place}")
    return str(value[place : place + 1])


def _index_of(value: Any, part: Any, start: int = 0) -> int:
    _text(value, part)
    if start < 0:
        raise CelError(f"index out of range: {start}")
    if part == "":
        return min(start, len(value))
    return int(value.find(part, start))


def _last_index_of(value: Any, part: Any, start: int | None = None) -> int:
    _text(value, part)
    if start is None:
        return int(value.rfind(part)) if part else len(value)
    if start < 0:
        raise CelError(f"index out of range: {start}")
    if part == "":
        return min(start, len(value))
    return int(value.rfind(part, 0, start + len(part))) if start < len(value) else -1


def _ascii(value: Any, *, lower: bool) -> str:
    return "".join(char if not char.isascii() else char.lower() if lower else char.upper() for char in value)


def _replace(value: Any, old: Any, new: Any, most: int = -1, *, meter: Meter) -> str:
    count = value.count(old)
    meter.reserve((count if most < 0 else min(most, count)) * len(new))
    return str(value.replace(old, new, most))


def _split(value: Any, sign: Any, most: int = -1) -> list[str]:
    if most == 0:
        return []
    if most == 1:
        return [value]
    if sign == "":
        parts = [*value]
        return parts if most < 0 or most >= len(parts) else [*parts[: most - 1], "".join(parts[most - 1 :])]
    return [*value.split(sign, most - 1 if most > 0 else -1)]


def _substring(value: Any, start: int, end: int | None = None) -> str:
    last = len(value) if end is None else end
    if end is not None and start > end:
        raise CelError(f"invalid substring range. start: {start}, end: {end}")
    for place in (start, last):
        if not 0 <= place <= len(value):
            raise CelError(f"index out of range: {place}")
    return str(value[start:last])


def _join(value: Any, sign: str = "", *, meter: Meter) -> str:
    parts = [*value]
    for one in parts:
        if not isinstance(one, str):
            raise CelError(f"join: invalid input: {one}")
    meter.reserve(sum(map(len, parts)) + len(parts) * len(sign))
    return sign.join(parts)


def _part(test: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    def call(value: Any, part: Any) -> bool:
        _text(value, part)
        return test(value, part)

    return call


QUOTED = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
QUOTES = str.maketrans({**QUOTED, "\\": "\\\\", '"': '\\"'})


def _quote(value: Any) -> str:
    return f'"{value.translate(QUOTES)}"'


def judge_pattern(wanted: Any) -> None:
    """Raise CelError if a constant is not a valid pattern."""
    if isinstance(wanted, str):
        try:
            compile_pattern(wanted)
        except BadPattern as error:
            raise CelError(str(error)) from None
        except UnknownPattern:
            pass


def _format(value: Any, given: Any, *, meter: Meter) -> str:
    return format_text(value, [*given], meter)


def _trim(value: Any) -> str:
    return str(value.strip(SPACES))


def _escape_key(value: Any) -> str:
    _text(value)
    return str(value.replace("~", "~0").replace("/", "~1"))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "matches": _matches,
    "strings.quote": _quote,
    "jsonpatch.escapeKey": _escape_key,
}
METHODS: dict[str, Callable[..., Any]] = {
    "charAt": _char_at,
    "contains": _part(lambda value, part: part in value),
    "endsWith": _part(str.endswith),
    "find": _find,
    "findAll": _find_all,
    "format": _format,
    "indexOf": _index_of,
    "join": _join,
    "lastIndexOf": _last_index_of,
    "lowerAscii": lambda value: _ascii(value, lower=True),
    "matches": _matches,
    "replace": _replace,
    "split": _split,
    "startsWith": _part(str.startswith),
    "substring": _substring,
    "trim": _trim,
    "upperAscii": lambda value: _ascii(value, lower=False),
}
METERED = (_replace, _join, _format)
