"""Messages whose JSON is not a map of their fields: times, quantities, numbers or texts, and raw JSON."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from engine.values.quantities import BadQuantity, canonical

from .wire import NUMBER, SIZED, BadMessage, signed, sized, skipped, text, varint

if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[bytes, int, int, int], Any]
    """What reads a value from these bytes: where it begins, where it ends, how deep it is in the object."""

EPOCH = datetime(1970, 1, 1)
_ZERO_TIME = -62_135_596_800
_LAST_TIME = 253_402_300_799
_BILLION = 1_000_000_000


def fields(data: bytes, at: int, stop: int) -> dict[int, Any]:
    """The fields of a small message by their numbers: a number, or where the content begins and ends."""
    found: dict[int, Any] = {}
    while at < stop:
        tag, after = varint(data, at)
        if tag & 7 == NUMBER:
            value, at = varint(data, after)
            found[tag >> 3] = signed(value)
        elif tag & 7 == SIZED:
            found[tag >> 3] = sized(data, after, stop)
            at = found[tag >> 3][1]
        else:
            at = skipped(data, at, stop)
    if at > stop:
        raise BadMessage("unexpected EOF")
    return found


def _as_number(found: dict[int, Any], number: int) -> int:
    value = found.get(number, 0)
    return value if isinstance(value, int) else 0


def _as_text(data: bytes, found: dict[int, Any], number: int) -> str:
    value = found.get(number)
    return text(data, *value) if isinstance(value, tuple) else ""


def binary(data: bytes, at: int, stop: int, _: int) -> str:
    """Bytes, which JSON has in base64."""
    return b64encode(data[at:stop]).decode("ascii")


def _moment(seconds: int) -> datetime:
    if not _ZERO_TIME <= seconds <= _LAST_TIME:
        raise BadMessage("Time.MarshalJSON: year outside of range [0,9999]")
    return EPOCH + timedelta(seconds=seconds)


def time(data: bytes, at: int, stop: int, _: int) -> str | None:
    """A time in seconds."""
    seconds = _as_number(fields(data, at, stop), 1)
    return None if at == stop or seconds == _ZERO_TIME else f"{_moment(seconds).isoformat()}Z"


def micro_time(data: bytes, at: int, stop: int, _: int) -> str | None:
    """A time in microseconds."""
    found = fields(data, at, stop)
    seconds, rest = divmod(signed(_as_number(found, 2), 32), _BILLION)
    seconds += _as_number(found, 1)
    if at == stop or (seconds == _ZERO_TIME and not rest):
        return None
    return f"{_moment(seconds).isoformat()}.{rest // 1000:06}Z"


def quantity(data: bytes, at: int, stop: int, _: int) -> str:
    """A quantity, as it is printed."""
    found = fields(data, at, stop)
    if 1 not in found:
        return "0"
    try:
        return canonical(_as_text(data, found, 1))
    except BadQuantity as error:
        raise BadMessage(str(error)) from None


def int_or_text(data: bytes, at: int, stop: int, _: int) -> int | str:
    """A number, or a text such as `25%` or the name of a port."""
    found = fields(data, at, stop)
    type_ = _as_number(found, 1)
    if type_ not in (0, 1):
        raise BadMessage("impossible IntOrString.Type")
    return _as_text(data, found, 3) if type_ else signed(_as_number(found, 2), 32)


def duration(data: bytes, at: int, stop: int, _: int) -> str:
    """A length of time as Go prints it: `1h0m0.5s`."""
    left = _as_number(fields(data, at, stop), 1)
    sign, left = ("-", -left) if left < 0 else ("", left)
    if left < _BILLION:
        unit, size = next(((u, s) for u, s in (("ms", 1_000_000), ("µs", 1000), ("ns", 1)) if left >= s), ("s", 1))
        return f"{sign}{_decimal(left, size)}{unit}"
    minutes, seconds = divmod(left, 60 * _BILLION)
    hours, minutes = divmod(minutes, 60)
    before = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{sign}{before}{_decimal(seconds, _BILLION)}s"


def _decimal(value: int, size: int) -> str:
    whole, rest = divmod(value, size)
    digits = f"{rest:0{len(str(size)) - 1}}".rstrip("0") if rest else ""
    return f"{whole}.{digits}" if digits else str(whole)


def raw_json(data: bytes, at: int, stop: int, _: int) -> Any:
    """JSON as it stands in the field 1."""
    begins, ends = fields(data, at, stop).get(1) or (0, 0)
    if begins == ends:
        return None
    try:
        return json.loads(data[begins:ends])
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"raw JSON cannot be read: {error}") from None


SPECIAL: dict[str, tuple[Reader, Any]] = {
    "apiextensions.v1.JSON": (raw_json, None),
    "apiextensions.v1beta1.JSON": (raw_json, None),
    "bytes": (binary, ""),
    "intstr.IntOrString": (int_or_text, 0),
    "meta.v1.Duration": (duration, "0s"),
    "meta.v1.FieldsV1": (raw_json, None),
    "meta.v1.MicroTime": (micro_time, None),
    "meta.v1.Time": (time, None),
    "resource.Quantity": (quantity, "0"),
    "runtime.RawExtension": (raw_json, None),
    "string": (text, ""),
}
"""What reads a value that has a length but no fields, and what it is if nothing is said."""


def _or_bool(found: dict[str, Any]) -> Any:
    return bool(found.get("Allows")) if found.get("Schema") is None else found["Schema"]


def _or_list(found: dict[str, Any]) -> Any:
    return found.get("JSONSchemas") or found.get("Schema")


def _or_texts(found: dict[str, Any]) -> Any:
    return found.get("Property") or found.get("Schema")


def only_list(found: dict[str, Any]) -> Any:
    """The list of a message that has nothing else, and no name for it in JSON."""
    return found.get("", [])


FOLDED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "JSONSchemaPropsOrBool": _or_bool,
    "JSONSchemaPropsOrArray": _or_list,
    "JSONSchemaPropsOrStringArray": _or_texts,
}
"""What becomes of messages that stand for one of their fields."""
