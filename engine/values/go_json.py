"""JSON text as Go reads and writes it: for annotations, and where bytes are compared."""

from __future__ import annotations

import json
import re
import threading

from ..errors import BadText, MergeError, NotJson
from .floats import json_form
from .guard import canonical, on_a_fresh_stack
from .plain import INT64, kind_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn, TypeVar

    Result = TypeVar("Result")


def encode(value: Any, *, floats: bool = True) -> str:
    """The text of `encoding/json`: keys sorted, no spaces, `<`, `>` and `&` escaped, numbers in Go's form.

    `floats=False` says that there is none among the numbers, so that nobody has to look.
    """
    try:
        return _encoded(value, floats)
    except RecursionError:
        return on_a_fresh_stack(lambda: _encoded(value, floats))


def decode(text: str | bytes | bytearray) -> Any:
    """The value of a JSON text: integers of up to 64 bits are integers, all other numbers are floats."""
    try:
        return _decoded(text)
    except RecursionError:
        _seen.floats = True
        return on_a_fresh_stack(lambda: _decoded(text))


def decode_together(*texts: str | bytes | bytearray) -> tuple[list[Any], bool]:
    """The values of JSON texts, and whether there may be floats in them.

    They are read at one go, as one list, so that equal keys are one string in all of them: that is quick to compare.
    """
    _seen.floats = False
    try:
        values = _scanned_together(texts)
    except (MergeError, ValueError, StopIteration, RecursionError):
        values = None
    return [*map(decode, texts)] if values is None else values, _seen.floats


class _Seen(threading.local):
    """What the text held that this thread reads."""

    floats = False


_seen = _Seen()


# ---- writing ------------------------------------------------------------------------------------------------------

# What floats look like in Python's text, and a few strings too.
_fraction = re.compile(r"\.[0-9]+(?:e[+-][0-9]+)?[,}\]]").search
_large = re.compile(r"e\+[0-9]+[,}\]]").search
_small = re.compile(r"e-[0-9]+[,}\]]").search


def _no_json(value: object) -> NoReturn:
    raise NotJson(value, f"{kind_name(value)} is no JSON value")


def _compact_writer() -> Callable[[Any], str]:
    """What `json.JSONEncoder.encode` does, without what it does anew for each text."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode
    chunks = make(None, _no_json, json.encoder.encode_basestring, None, ":", ",", True, False, False)
    return lambda value: "".join(chunks(value, 0))


_compact = _compact_writer()


def _encoded(value: Any, floats: bool) -> str:
    try:
        text = _compact(value)
        ascii_only = text.isascii()
        if not ascii_only:
            text.encode()
        if floats and (_fraction(text) or _large(text) or _small(text) or type(value) is float):
            text = _spelled(value)
    except (MergeError, TypeError, ValueError):
        text = _encoded_for_sure(value)
        ascii_only = False
    if "<" in text:
        text = text.replace("<", "\\u003c")
    if ">" in text:
        text = text.replace(">", "\\u003e")
    if "&" in text:
        text = text.replace("&", "\\u0026")
    return text if ascii_only else text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _encoded_for_sure(value: Any) -> str:
    """The slow way, which says what is no JSON and where."""
    text = _spelled(canonical(value))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise NotJson(letter, f"half of a surrogate pair, {letter!r}, is no character") from None
    return text


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


class _Integers(dict[str, int]):
    """Integers by their text: those that are everywhere are looked up, the others are read."""

    def __missing__(self, text: str) -> int | float:
        if len(text) < 19 or (len(text) <= 20 and -INT64 <= int(text) < INT64):
            return int(text)
        return _float(text)


def _float(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise BadText(f"the number {text[:30]} is too large")
    _seen.floats = True
    return value


def _constant(text: str) -> NoReturn:
    raise BadText(f"{text} is no JSON number")


_integers = _Integers({str(number): number for number in range(1000)})
_scan: Callable[[str, int], tuple[Any, int]] = vars(
    json.JSONDecoder(parse_int=_integers.__getitem__, parse_float=_float, parse_constant=_constant)
)["scan_once"]
_SPACE = " \t\n\r"
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def _decoded(text: str | bytes | bytearray) -> Any:
    if not isinstance(text, str):
        text = _characters(text)
    text = text.strip(_SPACE)
    try:
        value, end = _scan(text, 0)
    except StopIteration as error:
        raise BadText(f"a value was expected at character {error.value + 1}") from None
    except ValueError as error:
        raise BadText(str(error)) from None
    if end < len(text):
        raise BadText(f"there is more text after the document, at character {end + 1}")
    return _whole(value) if _half(text) else value


_BETWEEN = "-987654321987654321"
"""A number that stands between texts that are read together, and that none of them may hold."""


def _scanned_together(texts: Sequence[str | bytes | bytearray]) -> list[Any] | None:
    """The values of texts, put together with a number between any two; None if it is not sure that each is one value.

    It is sure where all those numbers, and no others, have come back from between the values.
    """
    strings = [text if isinstance(text, str) else text.decode() for text in texts]
    if any(_BETWEEN in string for string in strings):
        return None
    whole = f"[{f',{_BETWEEN},'.join(strings)}]"
    values, end = _scan(whole, 0)
    between = int(_BETWEEN)
    if end < len(whole) or [*values[1::2]] != [between] * (len(texts) - 1) or len(values) != 2 * len(texts) - 1:
        return None
    found: list[Any] = values[::2]
    return _whole(found) if _half(whole) else found


_half = re.compile(r"\\u[dD][89a-fA-F]").search


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
