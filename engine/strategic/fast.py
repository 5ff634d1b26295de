"""The optimized code for strategic merge patches, which the engine runs.

The modules `diff`, `merge`, `merge_lists` and `order` are a plain port of the reference, called the plain code here.
Only this module and `one_pass` may duplicate it for speed. They give exactly its result, or call it. A test compares
both on many kinds of documents.
"""

from __future__ import annotations

from functools import lru_cache

from ..directives import DELETE, ORDER, PATCH
from ..errors import MergeError
from ..tables.behaviour import NEWEST
from ..tables.patch_schema import can_skip_equal
from ..values.plain import ABSENT, JSON_TYPES, same_types, text
from .diff import Diff
from .merge import Merge
from .order import interleave, sort_by_order, sort_by_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ..tables.behaviour import Behaviour
    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object
    from .diff import Items, Pairs

    ByKey: TypeAlias = dict[Any, Any]

ORDER_OF = f"{ORDER}/"
TEXT = {str}
PLAIN_KEYS = (TEXT, {int})
"""The types of merge keys that Python compares as the reference does: all strings, or all integers."""


class QuickDiff(Diff):
    """Skips equal values that cannot cause a patch, and compares keyed lists without sorting them."""

    __slots__ = ()

    def inside(self, key: str, old: Any, value: Any, schema: PatchSchema, patch: Object) -> None:
        """Compare the old and the new map or list of a field, and add the changes to the patch."""
        field = schema.fields.get(key)
        if field is None or not field.skip_equal or not _equal(old, value):
            super().inside(key, old, value, schema, patch)

    def lists(self, name: str, before: Items, after: Items, field: PatchMeta, patch: Object) -> None:
        """Compare the old and the new list, and add the changes to the patch."""
        if not (before and field.merges and self._by_key(name, before, after, field, patch)):
            super().lists(name, before, after, field, patch)

    def _by_key(self, name: str, before: Items, after: Items, field: PatchMeta, patch: Object) -> bool:
        """Do this for lists with plain, unique keys, and return True; return False for other lists."""
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
            changed = sort_by_order(sort_by_text(changed, key), after, key)
        if self.drops:
            deleted = [value for value in olds if value not in news]
            changed += [{key: value, PATCH: DELETE} for value in sorted(deleted, key=text)]
        if changed or (self.adds and [*olds] != [*news]):
            self.put(name, changed, after, key, patch)
        return True

    def changed(self, pairs: Pairs, field: PatchMeta) -> Items:
        """The part of the patch for each element that is new or changed."""
        if can_skip_equal(field.element):
            pairs = [(old, new) for old, new in pairs if old != new or not same_types(old, new, PATCH)]
        return super().changed(pairs, field)


def _equal(old: Any, new: Any) -> bool:
    """True if two values are equal and no map contains `$patch`, which has an effect even in equal values."""
    return old == new and same_types(old, new, PATCH)


TWO_WAY = QuickDiff(adds=True, drops=True, orders=True)
DELTA = QuickDiff(adds=True, drops=False, orders=True)
"""From the live object to the config, without deletions of live-only values."""
DELETIONS = QuickDiff(adds=False, drops=True, orders=True)
"""From the last applied config to the new config, deletions only."""
CHANGES = QuickDiff(adds=True, drops=True, orders=False)
"""From the last applied config to the live object: the changes of other writers."""


