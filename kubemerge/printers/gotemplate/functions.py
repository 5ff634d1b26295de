"""The functions of templates: Go's, and the two that kubectl adds."""

from __future__ import annotations

import base64
import binascii
import html
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

from ...apiserver.text.go_text import go_text

if TYPE_CHECKING:
    from collections.abc import Callable


class Missing:
    """The value of a missing field."""

    def __bool__(self) -> bool:
        return False


MISSING = Missing()


class BadCall(Exception):
    """A function called with invalid arguments."""


def truth(value: Any) -> bool:
    """Whether a value counts as true: neither empty nor zero."""
    return bool(value)


def printed(value: Any) -> str:
    """A value as a template prints it."""
    return "<no value>" if value is None or value is MISSING else go_text(value)


def joined(values: tuple[Any, ...]) -> str:
    """The output of `print`: a space separates two arguments if neither is a string."""
    said = ""
    for at, value in enumerate(values):
        apart = at and not isinstance(value, str) and not isinstance(values[at - 1], str)
        said += (" " if apart else "") + go_text(_given(value))
    return said


def _given(value: Any) -> Any:
    return None if value is MISSING else value


def _line(*values: Any) -> str:
    return " ".join(go_text(_given(value)) for value in values) + "\n"


# ---- comparing -------------------------------------------------------------------------------------------------------

_NO_COMPARISON = "incompatible types for comparison"


def _kind(value: Any) -> str:
    for kind, types in (("bool", bool), ("int", int), ("float", float), ("string", str)):
        if isinstance(value, types):
            return kind
    if value is None or value is MISSING:
        return "invalid"
    raise BadCall("non-comparable type " + ("map" if isinstance(value, dict) else "slice"))


def _eq(first: Any, *others: Any) -> bool:
    if not others:
        raise BadCall("missing argument for comparison")
    kind = _kind(first)
    for other in others:
        if _kind(other) != kind:
            if "invalid" in (kind, _kind(other)):
                continue
            raise BadCall(f"{_NO_COMPARISON}: {_type(first)} and {_type(other)}")
        if kind == "invalid" or first == other:
            return True
    return False


def _ne(first: Any, second: Any) -> bool:
    return not _eq(first, second)


def _lt(first: Any, second: Any) -> bool:
    kinds = {_kind(first), _kind(second)}
    if len(kinds) > 1:
        raise BadCall(_NO_COMPARISON)
    if kinds & {"bool", "invalid"}:
        raise BadCall("invalid type for comparison")
    less: bool = first < second
    return less


def _le(first: Any, second: Any) -> bool:
    return _lt(first, second) or _eq(first, second)


def _gt(first: Any, second: Any) -> bool:
    return not _le(first, second)


def _ge(first: Any, second: Any) -> bool:
    return not _lt(first, second)


# ---- lookups ---------------------------------------------------------------------------------------------------------


def _len(value: Any) -> int:
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, (list, dict)):
        return len(value)
    raise BadCall("len of untyped nil" if _kind(value) == "invalid" else f"len of type {_type(value)}")


def _type(value: Any) -> str:
    return {"bool": "bool", "int": "int64", "float": "float64", "string": "string"}.get(_kind(value), "interface {}")


def _constant(key: Any) -> str:
    """The type of a key, which is usually a constant in the template."""
    return "int" if _kind(key) == "int" else _type(key)


def _index(value: Any, *keys: Any) -> Any:
    for key in keys:
        if value is None or value is MISSING:
            raise BadCall("index of untyped nil")
        if isinstance(value, dict):
            if not isinstance(key, str):
                raise BadCall(f"value has type {_constant(key)}; should be string")
            value = value.get(key, MISSING)
        elif isinstance(value, (list, str)):
            value = _element(value, key)
        else:
            raise BadCall(f"can't index item of type {_type(value)}")
    return value


def _element(value: Any, key: Any) -> Any:
    whole = key if isinstance(key, int) and not isinstance(key, bool) else None
    if whole is None:
        raise BadCall(f"cannot index slice/array with type {_constant(key)}")
    holder = value.encode() if isinstance(value, str) else value
    if not 0 <= whole < len(holder):
        raise BadCall(f"index out of range: {whole}")
    return holder[whole]


def _slice(value: Any, *places: Any) -> Any:
    if not isinstance(value, (list, str)):
        raise BadCall(f"can't slice item of type {_type(value)}")
    begin, end = (*places, *(0, len(value))[len(places) :])[:2]
    if not 0 <= begin <= end <= len(value):
        raise BadCall(f"index out of range: {end if begin <= end else begin}")
    return value[begin:end]


def _exists(value: Any, *keys: Any) -> bool:
    """Whether a value exists at the end of these keys."""
    try:
        return _index(value, *keys) is not MISSING
    except BadCall:
        return False


def _base64decode(text: Any) -> str:
    if not isinstance(text, str):
        raise BadCall(f"wrong type for value; expected string; got {_type(text)}")
    try:
        return base64.b64decode(text.replace("\n", ""), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        raise BadCall("base64 decode failed: illegal base64 data") from None


# ---- escaping --------------------------------------------------------------------------------------------------------


def _html(*values: Any) -> str:
    return html.escape(joined(values)).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")


def _js(*values: Any) -> str:
    text = json.dumps(joined(values), ensure_ascii=False)[1:-1]
    for sign in "<>&=":
        text = text.replace(sign, f"\\u{ord(sign):04X}")
    return text.replace("'", "\\'")


def _urlquery(*values: Any) -> str:
    return quote_plus(joined(values), safe="~").replace("%7E", "~")


# ---- printf ----------------------------------------------------------------------------------------------------------


def _printf(form: Any, *values: Any) -> str:
    from .printf import formatted

    if not isinstance(form, str):
        raise BadCall("wrong type for value; expected string; got " + _type(form))
    return formatted(form, [_given(value) for value in values])


def _not_called(*_: Any) -> Any:
    raise AssertionError  # the evaluator stops at the first result


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "and": _not_called,
    "base64decode": _base64decode,
    "eq": _eq,
    "exists": _exists,
    "ge": _ge,
    "gt": _gt,
    "html": _html,
    "index": _index,
    "js": _js,
    "le": _le,
    "len": _len,
    "lt": _lt,
    "ne": _ne,
    "not": lambda value: not truth(value),
    "or": _not_called,
    "print": lambda *values: joined(values),
    "printf": _printf,
    "println": _line,
    "slice": _slice,
    "urlquery": _urlquery,
}
"""The functions by their names."""
TAKES = {"base64decode": 1, "len": 1, "not": 1, "ne": 2, "lt": 2, "le": 2, "gt": 2, "ge": 2}
"""Number of arguments, for functions with a fixed number."""
AT_LEAST = {"eq": 1, "index": 1, "slice": 1, "printf": 1, "exists": 1, "and": 1, "or": 1}
"""Minimum number of arguments of the other functions."""
