"""The fast code for strategic merge patches, which the engine runs.

`diff`, `merge`, `merge_lists` and `order` do plainly what the reference does. Only this module may repeat it for speed.
All code here gives exactly the result of the plain code or calls it; a test compares the two on all sorts of documents.
"""

from __future__ import annotations

from itertools import repeat

from ..directives import DELETE, ORDER, PATCH, RETAIN
from ..errors import MergeError
from ..tables.shapes import can_skip_equal
from ..values.plain import ABSENT, JSON_TYPES, SCALAR_TYPES, copied, no_fields, require_plain, same, same_types, text
from .diff import Diff
from .merge import Merge
from .order import by_order, by_text, interleaved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from ..tables.shapes import Field, Shape
    from ..values.plain import Object
    from .diff import Items, Pairs

    ByKey: TypeAlias = dict[Any, Any]

TEXT = {str}
PLAIN_KEYS = (TEXT, {int})
"""The types of merge keys that Python compares as the reference does: all strings, or all integers."""
NOTHING: Object = {}


class NotEveryday(Exception):
    """Documents that the fast code does not handle."""


class QuickDiff(Diff):
    """Skips equal values that cannot cause a patch, and compares keyed lists without sorting them."""

    __slots__ = ()

    def inside(self, key: str, old: Any, value: Any, shape: Shape, patch: Object) -> None:
        """Add to the patch what turns the old map or list of a field into the new one."""
        field = shape.fields.get(key)
        if field is None or not field.skip_equal or not _equal(old, value):
            super().inside(key, old, value, shape, patch)

    def lists(self, name: str, before: Items, after: Items, field: Field, patch: Object) -> None:
        """Add to the patch what turns the list `before` into `after`."""
        if not (before and field.merges and self._everyday(name, before, after, field, patch)):
            super().lists(name, before, after, field, patch)

    def _everyday(self, name: str, before: Items, after: Items, field: Field, patch: Object) -> bool:
        """The same for lists with plain keys that do not repeat; False for other lists."""
        key = field.merge_key
        try:
            olds = {item[key]: item for item in before}
            news = {item[key]: item for item in after}
        except (TypeError, LookupError):
            return False
        if len(olds) < len(before) or len(news) < len(after):
            return False
        if {*map(type, olds), *map(type, news)} not in PLAIN_KEYS:
            return False
        changed = self.changed(zip(map(olds.get, news), news.values(), strict=True), field)
        if any(PATCH in item for item in changed):
            changed = by_order(by_text(changed, key), after, key)
        if self.drops:
            gone = [value for value in olds if value not in news]
            changed += [{key: value, PATCH: DELETE} for value in sorted(gone, key=text)]
        if changed or (self.adds and [*olds] != [*news]):
            self.put(name, changed, after, key, patch)
        return True

    def changed(self, pairs: Pairs, field: Field) -> Items:
        """The part of the patch for each element that is new or changed."""
        if can_skip_equal(field.element):
            pairs = [(old, new) for old, new in pairs if old != new or not same_types(old, new, PATCH)]
        return super().changed(pairs, field)


def _equal(old: Any, new: Any) -> bool:
    """Whether two values are the same, without a `$patch` in any map, which counts even in equal values."""
    return old == new and same_types(old, new, PATCH)


TWO_WAY = QuickDiff(adds=True, drops=True, orders=True)
DELTA = QuickDiff(adds=True, drops=False, orders=True)
"""From the live object to the config; what only the live object has is kept."""
DELETIONS = QuickDiff(adds=False, drops=True, orders=True)
"""From the last applied config to the new config; only what was removed."""
CHANGES = QuickDiff(adds=True, drops=True, orders=False)
"""From the last applied config to the live object: the changes of other writers."""


