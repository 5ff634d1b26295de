"""Strategic merge patches from two objects, with the reference's differences."""

from __future__ import annotations

from ..directives import DELETE, ORDER, PATCH, REMOVE, RETAIN
from ..errors import BadDirective, MergeError, UnexpectedList, UnknownField
from ..values.plain import ABSENT, SCALAR_TYPES, copied, require_plain, same, same_scalar, text
from .order import deduplicate, element_type, require_key, sort_by_order, sort_by_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object

    Items: TypeAlias = list[Any]
    Pairs: TypeAlias = Iterable[tuple[Any, Any]]
    """Pairs of elements: before (None for a new element) and after."""


class Diff:
    """Options of a comparison: the kinds of differences that go into the patch. Immutable.

    adds     additions and changes
    drops    removals
    orders   directives for the order of lists
    """

    __slots__ = ("adds", "drops", "orders")

    def __init__(self, *, adds: bool, drops: bool, orders: bool) -> None:
        self.adds, self.drops, self.orders = adds, drops, orders

    def maps(self, before: Object, after: Object, schema: PatchSchema, retains: bool = False) -> Object:
        """The patch from `before` to `after`. It shares nothing mutable with them."""
        patch: Object = {}
        for key, value in after.items():
            old = before.get(key, ABSENT)
            kind = type(value)
            if kind is not type(old) or key == PATCH:
                self._new_or_retyped(key, old, value, patch)
            elif kind is dict or kind is list:
                try:
                    self.inside(key, old, value, schema, patch)
                except MergeError as error:
                    error.within(key)
                    raise
            elif value != old or kind not in SCALAR_TYPES:
                new = copied(value)
                if self.adds:
                    patch[key] = new
        if self.drops:
            patch.update(dict.fromkeys([key for key in before if key not in after]))
        if retains:
            _retain(before, after, patch)
        if patch:
            "".join(patch)  # a TypeError if a key is not a string; see guard
        return patch

    def _new_or_retyped(self, key: str, old: Any, value: Any, patch: Object) -> None:
        """A field that was missing or had a value of another type, or a `$patch` directive."""
        if old is not ABSENT:
            require_plain(old, value)
        if old is ABSENT or key != PATCH:
            if self.adds:
                patch[key] = copied(value)
        elif type(old) is not str or type(value) is not str:
            raise BadDirective(PATCH, "must be a string on both sides. Remove it from the objects").within(PATCH)
        elif old != value:
            patch[key] = value

    def inside(self, key: str, old: Any, value: Any, schema: PatchSchema, patch: Object) -> None:
        """Compare the old and the new map or list of a field, and add the changes to the patch."""
        try:
            field = schema.list_field(key) if type(value) is list else schema.field(key)
        except (UnknownField, UnexpectedList):
            if same(old, value):
                return
            raise
        if type(value) is list:
            self.lists(key, old, value, field, patch)
        elif not field.replaces:
            inner = self.maps(old, value, field.inside, field.retains)
            if inner:
                patch[key] = inner
        elif self.adds:
            patch[key] = copied(value)  # not compared with the old value, as in the reference

    def lists(self, name: str, before: Items, after: Items, field: PatchMeta, patch: Object) -> None:
        """Compare the old and the new list, and add the changes to the patch."""
        if not field.merges or not before:
            if self.adds and (after if field.merges else not same(before, after)):
                copied(before)  # raises an error for values that are not plain
                patch[name] = copied(after)
        elif element_type(before, after) is dict:
            self._keyed(name, before, after, field, patch)
        else:
            self._scalars(name, before, after, patch)

    def _keyed(self, name: str, before: Items, after: Items, field: PatchMeta, patch: Object) -> None:
        """The difference of keyed lists: elements are sorted and paired by the text of their keys."""
        key = field.merge_key
        require_key(key, before, after)
        pairs, gone = _pair(sort_by_text(before, key), sort_by_text(after, key), key)
        changed = sort_by_order(self.changed(pairs, field), after, key)
        in_order = len(before) == len(after) and all(
            same_scalar(old[key], new[key]) for old, new in zip(before, after, strict=True)
        )
        if self.drops:
            changed += [{key: copied(item[key]), PATCH: DELETE} for item in gone]
        if changed or (self.adds and not in_order):
            self.put(name, changed, after, key, patch)

    def changed(self, pairs: Pairs, field: PatchMeta) -> Items:
        """The part of the patch for each element that is new or changed."""
        changed: Items = []
        key = field.merge_key
        for old, new in pairs:
            if old is None:
                if self.adds:
                    changed.append(copied(new))
                continue
            try:
                inner = self.maps(old, new, field.element, field.retains)
            except MergeError as error:
                error.within(((key, new[key]),))
                raise
            if inner:
                inner[key] = copied(new[key])
                changed.append(inner)
        return changed

    def put(self, name: str, changed: Items, after: Items, key: str, patch: Object) -> None:
        """Add the changed elements and the order of all elements to the patch."""
        if changed:
            patch[name] = changed
        if self.orders and after:
            patch[f"{ORDER}/{name}"] = [{key: copied(item[key])} for item in after]

    def _scalars(self, name: str, before: Items, after: Items, patch: Object) -> None:
        """The difference of lists of scalars, which the reference sorts as text before it compares them."""
        olds, news = sorted(before, key=text), sorted(after, key=text)
        added, gone = _added_and_removed(olds, news)
        if self.adds and added:
            patch[name] = sort_by_order(added, after, None)
        if self.drops and gone:
            del gone[deduplicate(gone) :]
            patch[f"{REMOVE}/{name}"] = gone
        # By now the reference has sorted `before` in place, and compares that with the unsorted `after`.
        if self.orders and after and ((self.drops and gone) or (self.adds and olds != after)):
            patch[f"{ORDER}/{name}"] = copied(after)


def _retain(before: Object, after: Object, patch: Object) -> None:
    """Add `$retainKeys` to the patch, if anything changes or must be removed."""
    kept = sorted(key for key, value in after.items() if value is not None)
    if kept and (patch or any(value is not None and key not in after for key, value in before.items())):
        patch[RETAIN] = kept


def _pair(before: Items, after: Items, key: str) -> tuple[list[tuple[Any, Any]], Items]:
    """Pairs of sorted elements, with repeated keys paired in order, and the removed elements."""
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


def _added_and_removed(before: Items, after: Items) -> tuple[Items, Items]:
    """The scalars added to and removed from a sorted list, with repetitions."""
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
