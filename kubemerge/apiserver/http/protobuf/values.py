"""Messages whose JSON is not a map of their fields: times, quantities, numbers or texts, and raw JSON."""

from __future__ import annotations

from base64 import b64encode
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import decode
from engine.values.quantities import BadQuantity, canonical

from .wire import BadMessage, text

if TYPE_CHECKING:
    from collections.abc import Callable

    Found = dict[str, Any]
    Reader = Callable[[bytes, int, int, int], Any]
    """A function that decodes a value from these bytes. Arguments: bytes, start, end, depth in the object."""

MESSAGES = """\
apiextensions.v1.JSON - 1:raw:json
apiextensions.v1beta1.JSON - 1:raw:json
intstr.IntOrString - 1:type:int64 2:intVal:int32 3:strVal:string
meta.v1.Duration - 1:duration:int64
meta.v1.FieldsV1 - 1:Raw:json
meta.v1.MicroTime - 1:seconds:*int64 2:nanos:*int32
meta.v1.Time - 1:seconds:*int64 2:nanos:*int32
resource.Quantity - 1:string:*string:String_
runtime.RawExtension - 1:raw:json
runtime.TypeMeta - 1:apiVersion:string:APIVersion 2:kind:string
runtime.Unknown - 1:typeMeta:.TypeMeta 2:raw:place 3:contentEncoding:string 4:contentType:string
"""
"""Messages missing in the table, because their Go types implement their own JSON, or none."""

EPOCH = datetime(1970, 1, 1)
_ZERO_TIME = -62_135_596_800
_LAST_TIME = 253_402_300_799
_BILLION = 1_000_000_000


# ---- values that have a length and no fields ---------------------------------------------------------------------


def _binary(data: bytes, at: int, stop: int, _: int) -> str:
    return b64encode(data[at:stop]).decode("ascii")


def _json(data: bytes, at: int, stop: int, _: int) -> Any:
    try:
        return decode(text(data, at, stop)) if at < stop else None
    except MergeError as error:
        raise BadMessage(f"raw JSON cannot be read: {error}") from None


def _place(_data: bytes, at: int, stop: int, _: int) -> tuple[int, int]:
    return at, stop


READERS: dict[str, Reader] = {"bytes": _binary, "json": _json, "place": _place, "string": text}

# ---- messages that stand for one value ---------------------------------------------------------------------------


def _moment(seconds: int) -> datetime:
    if not _ZERO_TIME <= seconds <= _LAST_TIME:
        raise BadMessage("Time.MarshalJSON: year outside of range [0,9999]")
    return EPOCH + timedelta(seconds=seconds)


def _time(found: Found) -> str | None:
    seconds = found.get("seconds", 0)
    return f"{_moment(seconds).isoformat()}Z" if found and seconds != _ZERO_TIME else None


def _micro_time(found: Found) -> str | None:
    more, rest = divmod(found.get("nanos", 0), _BILLION)
    seconds = found.get("seconds", 0) + more
    if not found or (seconds == _ZERO_TIME and not rest):
        return None
    return f"{_moment(seconds).isoformat()}.{rest // 1000:06}Z"


def _quantity(found: Found) -> str:
    try:
        return canonical(found.get("string", "0"))
    except BadQuantity as error:
        raise BadMessage(str(error)) from None


def _int_or_text(found: Found) -> int | str:
    type_ = found.get("type", 0)
    if type_ not in (0, 1):
        raise BadMessage("impossible IntOrString.Type")
    value: int | str = found.get("strVal", "") if type_ else found.get("intVal", 0)
    return value


def _duration(found: Found) -> str:
    """A duration as Go prints it: `1h0m0.5s`."""
    left = found.get("duration", 0)
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


def _raw(found: Found) -> Any:
    return found.get("raw", found.get("Raw"))


def _or_bool(found: Found) -> Any:
    return bool(found.get("Allows")) if found.get("Schema") is None else found["Schema"]


def _or_list(found: Found) -> Any:
    return found.get("JSONSchemas") or found.get("Schema")


def _or_texts(found: Found) -> Any:
    return found.get("Property") or found.get("Schema")


def only_list(found: Found) -> Any:
    """Return the list of a message that contains nothing else, and has no JSON name for it."""
    return found.get("", [])


FOLDED: dict[str, Callable[[Found], Any]] = {
    "Duration": _duration,
    "FieldsV1": _raw,
    "IntOrString": _int_or_text,
    "JSON": _raw,
    "JSONSchemaPropsOrArray": _or_list,
    "JSONSchemaPropsOrBool": _or_bool,
    "JSONSchemaPropsOrStringArray": _or_texts,
    "MicroTime": _micro_time,
    "Quantity": _quantity,
    "RawExtension": _raw,
    "Time": _time,
}
"""The conversions of messages that stand for one value."""