class QuickMerge(Merge):
    """Merges keyed lists by dict lookups instead of searches."""

    __slots__ = ()

    def lists(self, live: Items, patch: Items, field: Field) -> Items:
        """A merging list after the patch."""
        found = self._everyday(live, patch, None, field) if live and patch else None
        return super().lists(live, patch, field) if found is None else found

    def in_order(self, live: Any, patch: Any, order: Items, field: Field) -> Any:
        """The same with the order of a directive; ABSENT if the list is in neither the object nor the patch."""
        found, given = None, [] if patch is ABSENT else patch
        if order and field.merges and live is not ABSENT and (live or given):
            found = self._everyday(live, given, order, field)
        return super().in_order(live, patch, order, field) if found is None else found

    def _everyday(self, live: Items, patch: Items, order: Items | None, field: Field) -> Items | None:
        """The merged list, in the given order, or else in the order of the patch.

        None if the plain code has to do it: a list repeats a key, keys are not plain, there is a directive other than
        `delete`, or two patches are combined.
        """
        key = field.merge_key
        if not key or not self.final:
            return None
        try:
            merged = {item[key]: item for item in live}
            news = {item[key]: item for item in patch}
            places = news if order is None else {item[key]: item for item in order}
        except (TypeError, LookupError):
            return None
        if len(merged) < len(live) or len(news) < len(patch) or (order is not None and len(places) < len(order)):
            return None
        if {*map(type, merged), *map(type, news), *map(type, places)} not in PLAIN_KEYS:
            return None
        gone = [name for name, item in news.items() if PATCH in item]
        if any(news[name][PATCH] != DELETE for name in gone) or any(PATCH in item for item in live):
            return None
        for name in gone:
            del news[name]
        rest = iter(places)
        if order is not None and not all(name in rest for name in news):
            return None  # the patch does not follow the given order
        gaps = sum(merged.pop(name, None) is not None for name in gone)
        left = list(merged)
        self._merge(merged, news, field)
        ours = [name for name in places if name in merged]
        if len(ours) < len(merged):
            ours = _between(ours, left, places, gaps if order is not None else 0)
        return [merged[name] for name in ours]

    def _merge(self, merged: ByKey, news: ByKey, field: Field) -> None:
        shape = field.element
        for name, item in news.items():
            old = merged.get(name)
            try:
                merged[name] = item if old is None else self.maps(old, item, shape)
            except MergeError as error:
                error.within(((field.merge_key, name),))
                raise


def _between(ours: Items, left: Items, places: ByKey, gaps: int) -> Items:
    """All keys in order: those of the patch, and between them those that only the live list has.

    New elements take the places of deleted ones: the reference reuses the storage of the live list (see merge_lists).
    """
    seats = dict.fromkeys(ours, -1)
    seats.update({name: seat for seat, name in enumerate(left)})
    fresh = [name for name in ours if seats[name] < 0]
    seats.update({name: len(left) + gap for gap, name in enumerate(fresh[:gaps])})
    return interleaved(ours, [name for name in left if name not in places], seats.__getitem__)


APPLY = QuickMerge(final=True)
COMBINE = QuickMerge(final=False)


def three_way(last: Object, config: Object, live: Object, shape: Shape) -> Object:
    """The patch that brings `live` to `config`, and removes what `last` had and `config` no longer has."""
    try:
        return quick_three_way(last, config, live, shape)
    except (NotEveryday, MergeError):  # the full one also finds the path of an error
        return full_three_way(last, config, live, shape)


def full_three_way(last: Object, config: Object, live: Object, shape: Shape) -> Object:
    """The three-way patch as the reference makes it: two comparisons, whose patches are combined."""
    delta = DELTA.maps(live, config, shape)
    return COMBINE.maps(DELETIONS.maps(last, config, shape), delta, shape)


def quick_three_way(  # noqa: C901, PLR0912 - one pass, in one function, for speed
    last: Object, config: Object, live: Object, shape: Shape, retains: bool = False
) -> Object:
    """The same in one pass over the config, for documents without directives and repeated keys, where live still has
    what was applied; NotEveryday for others."""
    if PATCH in config:
        raise NotEveryday
    patch: Object = {}
    fields = shape.fields
    for key, value in config.items():
        current = live.get(key, ABSENT)
        kind = type(value)
        if kind is str:
            if value != current:
                patch[key] = value
        elif kind is dict and type(current) is dict:
            field = fields.get(key)
            if field is None or field.faulty or field.replaces:
                raise NotEveryday
            old, skip_equal = last.get(key), field.skip_equal
            # If nothing was applied, or exactly this, then nothing was removed at any depth.
            if type(old) is not dict or (skip_equal and old == value):
                old = NOTHING if type(old) in JSON_TYPES else no_fields(old)
            if not (skip_equal and value == current and same_types(value, current, PATCH)):
                inner = quick_three_way(old, value, current, field.inside, field.retains)
            else:
                inner = DELETIONS.maps(old, value, field.inside, field.retains) if old else NOTHING
            if inner:
                patch[key] = inner
        elif kind is list and type(current) is list:
            _list(key, last.get(key), value, current, fields.get(key), patch)
        elif value != current or kind is not type(current) or kind not in SCALAR_TYPES:
            patch[key] = _added(value, last.get(key), current)
    if last or patch or retains:
        _add_deletions(last, config, live, patch, retains)
    return patch


def _add_deletions(last: Object, config: Object, live: Object, patch: Object, retains: bool) -> None:
    """Add deletions and `$retainKeys`; NotEveryday if a field of the documents looks like a directive."""
    if last and not last.keys() <= config.keys():
        patch.update(dict.fromkeys([key for key in last if key not in config]))
    if patch and min(patch) < "%":
        for key in patch:
            if key[:1] == "$" and (key in config or key in last):
                raise NotEveryday
    if retains and (patch or not live.keys() <= config.keys()):
        kept = sorted(key for key, value in config.items() if value is not None)
        if kept and (patch or any(value is not None and key not in config for key, value in live.items())):
            patch[RETAIN] = kept


