"""When two values are equal, and which one comes first."""

from __future__ import annotations

import math
from typing import Any

from engine.values.plain import same

from .values import CelError, Duration, List, Map, NoOverload, Object, Optional, Time

NUMBERS = (int, float)


def is_number(value: Any) -> bool:
    """Whether a value is a number."""
    return isinstance(value, NUMBERS) and not isinstance(value, bool)


def equal(left: Any, right: Any) -> bool:
    """Whether two values are equal; sets and lists with keys may be in any order."""
    if type(left) is str:
        return type(right) is str and left == right
    if is_number(left) or is_number(right):
        return is_number(left) and is_number(right) and left == right
    if isinstance(left, (list, List)):
        return isinstance(right, (list, List)) and _lists(left, right)
    if isinstance(left, Object):
        return isinstance(right, Object) and _objects(left, right)
    if isinstance(left, (dict, Map)):
        return isinstance(right, (dict, Map)) and _maps(left, right)
    if isinstance(left, Optional):
        return isinstance(right, Optional) and left.there == right.there and equal(left.value, right.value)
    return type(left) is type(right) and bool(left == right)


def _lists(left: Any, right: Any) -> bool:
    if len(left) != len(right):
        return False
    if isinstance(left, List) and isinstance(right, List):
        if same(left.raw, right.raw):
            return True
        if left.kind == "map":
            mine, other = left.by_keys(), right.by_keys()
            inner = left.schema.items if left.schema is not None else None
            from .values import wrapped

            return mine.keys() == other.keys() and all(
                equal(wrapped(mine[key], inner), wrapped(other[key], inner)) for key in mine
            )
    if isinstance(left, List) and left.kind == "set":
        return all(contains(right, one) for one in left)
    return all(equal(one, other) for one, other in zip(left, right, strict=False))


def _objects(left: Object, right: Object) -> bool:
    if same(left.raw, right.raw):
        return True
    if left.raw.keys() != right.raw.keys():
        return False
    return all(equal(_inner(left, key), _inner(right, key)) for key in left.raw)


def _inner(of: Object, key: str) -> Any:
    from .values import wrapped

    return wrapped(of.raw[key], of.schema.field(key))


def _maps(left: Any, right: Any) -> bool:
    if len(left) != len(right):
        return False
    return all(key in right and equal(value_of(left, key), value_of(right, key)) for key in left)


def value_of(value: Any, key: Any) -> Any:
    """The value of a key in a map."""
    return value.get(key) if isinstance(value, Map) else value[key]


def contains(value: Any, item: Any) -> bool:
    """Whether a list has an element."""
    if type(item) is str and type(value) is list:
        return any(type(one) is str and one == item for one in value)
    return any(equal(one, item) for one in value)


def compared(left: Any, right: Any) -> int:
    """Less than zero if the first value comes first, zero if they are equal."""
    if is_number(left) and is_number(right):
        if math.isnan(left) or math.isnan(right):
            raise CelError("NaN values cannot be ordered")
    elif type(left) is not type(right) or not isinstance(left, (str, bytes, bool, Duration, Time)):
        raise NoOverload
    return int(left > right) - int(left < right)
