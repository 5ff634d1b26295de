"""Compare the values of a clean line merge with those of the three versions.

The merge by field does not decide which elements of two lists belong together if they have no names, or if one side
renamed one. Where git merges the lines without a conflict, and the values show no lost or invented change, the line
merge is the result.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from codegen.documents.problems import BadDocument
from codegen.documents.reader import read
from engine.values.plain import same

from .order import aligned, chosen_side
from .rules import Place, identity, object_identity, typed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
    """Whether the elements of the last of four lists or files are the merge, by key."""
    sides = _as_renamed(sides)
    keys = {key: None for side in sides for key in side}
    return all(_agree([side.get(key, _ABSENT) for side in sides], place_of(_any(sides, key)), lookup) for key in keys)


def _as_renamed(sides: Sequence[dict[Any, Any]]) -> Sequence[dict[Any, Any]]:
    """The elements with the new key in all versions, if one side gave a single element another key."""
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
    """Whether the last of four lists is a merge: by key, or by position if no element is added or removed."""
    keys = place.keys(lists)
    if keys is None and len({len(one) for one in lists}) > 1:
        return _have_all_changes(lists)
    if keys is None:
        return all(_agree(four, place.element(four[1], lookup), lookup) for four in zip(*lists, strict=True))
    sides = [{typed(identity(value, keys)): value for value in one} for one in lists]
    base, ours, theirs, _ = sides
    if place.is_ordered(lists) and ours.keys() - base.keys() and theirs.keys() - base.keys():
        return False
    return _elements_agree(sides, lambda element: place.element(element, lookup), lookup)


def _have_all_changes(lists: Sequence[list[Any]]) -> bool:
    """Whether the last of four lists has each value that a side added or kept, as often as that, and no other."""
    base, ours, theirs, found = (Counter(_leaves(one, ())) for one in lists)
    keys = {*base, *ours, *theirs, *found}
    return all(found[key] == ours[key] + theirs[key] - base[key] for key in keys)


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
    *three, found = (value.split("\n") for value in values)
    regions = aligned(*three)
    sides = [chosen_side(three, region) for region in regions or []]
    if regions is None or None in sides:
        return False
    merged = [three[side][slice(*region[side])] for side, region in zip(sides, regions, strict=True) if side]
    return [line for lines in merged for line in lines] == found
