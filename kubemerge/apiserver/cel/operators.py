"""Arithmetic and comparisons. Numbers must fit into 64 bits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..crd.ratcheting import key_of
from .equality import compared, is_set, set_key
from .language.tree import Uint
from .meter import MAX_VALUES, TooExpensive
from .values import CelError, Duration, Joined, List, NoOverload, SetList, Time, is_list

if TYPE_CHECKING:
    from collections.abc import Callable

INT64, UINT64 = 2**63, 2**64
SECOND = 10**9
FIRST_TIME, LAST_TIME = -62135596800 * SECOND, 253402300799 * SECOND + 999999999


def integer(value: int) -> int:
    """Return a signed 64-bit number."""
    if not -INT64 <= value < INT64:
        raise CelError("integer overflow")
    return value


def unsigned(value: int) -> Uint:
    """Return an unsigned 64-bit number."""
    if not 0 <= value < UINT64:
        raise CelError("unsigned integer overflow")
    return Uint(value)


def _time(nanos: int) -> Time:
    if not FIRST_TIME <= nanos <= LAST_TIME:
        raise CelError("timestamp overflow")
    return Time(nanos)


def _length(nanos: int) -> Duration:
    if not -INT64 <= nanos < INT64:
        raise CelError("integer overflow")
    return Duration(nanos)


def _numbers(left: Any, right: Any, work: Callable[[Any, Any], Any]) -> Any:
    """The result of an operation on two numbers of the same type."""
    kind = type(left)
    if kind is not type(right) or kind not in (int, Uint, float):
        raise NoOverload
    found = work(left, right)
    return found if kind is float else unsigned(found) if kind is Uint else integer(found)


def add(left: Any, right: Any) -> Any:
    """Return the sum or the concatenation. Sets and maps in list form get only missing elements."""
    kind = type(left)
    if kind in (str, bytes) and type(right) is kind:
        return left + right
    if is_list(left) and is_list(right):
        return _joined(left, right)
    if kind is Time and type(right) is Duration:
        return _time(left.nanos + right.nanos)
    if kind is Duration and type(right) is Time:
        return _time(left.nanos + right.nanos)
    if kind is Duration and type(right) is Duration:
        return _length(left.nanos + right.nanos)
    return _numbers(left, right, lambda one, other: one + other)


def _joined(left: Any, right: Any) -> Any:
    if is_set(left):
        known = {set_key(one) for one in left}
        return SetList([*left, *(one for one in right if set_key(one) not in known)])
    if isinstance(left, List) and left.kind == "map" and isinstance(right, List) and left.schema is not None:
        keys = left.schema.map_keys
        others = {key_of(one, keys): one for one in right.raw}
        kept = [others.pop(key_of(one, keys), one) for one in left.raw]
        return List([*kept, *others.values()], left.schema)
    if len(left) + len(right) > MAX_VALUES:  # a concatenation costs nothing
        raise TooExpensive
    return Joined(left, right)


def subtract(left: Any, right: Any) -> Any:
    """Return the difference."""
    if type(left) is Time and type(right) is Time:
        return _length(left.nanos - right.nanos)
    if type(left) is Time and type(right) is Duration:
        return _time(left.nanos - right.nanos)
    if type(left) is Duration and type(right) is Duration:
        return _length(left.nanos - right.nanos)
    return _numbers(left, right, lambda one, other: one - other)


def _divided(one: Any, other: Any) -> Any:
    if isinstance(one, float):
        if other:
            return one / other
        return math.nan if not one or math.isnan(one) else math.copysign(math.inf, one) * math.copysign(1, other)
    if not other:
        raise CelError("division by zero")
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def _rest(one: Any, other: Any) -> Any:
    if isinstance(one, float):
        raise NoOverload
    if not other:
        raise CelError("modulus by zero")
    if one == -INT64 and other == -1:
        raise CelError("integer overflow")
    found = abs(one) % abs(other)
    return found if one >= 0 else -found


def negated(value: Any) -> Any:
    """Return the negated number or duration."""
    if type(value) is Duration:
        return _length(-value.nanos)
    if type(value) not in (int, float):
        raise NoOverload
    return -value if isinstance(value, float) else integer(-value)


def _not(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NoOverload
    return not value


OPERATORS: dict[str, Callable[..., Any]] = {
    "_+_": add,
    "_-_": subtract,
    "_*_": lambda left, right: _numbers(left, right, lambda one, other: one * other),
    "_/_": lambda left, right: _numbers(left, right, _divided),
    "_%_": lambda left, right: _numbers(left, right, _rest),
    "-_": negated,
    "!_": _not,
    "_<_": lambda left, right: compared(left, right) < 0,
    "_<=_": lambda left, right: compared(left, right) <= 0,
    "_>_": lambda left, right: compared(left, right) > 0,
    "_>=_": lambda left, right: compared(left, right) >= 0,
}
