"""What makes one list into another: elements by key, scalars by value, and everything else as a whole."""

from __future__ import annotations

from ..directives import DELETE, ORDER, PATCH, REMOVE
from ..errors import MergeError
from ..tables.shapes import is_quiet
from ..values.plain import copied, same, same_scalar, settled, text
from .order import by_order, by_text, deduplicate, element_type, require_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from ..tables.shapes import Field
    from ..values.plain import Object
    from .diff import Diff

    Items: TypeAlias = list[Any]
    Pairs: TypeAlias = Iterable[tuple[Any, Any]]
    """Elements before (None for a new one) and after."""


def diff_list(diff: Diff, name: str, before: Items, after: Items, field: Field, patch: Object) -> None:
    """Puts into the patch what makes the list `before` into `after`."""
    if not field.merges or not before:
        if diff.adds and (after if field.merges else not same(before, after)):
            patch[name] = copied(after)
    elif not _distinct(diff, name, before, after, field, patch):
        if element_type(before, after) is dict:
            _any_maps(diff, name, before, after, field, patch)
        else:
            _scalars(diff, name, before, after, patch)


def _distinct(diff: Diff, name: str, before: Items, after: Items, field: Field, patch: Object) -> bool:
    """The everyday case of keyed lists, without sorting; False if this is none.

    That is one where no list repeats a key, and the keys are all strings, or all integers.
    """
    key = field.merge_key
    try:
        olds = {item[key]: item for item in before}
        news = {item[key]: item for item in after}
    except (TypeError, KeyError, IndexError):
        return False
    if len(olds) < len(before) or len(news) < len(after) or {*map(type, olds), *map(type, news)} not in _PLAIN_KEYS:
        return False
    changed = _changed(diff, zip(map(olds.get, news), news.values(), strict=True), field)
    if any(PATCH in item for item in changed):
        changed = by_order(by_text(changed, key), after, key)
    if diff.drops:
        gone = [value for value in olds if value not in news]
        changed += [{key: value, PATCH: DELETE} for value in sorted(gone, key=text)]
    if changed or (diff.adds and [*olds] != [*news]):
        _put(diff, name, changed, after, key, patch)
    return True


_PLAIN_KEYS = ({str}, {int})


def _any_maps(diff: Diff, name: str, before: Items, after: Items, field: Field, patch: Object) -> None:
    """The difference of keyed lists in general: elements are paired by the text of their keys, in the order of it."""
    key = field.merge_key
    require_key(key, before, after)
    pairs, gone = _paired(by_text(before, key), by_text(after, key), key)
    changed = by_order(_changed(diff, pairs, field), after, key)
    in_order = len(before) == len(after) and all(
        same_scalar(old[key], new[key]) for old, new in zip(before, after, strict=True)
    )
    if diff.drops:
        changed += [{key: copied(item[key]), PATCH: DELETE} for item in gone]
    if changed or (diff.adds and not in_order):
        _put(diff, name, changed, after, key, patch)


def _paired(before: Items, after: Items, key: str) -> tuple[list[tuple[Any, Any]], Items]:
    """Pairs of sorted elements, one by one where a key is repeated; and the elements that are gone."""
    pairs, gone, at = [], [], 0
    for new in after:
        new_text = text(new[key])
        while at < len(before) and text(before[at][key]) < new_text:
            gone.append(before[at])
            at += 1
        if at < len(before) and text(before[at][key]) == new_text:
            pairs.append((before[at], new))
            at += 1
        else:
            pairs.append((None, new))
    return pairs, gone + before[at:]


def _changed(diff: Diff, pairs: Pairs, field: Field) -> Items:
    """What the patch says of each element that is new or changed."""
    changed: Items = []
    adds, key, shape, retains = diff.adds, field.merge_key, field.element, field.retains
    quiet = is_quiet(shape)
    for old, new in pairs:
        if old is None:
            if adds:
                changed.append(copied(new))
        elif not (quiet and old == new and settled(old, new)):
            try:
                inner = diff.maps(old, new, shape, retains)
            except MergeError as error:
                error.within(((key, new[key]),))
                raise
            if inner:
                inner[key] = copied(new[key])
                changed.append(inner)
    return changed


def _put(diff: Diff, name: str, changed: Items, after: Items, key: str, patch: Object) -> None:
    if changed:
        patch[name] = changed
    if diff.orders and after:
        patch[f"{ORDER}/{name}"] = [{key: copied(item[key])} for item in after]


def _scalars(diff: Diff, name: str, before: Items, after: Items, patch: Object) -> None:
    """The difference of lists of scalars, which the reference sorts as text before it looks at them."""
    olds, news = sorted(before, key=text), sorted(after, key=text)
    added, gone = _counted(olds, news)
    if diff.adds and added:
        patch[name] = by_order(added, after, None)
    if diff.drops and gone:
        del gone[deduplicate(gone) :]
        patch[f"{REMOVE}/{name}"] = gone
    # The reference has sorted the list `before` in place by now: it compares that one with the unsorted `after`.
    if diff.orders and after and ((diff.drops and gone) or (diff.adds and olds != after)):
        patch[f"{ORDER}/{name}"] = copied(after)


def _counted(before: Items, after: Items) -> tuple[Items, Items]:
    """The scalars that are only in the one or the other of two sorted lists, each as often as it is there more."""
    added, gone, at = [], [], 0
    for new in after:
        while at < len(before) and text(before[at]) < text(new):
            gone.append(before[at])
            at += 1
        if at < len(before) and text(before[at]) == text(new):
            at += 1
        else:
            added.append(new)
    return added, gone + before[at:]
