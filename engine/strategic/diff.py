"""What makes one object into another: the map half of creating patches (see diff_lists for the other half)."""

from __future__ import annotations

from ..directives import PATCH, RETAIN
from ..errors import BadDirective, MergeError, UnexpectedList, UnknownField
from ..values.plain import ABSENT, SCALAR_TYPES, copied, same, settled
from .diff_lists import diff_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.shapes import Field, Shape
    from ..values.plain import Object


class Diff:
    """One way to compare: what of the difference goes into the patch. Never changes.

    adds     what was added or changed
    drops    what is gone
    orders   directives on the order of lists
    """

    __slots__ = ("adds", "drops", "orders")

    def __init__(self, *, adds: bool, drops: bool, orders: bool) -> None:
        self.adds, self.drops, self.orders = adds, drops, orders

    def maps(self, before: Object, after: Object, shape: Shape, retains: bool = False) -> Object:
        """The patch that makes `before` into `after`. It shares nothing mutable with either."""
        patch: Object = {}
        adds = self.adds
        for key, value in after.items():
            old = before.get(key, ABSENT)
            kind = type(value)
            if kind is not type(old) or key == PATCH:
                self._odd(key, old, value, patch)
            elif kind is dict or kind is list:
                self._inside(key, old, value, shape, patch)
            elif value != old or kind not in SCALAR_TYPES:
                new = copied(value)
                if adds:
                    patch[key] = new
        if self.drops and not before.keys() <= after.keys():
            patch.update(dict.fromkeys([key for key in before if key not in after]))
        if retains:
            _retain(before, after, patch)
        if patch:
            "".join(patch)  # a TypeError, if there is a key that is no string; see guard
        return patch

    def _odd(self, key: str, old: Any, value: Any, patch: Object) -> None:
        """A field that was not there, or held something of another type; or a directive."""
        if old is ABSENT or key != PATCH:
            if self.adds:
                patch[key] = copied(value)
        elif type(old) is not str or type(value) is not str:
            raise BadDirective(PATCH, "must be text on both sides; remove it from the objects").within(PATCH)
        elif old != value:
            patch[key] = value

    def _inside(self, key: str, old: Any, value: Any, shape: Shape, patch: Object) -> None:
        """A map or a list that was one before."""
        field = shape.fields.get(key)
        try:
            if field is None or field.faulty or type(value) is list:
                field = self._found(shape, key, old, value)
            if field is None or (field.quiet and settled(old, value)):
                return
            if type(value) is list:
                diff_list(self, key, old, value, field, patch)
            elif not field.replaces:
                inner = self.maps(old, value, field.inside, field.retains)
                if inner:
                    patch[key] = inner
            elif self.adds:
                patch[key] = copied(value)  # without a look at the old value: so the reference does it
        except MergeError as error:
            error.within(key)
            raise

    def _found(self, shape: Shape, key: str, old: Any, value: Any) -> Field | None:
        """The field, as the slow way finds it; None if there is none and it does not matter."""
        try:
            return shape.list_field(key) if type(value) is list else shape.field(key)
        except (UnknownField, UnexpectedList):
            if same(old, value):
                return None
            raise


TWO_WAY = Diff(adds=True, drops=True, orders=True)
DELTA = Diff(adds=True, drops=False, orders=True)
"""From the live object to the config: what only the live object has stays."""
DELETIONS = Diff(adds=False, drops=True, orders=True)
"""From the last applied config to the new one: what is gone from it."""
CHANGES = Diff(adds=True, drops=True, orders=False)
"""From the last applied config to the live object: what somebody else did."""


def _retain(before: Object, after: Object, patch: Object) -> None:
    """Adds the list of the keys that may stay, where there is a change or something that has to go."""
    kept = sorted(key for key, value in after.items() if value is not None)
    if kept and (patch or any(value is not None and key not in after for key, value in before.items())):
        patch[RETAIN] = kept
