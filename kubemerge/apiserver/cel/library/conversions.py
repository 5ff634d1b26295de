"""Type conversions, timestamps, durations and optional values."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ...schemas.problems import go_number
from ..language.tree import Uint
from ..operators import unsigned
from ..values import (
    LISTS,
    MAPS,
    CelError,
    Duration,
    GrowingList,
    GrowingMap,
    Joined,
    List,
    Map,
    NoOverload,
    Object,
    Optional,
    SetList,
    Struct,
    Time,
    TypedList,
    TypedMap,
    TypeValue,
    duration,
    moment,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 10**9
FIRST_SECOND, LAST_SECOND = -62135596800, 253402300799
"""The years 1 to 9999."""
NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    **dict.fromkeys((list, List, Joined, GrowingList, SetList, TypedList), "list"),
    **dict.fromkeys((dict, GrowingMap, TypedMap), "map"),
    Map: "map",
    Object: "map",
    Duration: "google.protobuf.Duration",
    Time: "google.protobuf.Timestamp",
    Optional: "optional_type",
    TypeValue: "type",
    type(None): "null_type",
}


def _size(value: Any) -> int:
    if isinstance(value, (str, bytes)):
        return len(value)
    if isinstance(value, (*LISTS, *MAPS)):
        return len(value)
    raise NoOverload("size")


def _unfit(kind: str) -> CelError:
    return CelError(f"type conversion error from 'string' to '{kind}'")


def _parsed(read: Callable[[str], Any], value: str, kind: type) -> Any:
    try:
        return read(value)
    except CelError:
        raise _unfit(NAMES[kind]) from None


_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)


def _parsed_integer(value: str, kind: str, least: int, most: int) -> int:
    found = _INTEGER.fullmatch(value)
    if found is None or (kind == "uint" and value[0] in "+-"):
        raise _unfit(kind)
    digits = value.lstrip("+-").lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(2**64)) else 2**64
    number = -number if value[0] == "-" else number
    if not least <= number <= most:
        raise _unfit(kind)
    return number


def _int(value: Any) -> int:
    if isinstance(value, bool):
        raise NoOverload
    if isinstance(value, int):
        if value >= 2**63:
            raise CelError("integer overflow")
        return int(value)
    if isinstance(value, float):
        if not -(2.0**63) < value < 2.0**63:
            raise CelError("integer overflow")
        return int(value)
    if isinstance(value, str):
        return _parsed_integer(value, "int", -(2**63), 2**63 - 1)
    if isinstance(value, Time):
        return value.nanos // SECOND
    if isinstance(value, Duration):
        return value.nanos
    raise NoOverload


def _uint(value: Any) -> Uint:
    if isinstance(value, float):
        if not 0 <= value < 2.0**64:
            raise CelError("unsigned integer overflow")
        return Uint(int(value))
    if isinstance(value, str):
        return Uint(_parsed_integer(value, "uint", 0, 2**64 - 1))
    if isinstance(value, bool) or not isinstance(value, int):
        raise NoOverload
    return unsigned(value)


_HEXADECIMAL = re.compile(
    r"[+-]?0[xX](?=_?[0-9a-fA-F]|\.[0-9a-fA-F])[0-9a-fA-F_]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+", re.ASCII
)


def _double(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise NoOverload
    if not isinstance(value, str):
        return float(value)
    try:
        found = float.fromhex(value.replace("_", "")) if _HEXADECIMAL.fullmatch(value) else float(value)
    except (ValueError, OverflowError):
        raise _unfit("double") from None
    if value != value.strip() or (math.isinf(found) and any(one in "0123456789" for one in value)):
        raise _unfit("double")
    return found


def text_of(value: Any) -> str:
    """Convert a value to text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return go_number(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise CelError("invalid UTF-8 in bytes, cannot convert to string") from None
    if isinstance(value, Time):
        whole, rest = divmod(value.nanos, SECOND)
        hours, minutes = divmod(abs(value.offset), 60)
        zone = f"{'-' if value.offset < 0 else '+'}{hours:02d}:{minutes:02d}" if value.offset else "Z"
        local = datetime(1970, 1, 1) + timedelta(seconds=whole, minutes=value.offset)
        said = local.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
        return f"{said}.{rest:09d}".rstrip("0") + zone if rest else f"{said}{zone}"
    if isinstance(value, Duration):
        seconds = format(Decimal(repr(value.nanos / SECOND)), "f")
        return f"{seconds.rstrip('0').rstrip('.') if '.' in seconds else seconds}s"
    if hasattr(value, "as_text"):
        return str(value.as_text())
    raise NoOverload


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    raise NoOverload


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        if value in ("1", "t", "T", "true", "TRUE", "True"):
            return True
        if value in ("0", "f", "F", "false", "FALSE", "False"):
            return False
        raise _unfit("bool")
    raise NoOverload


def _timestamp(value: Any) -> Any:
    if isinstance(value, Time):
        return value
    if type(value) is int:
        if not FIRST_SECOND <= value <= LAST_SECOND:
            raise CelError("timestamp overflow")
        return Time(value * SECOND)
    if not isinstance(value, str):
        raise NoOverload
    if len(value) <= len("2006-01-02") or "t" in value or "z" in value:
        raise _unfit(NAMES[Time])
    return _parsed(moment, value, Time)


def _duration(value: Any) -> Any:
    if isinstance(value, Duration):
        return value
    if not isinstance(value, str):
        raise NoOverload
    return _parsed(duration, value, Duration)


def type_name(value: Any) -> str:
    """Return the name of a value's type."""
    return NAMES.get(type(value)) or str(getattr(value, "kind", "object"))


def _type(value: Any) -> TypeValue:
    return TypeValue(type_name(value))


# ---- time ------------------------------------------------------------------------------------------------------------


def _of_time(part: Callable[[datetime], int]) -> Callable[..., int]:
    def call(value: Any, zone: str = "") -> int:
        if not isinstance(value, Time):
            raise NoOverload
        return part(value.in_zone(zone))

    return call


def _of_both(part: Callable[[datetime], int], nanos: int) -> Callable[..., int]:
    of_time = _of_time(part)

    def call(value: Any, zone: str = "") -> int:
        if isinstance(value, Duration):
            return int(math.copysign(abs(value.nanos) // nanos, value.nanos))
        return of_time(value, zone)

    return call


def _milliseconds(value: Any, zone: str = "") -> int:
    if isinstance(value, Duration):
        return int(math.copysign(abs(value.nanos) // 10**6, value.nanos))
    if not isinstance(value, Time):
        raise NoOverload
    value.in_zone(zone)  # must be valid
    return value.nanos % SECOND // 10**6


# ---- optional values -------------------------------------------------------------------------------------------------


def _of_non_zero(value: Any) -> Optional:
    zero = (
        value in (None, False, 0, "", b"", Duration(0))
        if not isinstance(value, (*LISTS, *MAPS, Struct))
        else not len(value)
    )
    return Optional() if zero else Optional(value, there=True)


def _unwrapped(value: Any) -> list[Any]:
    found = []
    for one in value:
        if not isinstance(one, Optional):
            raise NoOverload
        if one.there:
            found.append(one.value)
    return found


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "size": _size,
    "int": _int,
    "uint": _uint,
    "double": _double,
    "string": text_of,
    "bytes": _bytes,
    "bool": _bool,
    "timestamp": _timestamp,
    "duration": _duration,
    "dyn": lambda value: value,
    "type": _type,
    "optional.none": Optional,
    "optional.of": lambda value: Optional(value, there=True),
    "optional.ofNonZeroValue": _of_non_zero,
    "optional.unwrap": _unwrapped,
}
METHODS: dict[str, Callable[..., Any]] = {
    "size": _size,
    "hasValue": lambda value: value.there,
    "value": lambda value: value.needed(),
    "unwrapOpt": _unwrapped,
    "getFullYear": _of_time(lambda at: at.year),
    "getMonth": _of_time(lambda at: at.month - 1),
    "getDayOfYear": _of_time(lambda at: at.timetuple().tm_yday - 1),
    "getDayOfMonth": _of_time(lambda at: at.day - 1),
    "getDate": _of_time(lambda at: at.day),
    "getDayOfWeek": _of_time(lambda at: at.isoweekday() % 7),
    "getHours": _of_both(lambda at: at.hour, 3600 * SECOND),
    "getMinutes": _of_both(lambda at: at.minute, 60 * SECOND),
    "getSeconds": _of_both(lambda at: at.second, SECOND),
    "getMilliseconds": _milliseconds,
}
