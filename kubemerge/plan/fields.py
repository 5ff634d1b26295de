"""Comparison of an object before and after a write: changed fields, conflicts, and fields that stay."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine import FieldSet, MergeError, Owner
from engine.clientside.last_applied import without_last_applied
from engine.paths import render
from engine.serverside.fields import trees
from engine.serverside.fields.locator import PathLocator
from engine.serverside.fields.path_elements import from_steps, to_step
from engine.serverside.fields.reset_fields import reset_fields
from engine.serverside.fields.set_index import SetIndex
from engine.serverside.managers import APPLY, managed_fields_of, parse_entries
from engine.serverside.typed.compare import compare, equal
from engine.serverside.typed.schema import atom_of
from engine.serverside.typed.to_field_set import to_field_set
from engine.serverside.write_steps import without_managed_fields

from ..migrate.places import Values, outermost, without_key
from .metadata import owner_of
from .model import FieldChange, FieldConflict, StuckField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from engine import Schema
    from engine.serverside.conflicts import OwnedField
    from engine.serverside.fields.trees import Path, Tree

    from .model import Advice

    Object = dict[str, Any]

_NOT_SHOWN = frozenset(
    {("f:metadata", f"f:{name}") for name in ("generation", "resourceVersion", "creationTimestamp", "uid", "selfLink")}
)
"""Fields that the server sets with other changes."""
_ANNOTATIONS = ("f:metadata", "f:annotations")
"""kubectl writes `annotations: {}` into every last applied config, which contains no annotation of another manager."""
ABSENT = "it is not in the object after the write"
DROPPED = "the server does not store it. Check the field's name and its place in the kind's schema"


class Comparison:
    """An object before a write, and its schema. `manager` is the field manager that writes."""

    def __init__(self, before: Object | None, schema: Schema | None, manager: str) -> None:
        self.before, self.schema, self.manager = before, schema, manager
        self._atom = atom_of(schema)
        # raises BadManagedFields for malformed entries
        parse_entries(None if before is None else managed_fields_of(before))
        self._owners = _entries(before)
        self._index = _Entries(self._owners)
        self._known: dict[int, Values] = {}

    # ---- changes ------------------------------------------------------------------------------------------------

    def changes(self, after: Object | None) -> tuple[FieldChange, ...]:
        """The changed fields in document order. The status is left out if this kind of write cannot change it."""
        before = {"metadata": {}} if self.before is None else self.before
        if after is None or after is before:
            return ()
        old, new = (without_managed_fields(without_last_applied(one)) for one in (before, after))
        found = compare(old, new, self._atom)
        reset = reset_fields(self.schema, None)
        added = [*outermost(trees.without(found.added, reset))]
        removed = [*outermost(trees.without(found.removed, reset))]
        modified = [*trees.paths(trees.leaves(trees.without(found.modified, reset)))]
        changed = dict.fromkeys(modified, "changed")
        changed |= dict.fromkeys(added, "added") | dict.fromkeys(removed, "removed")
        changed = {path: action for path, action in changed.items() if path not in _NOT_SHOWN}
        there = [path for path, action in changed.items() if action != "removed"]
        gone = [path for path, action in changed.items() if action == "removed"]
        ordered = [*PathLocator(after).in_order(there), *PathLocator(before).in_order(gone)]
        return tuple([self._change(path, changed[path], after) for path in ordered])

    def _change(self, path: Path, action: str, after: Object) -> FieldChange:
        steps = tuple(map(to_step, path))
        before, now = self._value(self.before or {}, path), self._value(after, path)
        return FieldChange(steps, action, before, now, self.other_owners(path))

    # ---- conflicts ----------------------------------------------------------------------------------------------

    def conflicts(
        self, found: Iterable[OwnedField], config: Object, advice: Callable[[FieldConflict], tuple[Advice, ...]]
    ) -> tuple[FieldConflict, ...]:
        """The conflicts of a rejected apply, with values, times and fixes."""
        fields: list[FieldConflict] = []
        for one in found:
            path = one.element_path
            conflict = FieldConflict(
                tuple(map(to_step, path)),
                one.manager,
                one.operation,
                one.subresource,
                one.api_version,
                self._since(one),
                self._value(config, path),
                self._value(self.before or {}, path),
            )
            fields.append(replace(conflict, advice=advice(conflict)))
        return tuple(fields)

    def overwritten(self, changes: Iterable[FieldChange], config: Object) -> tuple[FieldConflict, ...]:
        """The changed fields that other managers own."""
        found = []
        for one in changes:
            for owner in one.owners:
                value = self._value(config, from_steps(one.steps))
                found.append(
                    FieldConflict(
                        *(one.steps, owner.manager, owner.operation, owner.subresource, owner.api_version, owner.time),
                        *(value, one.before),
                    )
                )
        return tuple(found)

    def _since(self, one: OwnedField) -> str | None:
        return self._times.get((one.manager, one.operation, one.subresource, one.api_version))

    @cached_property
    def _times(self) -> dict[tuple[str | None, ...], str | None]:
        """The time of each owner. Of equal owners, the first counts."""
        return {
            (owner.manager, owner.operation, owner.subresource, owner.api_version): owner.time
            for owner, _ in reversed(self._owners)
        }

    # ---- fields that stay ---------------------------------------------------------------------------------------

    def stuck(
        self,
        config: Object,
        previous: Sequence[Object],
        after: Object | None,
        *,
        on_server: bool,
        former: Tree = trees.EMPTY,
        drift: str = "",
    ) -> tuple[StuckField, ...]:
        """The fields that still differ from the config after the write.

        Some are in a `previous` config and not in the config, and other managers own them. Others are in the config and
        keep another live value, or are missing after the write; `drift` is the reason for kept live values. With
        `on_server`, fields that the manager applied before count as a previous config, and those of `former` too.
        """
        if after is None:
            return ()
        wanted = self._fields(config)
        former = trees.union(former, self._applied()) if on_server else former
        for one in previous:
            former = trees.union(former, self._fields(one))
        left_out = trees.difference(former, wanted)
        found = [*self._left(left_out, wanted, after, on_server=on_server), *self._unmet(wanted, config, after, drift)]
        order = {path: at for at, path in enumerate(PathLocator(after).in_order([path for path, _ in found]))}
        return tuple([one for _, one in sorted(found, key=lambda pair: order.get(pair[0], 0))])

    def _left(self, tree: Tree, wanted: Tree, after: Object, *, on_server: bool) -> list[tuple[Path, StuckField]]:
        entries = _Entries([one for one in _entries(after) if on_server or one[0].manager != self.manager])
        found = []
        for path in dict.fromkeys(without_key(path) for path in trees.paths(trees.leaves(tree))):
            value = self._value(after, path)
            owners = entries.owners(path)
            if value is None or not owners or path == _ANNOTATIONS or trees.leads_into(wanted, path):
                continue
            reason = f"not in the config any more, but {_names(owners)} still owns it"
            found.append((path, StuckField(tuple(map(to_step, path)), reason, None, value, owners)))
        return found

    def _unmet(self, wanted: Tree, config: Object, after: Object, drift: str) -> list[tuple[Path, StuckField]]:
        """Values that the tool does not send, or that the server drops.

        Values that differ only in form, such as `1000m` and `1`, are left out.
        """
        found = {}
        for path in trees.paths(trees.leaves(wanted)):
            asked, now = self._value(config, path), self._value(after, path)
            if asked is None or equal(asked, now) or path[-1].startswith("f:$") or (now is not None and not drift):
                continue
            place = self._missing(path, after) if now is None else path
            asked = asked if place == path else self._value(config, place)
            reason = drift or (ABSENT if self._is_known(place) else DROPPED)
            found[place] = StuckField(tuple(map(to_step, place)), reason, asked, now, self.other_owners(place))
        return [*found.items()]

    def _is_known(self, path: Path) -> bool:
        """Whether the kind has this field."""
        if self.schema is None:
            return True
        names = [element[2:] for element in path if element.startswith("f:")]
        try:
            return self.schema.rule(".".join(names)) is not None
        except MergeError:  # a key of a map that no path can contain
            return True

    def _missing(self, path: Path, document: Object) -> Path:
        """The outermost part of a path that a document lacks."""
        depths = range(2, len(path) + 1)
        return next((path[:depth] for depth in depths if self._value(document, path[:depth]) is None), path)

    # ---- values and owners --------------------------------------------------------------------------------------

    def other_owners(self, path: Path) -> tuple[Owner, ...]:
        """The managers of a field in live, without the one that writes."""
        return tuple([one for one in self._index.owners(path) if one.manager != self.manager])

    def _applied(self) -> Tree:
        """The fields that the manager has applied before."""
        for owner, own in self._owners:
            if (owner.manager, owner.operation, owner.subresource) == (self.manager, APPLY, None):
                return own
        return trees.EMPTY

    def _fields(self, config: Object) -> Tree:
        try:
            return trees.without(to_field_set(config, self._atom), _IDENTITY)
        except MergeError:
            return {}

    def _value(self, document: Object, path: Path) -> Any:
        known = self._known.get(id(document))
        if known is None:
            known = self._known[id(document)] = Values(document, self._atom)
        return known.at(path)


_IDENTITY = trees.of_paths(
    [
        *(("f:apiVersion",), ("f:kind",), ("f:metadata", "f:name"), ("f:metadata", "f:namespace"), ("f:status",)),
        ("f:stringData",),  # a Secret is stored with it in data
    ]
)


def _entries(document: Object | None) -> list[tuple[Owner, Tree]]:
    """The entries of managedFields, each as an owner without a path, with its fields."""
    entries = None if document is None else managed_fields_of(document)
    every = entries if isinstance(entries, list) else ()
    return [(owner_of(one), FieldSet.parse(one.get("fieldsV1")).tree) for one in every]


class _Entries:
    """Finds the owners of paths among entries of managedFields."""

    def __init__(self, entries: Sequence[tuple[Owner, Tree]]) -> None:
        self._owners = [owner for owner, _ in entries]
        self._index = SetIndex([tree for _, tree in entries])

    def owners(self, path: Path) -> tuple[Owner, ...]:
        """The owners of a field, or of fields inside it."""
        text = render(tuple(map(to_step, path)))
        found = [self._owners[number] for number in self._index.leading_into(path)]
        return tuple(
            [Owner(text, one.manager, one.operation, one.subresource, one.api_version, one.time) for one in found]
        )


def _names(owners: Sequence[Owner]) -> str:
    return ", ".join(dict.fromkeys(f"{one.manager} ({one.operation})" for one in owners))
