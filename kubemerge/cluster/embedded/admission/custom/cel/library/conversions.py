"""Functions that turn one type into another, moments and lengths of time, and values that may be missing."""

from __future__ import annotations

import math
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...problems import go_number
from ..language.tree import Uint
from ..operators import integer, unsigned
from ..values import (
    CelError,
    Duration,
    List,
    Map,
    NoOverload,
    Object,
    Optional,
    Time,
    TypeValue,
    duration,
    items,
    moment,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 10**9
NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    List: "list",
    dict: "map",
    Map: "map",
    Object: "object",
    Duration: "google.protobuf.Duration",
    Time: "google.protobuf.Timestamp",
    Optional: "optional_type",
    TypeValue: "type",
    type(None): "null_type",
}


def _size(value: Any) -> int:
    if isinstance(value, (str, bytes)):
        return len(value)
    return len(items(value))


def _unfit(kind: str) -> CelError:
    return CelError(f"type conversion error from 'string' to '{kind}'")


def _parsed(read: Callable[[str], Any], value: str, kind: type) -> Any:
    try:
        return read(value)
    except CelError:
        raise _unfit(NAMES[kind]) from None


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
        try:
            return integer(int(value)) if value.strip() == value and "_" not in value else int("")
        except ValueError:
            raise _unfit("int") from None
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
        if not (value.isascii() and value.isdecimal()):
            raise _unfit("uint")
        return unsigned(int(value))
    if isinstance(value, bool) or not isinstance(value, int):
        raise NoOverload
    return unsigned(value)


def _double(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise NoOverload
    try:
        return float(value) if not isinstance(value, str) or "_" not in value else float("")
    except ValueError:
        raise _unfit("double") from None


def text_of(value: Any) -> str:
    """A value as text."""
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
        said = Time(whole * SECOND).in_zone("").strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
        return f"{said}.{rest:09d}".rstrip("0") + "Z" if rest else f"{said}Z"
    if isinstance(value, Duration):
        return f"{go_number(value.nanos / SECOND)}s"
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
    if isinstance(value, int) and not isinstance(value, bool):
        return Time(value * SECOND)
    if not isinstance(value, str):
        raise NoOverload
    if len(value) <= len("2006-01-02"):
        raise _unfit(NAMES[Time])
    return _parsed(moment, value, Time)


def _duration(value: Any) -> Any:
    if isinstance(value, Duration):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Duration(value)
    if not isinstance(value, str):
        raise NoOverload
    return _parsed(duration, value, Duration)


def _type(value: Any) -> TypeValue:
    return TypeValue(NAMES.get(type(value)) or str(getattr(value, "kind", "object")))


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


def _milliseconds(value: Any, _zone: str = "") -> int:
    if isinstance(value, Duration):
        return int(math.copysign(abs(value.nanos) // 10**6, value.nanos))
    if not isinstance(value, Time):
        raise NoOverload
    return value.nanos % SECOND // 10**6


# ---- optional values -------------------------------------------------------------------------------------------------


def _of_non_zero(value: Any) -> Optional:
    zero = (
        value in (None, False, 0, "", b"")
        if not isinstance(value, (list, dict, List, Map, Object))
        else not items(value)
    )
    return Optional() if zero else Optional(value, there=True)


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
}
METHODS: dict[str, Callable[..., Any]] = {
    "size": _size,
    "hasValue": lambda value: value.there,
    "value": lambda value: value.needed(),
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