class QuickMerge(Merge):
    """Merges fields without directives in one loop, and keyed lists by dict lookups instead of searches."""

    __slots__ = ()

    def maps(self, base: Object, patch: Object, schema: PatchSchema) -> Object:
        """The object `base` after the patch."""
        result, rest = dict(base), patch
        if patch and min(patch) < "%":  # there may be directives: "$" sorts before "%"
            found = self._merge_ordered_lists(result, patch, schema)
            if found is None:
                return super().maps(base, patch, schema)
            rest = found
        fields = schema.fields
        for key, value in rest.items():
            kind, old = type(value), result.get(key, ABSENT)
            if kind is str and type(old) in JSON_TYPES:
                result[key] = value
                continue
            field = fields.get(key) if kind is dict and type(old) is dict else None
            if field is not None and field.of_maps[0]:
                try:
                    result[key] = self.maps(old, value, field.inside)
                except MergeError as error:
                    error.within(key)
                    raise
            else:
                self._field(result, key, value, schema)
        return result

    def _merge_ordered_lists(self, result: Object, patch: Object, schema: PatchSchema) -> Object | None:
        """Merge every list that has a `$setElementOrder`, and return the rest of the patch.

        None if the plain code is needed: there are other directives, or values that are not lists.
        """
        orders = [key for key in patch if key[:1] == "$"]
        if not orders:
            return patch
        if not self.final:
            return None
        rest = dict(patch)
        for key in sorted(orders):
            order, name = rest.pop(key), key[len(ORDER_OF) :]
            field = schema.fields.get(name)
            if key[: len(ORDER_OF)] != ORDER_OF or field is None or field.of_elements is None:
                return None
            live, changes = result.get(name, ABSENT), rest.pop(name, ABSENT)
            if (
                type(order) is not list
                or type(live) is not list
                or (type(changes) is not list and changes is not ABSENT)
            ):
                return None
            try:
                result[name] = self.in_order(live, changes, order, field)
            except MergeError as error:
                error.within(name)
                raise
        return rest

    def lists(self, live: Items, patch: Items, field: PatchMeta) -> Items:
        """A merging list after the patch."""
        found = self._merged_by_key(live, patch, None, field) if live and patch else None
        return super().lists(live, patch, field) if found is None else found

    def in_order(self, live: Any, patch: Any, order: Items, field: PatchMeta) -> Any:
        """A merging list in the order of its `$setElementOrder`; ABSENT if neither the object nor the patch has it."""
        found, given = None, [] if patch is ABSENT else patch
        if order and field.merges and live is not ABSENT and (live or given):
            found = self._merged_by_key(live, given, order, field)
        return super().in_order(live, patch, order, field) if found is None else found

    def _merged_by_key(self, live: Items, patch: Items, order: Items | None, field: PatchMeta) -> Items | None:
        """The merged list, in the given order, or without one in the patch's order.

        None if the plain code is needed: a list repeats a key, keys are not plain, there is a directive other than
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
        deleted = _take_deletions(live, news)
        if deleted is None or (order is not None and not _is_in_order(news, places)):
            return None
        gaps = 0
        for name in deleted:
            gaps += merged.pop(name, None) is not None
        left = list(merged)
        self._merge(merged, news, field)
        ours = [name for name in places if name in merged]
        if len(ours) < len(merged):
            ours = _interleave_gaps(ours, left, places, gaps if order is not None else 0)
        return [merged[name] for name in ours]

    def _merge(self, merged: ByKey, news: ByKey, field: PatchMeta) -> None:
        schema = field.element
        for name, item in news.items():
            old = merged.get(name)
            try:
                merged[name] = item if old is None else self.maps(old, item, schema)
            except MergeError as error:
                error.within(((field.merge_key, name),))
                raise


def _take_deletions(live: Items, news: ByKey) -> Items | None:
    """Remove the deleted elements from the patch, and return their keys; None if there are other directives."""
    for item in live:
        if PATCH in item:
            return None
    deleted = [name for name, item in news.items() if PATCH in item]
    for name in deleted:
        if news.pop(name)[PATCH] != DELETE:
            return None
    return deleted


def _is_in_order(news: ByKey, places: ByKey) -> bool:
    """True if the patch follows the given order."""
    rest = iter(places)
    for name in news:  # noqa: SIM110 - it is faster than a generator
        if name not in rest:
            return False
    return True


def _interleave_gaps(ours: Items, left: Items, places: ByKey, gaps: int) -> Items:
    """All keys in order: those of the patch, and between them those that only the live list has.

    New elements take the positions of deleted ones, since the reference reuses the memory of the live list (see
    merge_lists).
    """
    positions = dict.fromkeys(ours, -1)
    positions.update({name: position for position, name in enumerate(left)})
    added = [name for name in ours if positions[name] < 0]
    positions.update({name: len(left) + gap for gap, name in enumerate(added[:gaps])})
    return interleave(ours, [name for name in left if name not in places], positions.__getitem__)


@lru_cache(maxsize=64)
def merge_of(behaviour: Behaviour, *, final: bool) -> QuickMerge:
    """The merge of a release that applies a patch to an object (`final`) or combines two patches."""
    return QuickMerge(final=final, behaviour=behaviour)


APPLY = merge_of(NEWEST, final=True)
COMBINE = merge_of(NEWEST, final=False)


def apply_by(schema: PatchSchema) -> QuickMerge:
    """The merge that applies a patch to an object, as in the release of a schema."""
    behaviour = schema.behaviour
    return merge_of(behaviour, final=True) if behaviour else APPLY


def combine_by(schema: PatchSchema) -> QuickMerge:
    """The merge that combines two patches, as in the release of a schema."""
    behaviour = schema.behaviour
    return merge_of(behaviour, final=False) if behaviour else COMBINE