def _added(value: Any, old: Any, current: Any = ABSENT) -> Any:
    """A copy of a value that live does not have, or has with another type."""
    kind, plain = type(value), type(old) in JSON_TYPES and type(current) in JSON_TYPES
    if kind is float:
        require_plain(current)
    if not plain or ((kind is dict or kind is list) and (type(old) is kind or _has_patch_directive(value))):
        raise NotEveryday
    return copied(value)


def _has_patch_directive(value: Any) -> bool:
    """Whether there is a `$patch` anywhere in the value."""
    if type(value) is dict:
        return PATCH in value or any(map(_has_patch_directive, value.values()))
    return type(value) is list and any(map(_has_patch_directive, value))


def _list(name: str, old: Any, value: Items, current: Items, field: Field | None, patch: Object) -> None:
    if field is None or field.faulty or not field.lists:
        raise NotEveryday
    key = field.merge_key
    if not field.merges:
        if not same(value, current):
            copied(current)  # refuses what is not plain, which differs from everything
            patch[name] = _added(value, None)
    elif not key or not current:
        _unkeyed(name, old, value, current, patch)
    elif not (value == current == old and _causes_no_patch(value, current, field)):
        changed, ordered = _elements(old, value, current, field)
        if changed:
            patch[name] = changed
        if value and (changed or not ordered):
            patch[f"{ORDER}/{name}"] = [{key: item[key]} for item in value]


def _causes_no_patch(value: Items, current: Items, field: Field) -> bool:
    """Whether a list that is equal in all documents causes no patch: its keys are strings and do not repeat."""
    if not (can_skip_equal(field.element) and same_types(value, current, PATCH)):
        return False
    try:
        names = [*map(field.key_of, value)]
    except (TypeError, LookupError):
        return False
    return {*map(type, names)} <= TEXT and len({*names}) == len(names)


def _unkeyed(name: str, old: Any, value: Items, current: Items, patch: Object) -> None:
    """Lists that are new, or sorted lists of strings that nobody has changed; NotEveryday for others."""
    applied = type(old) is list and len(old) > 0
    require_plain(old)
    if not current and not applied:
        if value:
            patch[name] = _added(value, None)
    elif value != current or (applied and old != value) or {*map(type, value)} != TEXT or sorted(value) != value:
        raise NotEveryday


def _elements(old: Any, value: Items, current: Items, field: Field) -> tuple[Items, bool]:
    """The changed elements of a keyed list, and whether live has the elements in the order of the config."""
    key, shape, retains = field.merge_key, field.element, field.retains
    if type(old) is not list:
        require_plain(old)
        old = []
    names, live_names, old_names = _keys(field, value, current, old)
    ordered, known = names == live_names, names == old_names
    skip_equal = can_skip_equal(shape)
    now: Iterable[Any] = current if ordered else map(dict(zip(live_names, current, strict=True)).get, names)
    before: Iterable[Any] = old
    if not known:
        before = map(dict(zip(old_names, old, strict=True)).get, names)
    elif skip_equal and old == value:
        before = repeat(None, len(names))  # nothing in them was removed, at any depth
    changed: Items = []
    for name, new, live, last in zip(names, value, now, before, strict=True):
        if live is None:
            changed.append(_added(new, last))
            continue
        if not (skip_equal and new == live and same_types(new, live, PATCH)):
            inner = quick_three_way(last or NOTHING, new, live, shape, retains)
        elif last is None or last == new:
            continue
        else:
            inner = DELETIONS.maps(last, new, shape, retains)
        if inner:
            inner[key] = name
            changed.append(inner)
    if not known:
        gone = {*old_names}.difference(names)
        changed += [{key: name, PATCH: DELETE} for name in sorted(gone, key=text)]
    return changed, ordered


def _keys(field: Field, value: Items, current: Items, old: Items) -> tuple[Items, Items, Items]:
    """The keys of the elements of the three lists; NotEveryday if they are not plain, or if a list repeats one."""
    key_of = field.key_of
    try:
        names, live_names, old_names = [*map(key_of, value)], [*map(key_of, current)], [*map(key_of, old)]
    except (TypeError, LookupError):
        raise NotEveryday from None
    kinds = {*map(type, names)}
    if not (kinds == TEXT and names == live_names == old_names):
        kinds |= {*map(type, live_names), *map(type, old_names)}
        if kinds not in PLAIN_KEYS or len({*live_names}) < len(live_names) or len({*old_names}) < len(old_names):
            raise NotEveryday
    if len({*names}) < len(names):
        raise NotEveryday
    return names, live_names, old_names
