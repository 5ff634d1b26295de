"""Functions of lists and sets."""

from __future__ import annotations

from functools import cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..equality import compared, contains, equal
from ..operators import add
from ..values import CelError, Duration, NoOverload, Optional, Time, is_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..meter import Meter

COMPARABLE = (bool, int, float, str, bytes, Duration, Time)

MOST_IN_RANGE = 1_000_000
ELEMENT = 8
"""The size of a copied list's element, in characters."""


def _items(value: Any) -> list[Any]:
    if not is_list(value):
        raise NoOverload
    return [*value]


def _comparable(value: Any) -> list[Any]:
    """The elements of a list, each of which has an order."""
    found = _items(value)
    if not all(isinstance(one, COMPARABLE) for one in found):
        raise NoOverload
    return found


def _is_sorted(value: Any) -> bool:
    return all(_order(one, other) <= 0 for one, other in pairwise(_comparable(value)))


def _sum(value: Any) -> Any:
    found = _items(value)
    if not found:
        return 0
    if isinstance(found[0], bool) or not isinstance(found[0], (int, float, Duration)):
        raise NoOverload
    total = Duration(0) if isinstance(found[0], Duration) else type(found[0])(0)
    for one in found:
        try:
            total = add(total, one)
        except NoOverload as error:
            raise CelError(str(error)) from None
    return total


def _extreme(name: str, sign: int) -> Callable[[Any], Any]:
    def call(value: Any) -> Any:
        found = _comparable(value)
        if not found:
            raise CelError(f"{name} called on empty list")
        best = found[0]
        for one in found[1:]:
            if _order(one, best) * sign > 0:
                best = one
        return best

    return call


def _index_of(value: Any, item: Any) -> int:
    return next((place for place, one in enumerate(_items(value)) if equal(one, item)), -1)


def _last_index_of(value: Any, item: Any) -> int:
    found = _items(value)
    return next((place for place in reversed(range(len(found))) if equal(found[place], item)), -1)


def _slice(value: Any, start: int, end: int) -> list[Any]:
    found = _items(value)
    if start < 0 or end < 0:
        raise CelError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        raise CelError(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if end > len(found):
        raise CelError(f"cannot slice({start}, {end}), list is length {len(found)}")
    return found[start:end]


def _flatten(value: Any, level: int = 1, *, meter: Meter) -> list[Any]:
    if level < 0:
        raise CelError("level must be non-negative")
    found: list[Any] = []
    for one in value:
        if is_list(one) and level > 0:
            meter.reserve(ELEMENT * len(one))
            found.extend(_flatten(one, level - 1, meter=meter))
        else:
            found.append(one)
    return found


def sorted_by(pairs: list[tuple[Any, Any]]) -> list[Any]:
    """Return the second of each pair, sorted by the first."""
    kinds = {type(key) for key, _ in pairs}
    if pairs and not isinstance(pairs[0][0], COMPARABLE):
        raise CelError("list elements must be comparable")
    if len(kinds) > 1:
        raise CelError("list elements must have the same type")
    return [item for _, item in sorted(pairs, key=cmp_to_key(_by_first))]


def _by_first(one: tuple[Any, Any], other: tuple[Any, Any]) -> int:
    return _order(one[0], other[0])


def _order(one: Any, other: Any) -> int:
    """Less than zero if the first value comes first; zero if they cannot be compared."""
    try:
        return compared(one, other)
    except CelError:
        return 0


def _sort(value: Any) -> list[Any]:
    if not is_list(value):
        raise NoOverload("sort")
    return sorted_by([(one, one) for one in value])


def _sort_by_keys(value: Any, keys: Any) -> list[Any]:
    return sorted_by([*zip(keys, value, strict=True)])


def _distinct(value: Any) -> list[Any]:
    found: list[Any] = []
    for one in _items(value):
        if not contains(found, one):
            found.append(one)
    return found


def _range(size: int, *, meter: Meter) -> list[int]:
    if size < 0:
        raise CelError(f"lists.range: size must be non-negative, got {size}")
    if size > MOST_IN_RANGE:
        raise CelError(f"lists.range: size {size} exceeds maximum allowed ({MOST_IN_RANGE})")
    if size > meter.left:
        meter.spend(size + 11)
    return [*range(size)]


def _end(place: int) -> Callable[[Any], Optional]:
    def call(value: Any) -> Optional:
        found = _items(value)
        return Optional(found[place], there=True) if found else Optional()

    return call


def _holds_all(left: Any, right: Any) -> bool:
    mine = _items(left)
    return all(contains(mine, one) for one in _items(right))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "lists.range": _range,
    "sets.contains": _holds_all,
    "sets.equivalent": lambda left, right: _holds_all(left, right) and _holds_all(right, left),
    "sets.intersects": lambda left, right: any(contains(right, one) for one in _items(left)),
}
METHODS: dict[str, Callable[..., Any]] = {
    "isSorted": _is_sorted,
    "sum": _sum,
    "max": _extreme("max", 1),
    "min": _extreme("min", -1),
    "indexOf": _index_of,
    "lastIndexOf": _last_index_of,
    "slice": _slice,
    "flatten": _flatten,
    "sort": _sort,
    "@sortByAssociatedKeys": _sort_by_keys,
    "distinct": _distinct,
    "reverse": lambda value: _items(value)[::-1],
    "first": _end(0),
    "last": _end(-1),
}
METERED = (_range, _flatten)
