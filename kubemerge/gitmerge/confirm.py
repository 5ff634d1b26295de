"""Check a clean line merge: its values must be a merge of the values of base, ours and theirs.

The merge by field reports a conflict if it cannot match the elements of two lists, because they have no keys or one
side changed a key. If git then merges the lines without a conflict, and no change is lost, added or moved to another
element, the line merge is the result.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from codegen.documents.problems import BadDocument
from codegen.documents.reader import read
from engine.values.plain import same

from .order import aligned, chosen_side, has_moved_changes
from .rules import Place, identity, object_identity, typed

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from .rules import Lookup

_ABSENT = object()


def is_merge(found: bytes, versions: Sequence[bytes], lookup: Lookup) -> bool:
    """Whether the values of a text are a merge of those of base, ours and theirs."""
    try:
        files = [[value for _, value in read(data) if value is not None] for data in (*versions, found)]
    except BadDocument:
        return False
    sides = [_by_identity(documents) for documents in files]
    if all(len(documents) == 1 for documents in files):
        sides = [{"": documents[0]} for documents in files]
    known = [side for side in sides if side is not None]
    if len(known) < len(sides):
        return False
    return _elements_agree(known, lambda document: Place.of(document, lookup), lookup)


def _elements_agree(sides: Sequence[dict[Any, Any]], place_of: Callable[[Any], Place], lookup: Lookup) -> bool:
    """Whether the last of four lists or files is the merge of the first three. Elements are matched by key."""
    sides = _as_renamed(sides)
    keys = {key: None for side in sides for key in side}
    return all(_agree([side.get(key, _ABSENT) for side in sides], place_of(_any(sides, key)), lookup) for key in keys)


def _as_renamed(sides: Sequence[dict[Any, Any]]) -> Sequence[dict[Any, Any]]:
    """The elements, with the new key in all versions if one side changed the key of a single element."""
    base, ours, theirs, found = sides
    for side, other in ((ours, theirs), (theirs, ours)):
        added = [*(side.keys() - base.keys())]
        gone = [key for key in base.keys() - side.keys() if key in other and not same(base[key], other[key])]
        if len(gone) == len(added) == 1 and gone[0] not in found and added[0] not in other:
            old, new = gone[0], added[0]
            return [{new if key == old else key: value for key, value in one.items()} for one in sides]
    return sides


def _by_identity(documents: Sequence[Any]) -> dict[Any, Any] | None:
    """Documents by identity. None if it is not unique."""
    keys = [typed(object_identity(document)) for document in documents]
    return None if None in keys or len(set(keys)) < len(keys) else dict(zip(keys, documents, strict=True))


def _any(sides: Sequence[dict[Any, Any]], key: Any) -> Any:
    return next(side[key] for side in sides if key in side)


def _agree(values: Sequence[Any], place: Place, lookup: Lookup) -> bool:
    """Whether the last of four values is the merge of base, ours and theirs."""
    base, ours, theirs, found = values
    if _same(theirs, ours) or _same(theirs, base):
        return _same(found, ours)
    if _same(ours, base):
        return _same(found, theirs)
    if all(isinstance(value, dict) for value in values):
        keys = {key: None for value in values for key in value}
        return all(_agree([value.get(key, _ABSENT) for value in values], place.child(key), lookup) for key in keys)
    if all(isinstance(value, list) for value in values):
        return _lists_agree(values, place, lookup)
    return all(isinstance(value, str) for value in values) and _texts_agree(values)


def _same(one: Any, other: Any) -> bool:
    return one is other or (_ABSENT not in (one, other) and same(one, other))


def _lists_agree(lists: Sequence[list[Any]], place: Place, lookup: Lookup) -> bool:
    """Whether the last of four lists is a merge."""
    keys = place.keys(lists)
    if keys is None:
        return _regions_agree(lists) or _elements_without_keys_agree(lists, place, lookup)
    sides = [{typed(identity(value, keys)): value for value in one} for one in lists]
    base, ours, theirs, _ = sides
    if place.is_ordered(lists) and ours.keys() - base.keys() and theirs.keys() - base.keys():
        return False
    return _elements_agree(sides, lambda element: place.element(element, lookup), lookup)


def _regions_agree(lists: Sequence[list[Any]]) -> bool:
    """Whether the last of four lists is a merge by regions of elements, each changed by at most one side."""
    texts = [[json.dumps(value, sort_keys=True) for value in one] for one in lists]
    return _lines_agree(texts) and not has_moved_changes(*texts[:3])


def _elements_without_keys_agree(lists: Sequence[list[Any]], place: Place, lookup: Lookup) -> bool:
    """Whether each element of the last of four lists is an addition, or the merge of one element of the base.

    Moved elements are never accepted, and neither are changes in an element that the other side removed or replaced.
    """
    origins = _Origins(lists[0])
    changed = [[origins.of(value) for value in one] for one in lists[:3]]
    added = {origin for one in changed for origin in one if isinstance(origin, str)}
    ids = [*changed, [origins.of_result(value, added) for value in lists[3]]]
    if any(None in one or len(set(one)) < len(one) for one in ids) or not _has_order(ids):
        return False
    sides = [dict(zip(one, values, strict=True)) for one, values in zip(ids, lists, strict=True)]
    keys = {key: None for side in sides for key in side}
    return all(
        _agree([side.get(key, _ABSENT) for side in sides], place.element(_any(sides, key), lookup), lookup)
        for key in keys
    )


def _has_order(ids: Sequence[Sequence[Any]]) -> bool:
    """Whether no list has moved elements, and each addition follows the same element of the base in the result."""
    _, ours, theirs, found = ids
    kept = {*found}
    places: list[dict[Any, float]] = []
    for side in (ours, theirs):
        last = -0.5
        found_at: dict[Any, float] = {}
        for origin in side:
            if isinstance(origin, int):
                if origin < last:
                    return False
                last = origin + 0.5
            found_at[origin] = origin if isinstance(origin, int) else last
        places.append(found_at)
        if [origin for origin in side if origin in kept] != [origin for origin in found if origin in found_at]:
            return False
    one, other = ({at for key, at in side.items() if isinstance(key, str)} for side in places)
    order = [(places[0] | places[1]).get(origin, -1) for origin in found]
    return not one & other and order == sorted(order)


class _Origins:
    """Matches elements with those of a base list, by values that no other element of the base has."""

    def __init__(self, base: Sequence[Any]) -> None:
        texts = [json.dumps(value, sort_keys=True) for value in base]
        leaves = [set(_leaves(value, ())) for value in base]
        counts = Counter(leaf for one in leaves for leaf in one)
        self._owners = {leaf: at for at, one in enumerate(leaves) for leaf in one if counts[leaf] == 1}
        self._own = Counter(self._owners.values())
        self._equal = {text: at for at, text in enumerate(texts)}
        self._repeated = {text for text, count in Counter(texts).items() if count > 1}

    def of(self, value: Any) -> int | str | None:
        """The position of an element in the base, or the text of a new element. None if it is ambiguous.

        If an element keeps at most half of the values that only it had, it counts as a new element.
        """
        text = json.dumps(value, sort_keys=True)
        if text in self._repeated:
            return None
        if text in self._equal:
            return self._equal[text]
        found = self._kept(value)
        if len(found) > 1:
            return None
        return next((at for at, count in found.items() if count * 2 > self._own[at]), text)

    def of_result(self, value: Any, added: Container[str]) -> int | str | None:
        """The same for an element of the result, in which both sides may have changed values."""
        text = json.dumps(value, sort_keys=True)
        if text in added:
            return text
        if text in self._equal:
            return self._equal[text]
        found = self._kept(value)
        return next(iter(found)) if len(found) == 1 else None

    def _kept(self, value: Any) -> Counter[int]:
        """The number of values that an element has from each element of the base."""
        return Counter(self._owners[leaf] for leaf in {*_leaves(value, ())} if leaf in self._owners)


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The scalars and empty collections in a value, with their fields."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _leaves(inner, path)
    else:
        yield path, json.dumps(value)


def _texts_agree(values: Sequence[str]) -> bool:
    """Whether the last of four texts is the merge of their lines."""
    return _lines_agree([value.split("\n") for value in values])


def _lines_agree(lines: Sequence[Sequence[str]]) -> bool:
    """Whether the last of four sequences has the changed regions of both sides."""
    *three, found = lines
    regions = aligned(*three)
    sides = [chosen_side(three, region) for region in regions or []]
    if regions is None or None in sides:
        return False
    merged = [three[side][slice(*region[side])] for side, region in zip(sides, regions, strict=True) if side]
    return [line for lines in merged for line in lines] == found
