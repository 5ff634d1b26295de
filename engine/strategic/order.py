"""The order of a merged list: the reference's sorting, and the interleaving of two lists.

`key` is the field that identifies an element, or None if the elements are scalars, which identify themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from heapq import heappop, heappush

from ..directives import DELETE, PATCH
from ..errors import BadMergeKey, MissingMergeKey, MixedElements, NotJson
from ..values.plain import ABSENT, JSON_TYPES, KIND_NAMES, NULL, identity, kind_name, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def element_type(*lists: list[Any]) -> type:
    """The type of all elements; an error for several types, for no elements, and for lists and nulls."""
    types = {type(item) for items in lists for item in items}
    if len(types) == 1:
        found = types.pop()
        if found not in JSON_TYPES:
            raise NotJson(found, f"a Python {found.__name__} is not a JSON value")
        if found is not list and found is not NULL:
            return found
        raise MixedElements([KIND_NAMES.get(found, "null")], crashes=found is NULL)
    first = next((item for items in lists for item in items), ABSENT)
    kinds = sorted({kind_name(item) for items in lists for item in items})
    raise MixedElements(kinds, crashes=first is None, lists=lists if len(types) > 1 else ())


def require_key(key: str, *lists: Iterable[Any]) -> None:
    """Raise an error for lists with an element that lacks its merge key."""
    for items in lists:
        for item in items:
            if type(item) is not dict or key not in item:
                raise MissingMergeKey(key, item)


def sort_by_text(items: list[Any], key: str) -> list[Any]:
    """The elements sorted by the text of their key. As in the reference, equal ones end up reversed."""
    backwards = items[::-1]
    return sorted(backwards, key=lambda item: text(item[key]))


class Positions:
    """The first position of each element in a list, by its identity."""

    __slots__ = ("_found", "_key", "_unhashable")

    def __init__(self, items: list[Any], key: str | None) -> None:
        self._found: dict[Any, int] = {}
        self._unhashable: set[type] = set()
        self._key = key
        for place, item in enumerate(items):
            if key is None or key in item:
                self.add(item, place)

    def add(self, item: Any, place: int) -> None:
        """Add an element; the first of equal elements counts."""
        value = item if self._key is None else item[self._key]
        kind = type(value)
        if kind is str:
            self._found.setdefault(value, place)
        elif kind is dict or kind is list:
            self._unhashable.add(kind)
        else:
            self._found.setdefault(identity(value), place)

    def of(self, item: Any) -> int:
        """The position of an element, or -1."""
        value = item if self._key is None else item[self._key]
        kind = type(value)
        if kind is str:
            return self._found.get(value, -1)
        if kind is dict or kind is list:
            if kind in self._unhashable:
                raise BadMergeKey(value)
            return -1
        return self._found.get(identity(value), -1)


def sort_by_order(items: list[Any], order: list[Any], key: str | None) -> list[Any]:
    """The elements in the order of `order`; those with `$patch: delete` last."""
    kept, deletes = items, []
    if key is not None:
        require_key(key, items, order)
        kept = [item for item in items if item.get(PATCH) != DELETE]
        if len(kept) < len(items):
            deletes = [item for item in items if item.get(PATCH) == DELETE]
    if len(kept) > 1:
        positions = Positions(order, key)
        places = [positions.of(item) for item in kept]
        if min(places) < 0:
            kept = _with_unplaced(kept, places)
        elif places != sorted(places):
            kept = [item for _, item in sorted(zip(places, kept, strict=True), key=lambda pair: pair[0])]
    return kept + deletes


def _with_unplaced(items: list[Any], places: list[int]) -> list[Any]:
    """The insertion sort of the reference if some elements have no position.

    An element without a position moves before all others. One with a position moves left to the last element with a
    smaller or equal position, past those without any.
    """
    found: list[Any] = []
    positions: list[int] = []
    behind: list[list[Any]] = [
        []
    ]  # the elements without a position at the beginning and after each other element, reversed
    for place, item in zip(places, items, strict=True):
        if place < 0:
            behind[0].append(item)
        else:
            at = bisect_right(positions, place)
            positions.insert(at, place)
            found.insert(at, item)
            behind.insert(at, [])
    result = behind[0][::-1]
    for item, others in zip(found, behind[1:], strict=True):
        result += [item, *others[::-1]]
    return result


def merge_order(ours: list[Any], theirs: list[Any], order: list[Any], live: list[Any], key: str | None) -> list[Any]:
    """One list of the elements of a patch, in its order, and of those that only the live list has."""
    ours, theirs = sort_by_order(ours, order, key), sort_by_order(theirs, live, key)
    if not theirs or not ours:
        return theirs or ours
    return interleave(ours, theirs, Positions(live, key).of)


def interleave(ours: list[Any], theirs: list[Any], position: Callable[[Any], int]) -> list[Any]:
    """One list from two: each element of `theirs` precedes the first of `ours` that follows it in the live list.

    `position` gives the position of an element in the live list, or -1.
    """
    result: list[Any] = []
    at = 0
    for item in ours:
        while at < len(theirs):
            their, here = position(theirs[at]), position(item)
            if not 0 <= their < here:
                break
            result.append(theirs[at])
            at += 1
        result.append(item)
    return result + theirs[at:]


def partition(items: list[Any], listed: list[Any], key: str | None) -> tuple[list[Any], list[Any]]:
    """The elements that are in `listed`, and the others."""
    if key is None:
        known = {identity(item) for item in listed}
        is_listed = [identity(item) in known for item in items]
    else:
        require_key(key, items)
        positions = Positions(_maps(listed), key)
        is_listed = [positions.of(item) >= 0 for item in items]
    ours = [item for item, found in zip(items, is_listed, strict=True) if found]
    theirs = [item for item, found in zip(items, is_listed, strict=True) if not found]
    return ours, theirs


def _maps(items: list[Any]) -> list[Any]:
    if not all(type(item) is dict for item in items):
        raise MixedElements(sorted({kind_name(item) for item in items}))
    return items


def deduplicate(items: list[Any]) -> int:
    """Remove repeated scalars in place as the reference does, by moving the last one into each gap; return the new end.

    Beyond the new end the list keeps its old content. All scalars have one type.
    """
    end = len(items)
    if len(set(items)) == end:
        return end
    places: dict[Any, list[int]] = {}
    for at, item in enumerate(items):
        places.setdefault(item, []).append(at)
    for at, item in enumerate(items):
        if at >= end:
            break
        others = places[item]  # a heap: sorted at first, and moved items are pushed
        heappop(others)
        while others and others[0] < end:
            gap = heappop(others)
            end -= 1
            if gap < end:
                items[gap] = items[end]
                heappush(places[items[end]], gap)
    return end
