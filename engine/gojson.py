"""JSON text as Go reads and writes it: for annotations, and where bytes are compared."""

from __future__ import annotations

import json
import re

from .errors import BadText, MergeError, NotJson
from .floats import json_form
from .guard import canonical, on_a_fresh_stack
from .values import INT64, kind_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeVar

    Result = TypeVar("Result")


def encode(value: Any) -> str:
    """The text of `encoding/json`: keys sorted, no spaces, `<`, `>` and `&` escaped, numbers in Go's form."""
    return _whatever_the_depth(_encoded, value)


def decode(text: str | bytes | bytearray) -> Any:
    """The value of a JSON text: integers of up to 64 bits are integers, all other numbers are floats."""
    return _whatever_the_depth(_decoded, text)


def _whatever_the_depth(function: Callable[[Any], Result], value: Any) -> Result:
    try:
        return function(value)
    except RecursionError:
        return on_a_fresh_stack(lambda: function(value))


# ---- writing ------------------------------------------------------------------------------------------------------

_compact = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode
_ESCAPES = (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))


def _encoded(value: Any) -> str:
    try:
        text = _spelled(value) if _has_odd_numbers(value) else _compact(value)
        if not text.isascii():
            text.encode()
    except (MergeError, TypeError, ValueError):
        text = _encoded_for_sure(value)
    for letter, escape in _ESCAPES:
        if letter in text:
            text = text.replace(letter, escape)
    return text


def _encoded_for_sure(value: Any) -> str:
    """The slow way, which says what is no JSON and where."""
    text = _spelled(canonical(value))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise NotJson(letter, f"half of a surrogate pair, {letter!r}, is no character") from None
    return text


def _has_odd_numbers(value: Any) -> bool:
    """Whether Python would print a number in another form. Raises an error at what is no JSON."""
    kind = type(value)
    if kind is dict:
        "".join(value)  # all keys are strings
        return any(type(item) is not str and _has_odd_numbers(item) for item in value.values())
    if kind is list:
        return any(type(item) is not str and _has_odd_numbers(item) for item in value)
    if kind is int:
        return not -INT64 <= value < INT64
    if kind is float:
        return json_form(value) != repr(value)
    if kind is str or kind is bool or value is None:
        return False
    raise NotJson(value, f"{kind_name(value)} is no JSON value")


def _spelled(value: Any) -> str:
    """The text of a value with numbers that Python prints in another form."""
    kind = type(value)
    if kind is dict:
        return "{" + ",".join([f"{_compact(key)}:{_spelled(value[key])}" for key in sorted(value)]) + "}"
    if kind is list:
        return "[" + ",".join([_spelled(item) for item in value]) + "]"
    if kind is float and value - value == 0:
        return json_form(value)
    if kind is int and not -INT64 <= value < INT64:
        return json_form(float(value))
    return _compact(value)


# ---- reading ------------------------------------------------------------------------------------------------------


def _integer(text: str) -> int | float:
    if len(text) < 19:
        return int(text)
    if len(text) <= 20 and -INT64 <= int(text) < INT64:
        return int(text)
    return _float(text)


def _float(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise BadText(f"the number {text[:30]} is too large")
    return value


def _constant(text: str) -> NoReturn:
    raise BadText(f"{text} is no JSON number")


_read = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_constant).decode
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def _decoded(text: str | bytes | bytearray) -> Any:
    if not isinstance(text, str):
        text = _characters(text)
    try:
        value = _read(text)
    except ValueError as error:
        raise BadText(str(error)) from None
    return _whole(value) if "\\ud" in text or "\\uD" in text else value


def _characters(data: bytes | bytearray) -> str:
    """The characters of UTF-8; each byte that is none becomes the replacement character, as in Go."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return _HALF_PAIR.sub("\ufffd", data.decode(errors="surrogateescape"))


def _whole(value: Any) -> Any:
    """The value with the replacement character for each half of a surrogate pair."""
    if isinstance(value, str):
        return _HALF_PAIR.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value
