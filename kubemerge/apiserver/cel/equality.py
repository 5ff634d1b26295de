"""Equality and order of values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from engine.values.plain import same

from ..crd.ratcheting import key_of
from .meter import MAX_VALUES, TooExpensive
from .values import (
    GO_KINDS,
    LISTS,
    LITERALS,
    MAPS,
    CelError,
    Duration,
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
    key_in,
    unshared_size,
    value_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    Seen = dict[tuple[int, int], tuple[Any, Any]]

NUMBERS = (int, float)


def is_number(value: Any) -> bool:
    """Whether a value is a number."""
    return isinstance(value, NUMBERS) and not isinstance(value, bool)


def _as_go(one: Any, other: Any) -> Any:
    """A number as it is compared with another one: an integer becomes a double beside a double."""
    return float(one) if isinstance(other, float) else one


def equal(left: Any, right: Any, seen: Seen | None = None) -> bool:
    """Whether two values are equal. Sets and maps in list form may be in any order.

    `seen` are the equal lists and maps so far. An expression can nest one list in itself many times.
    """
    if type(left) is str:
        return type(right) is str and left == right
    if is_number(left) or is_number(right):
        return is_number(left) and is_number(right) and _as_go(left, right) == _as_go(right, left)
    if isinstance(left, LISTS):
        return isinstance(right, LISTS) and _once(_lists, left, right, seen)
    if isinstance(left, MAPS):
        return isinstance(right, MAPS) and _once(_maps, left, right, seen)
    if isinstance(left, Struct):
        return isinstance(right, Struct) and left.kind == right.kind and _once(_maps, left.fields, right.fields, seen)
    if isinstance(left, Optional):
        return isinstance(right, Optional) and left.there == right.there and equal(left.value, right.value, seen)
    return type(left) is type(right) and bool(left == right)


def _once(compare: Callable[[Any, Any, Seen], bool], left: Any, right: Any, seen: Seen | None) -> bool:
    """Compare two lists or maps of an expression once. Those of an object are different ones in each access."""
    seen = {} if seen is None else seen
    if not isinstance(left, LITERALS) or not isinstance(right, LITERALS):
        return compare(left, right, seen)
    pair = (id(left), id(right))
    if pair in seen:
        return True
    found = compare(left, right, seen)
    if found:
        seen[pair] = (left, right)  # kept, so that no other values get their ids
    return found


def cannot_compare(left: Any, right: Any) -> bool:
    """Whether a server has no comparison of these values."""
    kind = type(left)
    if kind is TypedMap:
        return not isinstance(right, MAPS) and right is not None
    return kind is TypedList and not isinstance(right, LISTS) and right is not None


def _same_part(left: Any, right: Any, seen: Seen) -> bool:
    """Whether elements of a list or values of a map are equal. If they cannot be compared, a server ignores them."""
    return equal(left, right, seen) or cannot_compare(left, right)


def _lists(left: Any, right: Any, seen: Seen) -> bool:
    if len(left) != len(right):
        return False
    if is_set(left):
        return {set_key(one) for one in left} == {set_key(one) for one in right}
    if isinstance(left, List):
        if isinstance(right, List) and left.schema is right.schema and same(left.raw, right.raw):
            return True
        if left.kind == "map" and left.schema is not None:
            return _by_keys(left, right)
    same_part = equal if type(left) is TypedList else _same_part
    return all(same_part(one, other, seen) for one, other in zip(left, right, strict=False))


def is_set(value: Any) -> bool:
    """Whether a value is a list of type `set`, or a union with one."""
    return type(value) is SetList or (type(value) is List and value.kind == "set")


def are_comparable(left: Any, right: Any) -> bool:
    """Whether a server compares two values. Those of Kubernetes' types are only compared with values of their type."""
    if left is None or right is None:
        return True
    if isinstance(left, (List, SetList)):
        return isinstance(right, LISTS)
    if isinstance(left, (Map, Object)):
        return isinstance(right, MAPS)
    return getattr(left, "kind", None) not in GO_KINDS or type(left) is type(right)


def _by_keys(left: List, right: Any) -> bool:
    keys = left.schema.map_keys if left.schema is not None else ()
    mine = {_map_key(one, keys): one for one in left}
    other = {_map_key(one, keys): one for one in right}
    return mine.keys() == other.keys() and all(equal(mine[key], other[key]) for key in mine)


def _map_key(value: Any, keys: tuple[str, ...]) -> Any:
    return key_of(value.raw, keys) if isinstance(value, (Object, Map)) else set_key(value)


def set_key(value: Any) -> Any:
    """Return a hashable form of a set element. Raise TooExpensive if it is too large."""
    if isinstance(value, LITERALS) and unshared_size(value) > MAX_VALUES:
        raise TooExpensive
    return _set_key(value)


def _set_key(value: Any) -> Any:
    if isinstance(value, Object):
        return (Object, tuple(sorted((key, _set_key(value.get(key))) for key in value)))
    if isinstance(value, MAPS):
        return (Map, tuple(sorted((str(key), _set_key(value_at(value, key))) for key in value)))
    if isinstance(value, LISTS):
        return (List, tuple([_set_key(one) for one in value]))
    return (float, value) if is_number(value) else (type(value), value)


def _maps(left: Any, right: Any, seen: Seen) -> bool:
    if len(left) != len(right):
        return False
    if isinstance(left, Object) and isinstance(right, Object):
        return (left.schema is right.schema and same(left.raw, right.raw)) or _objects(left, right)
    same_part = equal if type(left) is TypedMap else _same_part
    for key in left:
        if isinstance(right, dict):
            known = key_in(right, key)
            if known is None or not same_part(value_at(left, key), right[known.value], seen):
                return False
        elif not _has(right, key) or not same_part(value_at(left, key), right.get(key), seen):
            return False
    return True


def _has(of: Any, key: Any) -> bool:
    if isinstance(of, Object):
        return isinstance(key, str) and of.has(key)
    return key in of


def _objects(left: Object, right: Object) -> bool:
    known = [key for key in left if left.has(key) or right.has(key)]
    if not all(left.has(key) and right.has(key) and equal(left.get(key), right.get(key)) for key in known):
        return False
    rest = [key for key in left.raw if left.schema.field(key) is None]
    return all(key not in right.raw or same(left.raw[key], right.raw[key]) for key in rest)


def contains(value: Any, item: Any) -> bool:
    """Whether a list contains an element."""
    if type(item) is str:
        if type(value) is List and value.holds_texts:
            return item in value.raw
        return any(type(one) is str and one == item for one in value)
    return any(equal(one, item) for one in value)


def compared(left: Any, right: Any) -> int:
    """Return a negative number if the first value is smaller, 0 if they are equal."""
    if isinstance(left, float) and math.isnan(left):
        raise CelError("NaN values cannot be ordered")
    if is_number(left) and is_number(right):
        if math.isnan(right):
            raise CelError("NaN values cannot be ordered")
        left, right = _as_go(left, right), _as_go(right, left)
    elif type(left) is not type(right) or not isinstance(left, (str, bytes, bool, Duration, Time)):
        raise NoOverload
    return int(left > right) - int(left < right)
