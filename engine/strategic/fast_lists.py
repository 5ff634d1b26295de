"""Keyed lists of a patch in those of an object, where no list repeats a key: the everyday case, without searches.

It comes to what merge_lists does, with the trace that the storage of the live list leaves in the order: an element
that is new sits where the place of one that is deleted was, as long as there are any.
"""

from __future__ import annotations

from ..directives import DELETE, PATCH
from ..errors import MergeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ..tables.shapes import Field
    from .merge import Merge

    Items: TypeAlias = list[Any]
    ByKey: TypeAlias = dict[Any, Any]

_PLAIN = ({str}, {int})


def woven(merge: Merge, live: Items, patch: Items, order: Items | None, field: Field) -> Items | None:
    """The merged list, in the order that is given, else in that of the patch; None if this is not the everyday case."""
    key = field.merge_key
    try:
        merged = {item[key]: item for item in live}
        news = {item[key]: item for item in patch}
        places = news if order is None else {item[key]: item for item in order}
    except (TypeError, LookupError):
        return None
    repeated = len(merged) < len(live) or len(news) < len(patch) or (order is not None and len(places) < len(order))
    if repeated or {*map(type, merged), *map(type, news), *map(type, places)} not in _PLAIN:
        return None
    gone = [name for name, item in news.items() if PATCH in item]
    if any(news[name][PATCH] != DELETE for name in gone) or any(PATCH in item for item in live):
        return None
    for name in gone:
        del news[name]
    if order is not None and not _follow(news, places):
        return None
    gaps = sum(merged.pop(name, None) is not None for name in gone)
    left = list(merged)
    _merge(merge, merged, news, field)
    ours = [name for name in places if name in merged]
    if len(ours) < len(merged):
        ours = _between(ours, left, places, gaps if order is not None else 0)
    return [merged[name] for name in ours]


def _follow(news: ByKey, places: ByKey) -> bool:
    """Whether the elements stand in the order that is given."""
    rest = iter(places)
    return all(name in rest for name in news)


def _merge(merge: Merge, merged: ByKey, news: ByKey, field: Field) -> None:
    shape = field.element
    for name, item in news.items():
        old = merged.get(name)
        try:
            merged[name] = item if old is None else merge.maps(old, item, shape)
        except MergeError as error:
            error.within(((field.merge_key, name),))
            raise


def _between(ours: Items, left: Items, places: ByKey, gaps: int) -> Items:
    """All keys: those that only the live list has go before the first of the others that stands behind them there."""
    seats = {name: seat for seat, name in enumerate(left)}
    fresh = [name for name in ours if name not in seats]
    seats.update({name: len(left) + gap for gap, name in enumerate(fresh[:gaps])})
    theirs = [name for name in left if name not in places]
    result: Items = []
    at = 0
    for name in ours:
        seat = seats.get(name, -1)
        while at < len(theirs) and seats[theirs[at]] < seat:
            result.append(theirs[at])
            at += 1
        result.append(name)
    return result + theirs[at:]
