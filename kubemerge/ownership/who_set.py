"""The writers of live fields found by an apply: the server by default, a controller, a person, or another apply."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from engine import MergeError
from engine.clientside.change import Change
from engine.clientside.reasons import DIFFERS, DRIFTED, KEPT
from engine.tables.identity import ElementFinder
from engine.values.plain import ABSENT, same

from ..apiserver.text.text import shown
from ..offline.stored_changes import FieldValues
from .writers import APPLIED, CONTROLLER, PERSON, SERVER, UNKNOWN, in_words, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from engine import Owner
    from engine.paths import Step, Steps

    from ..offline.pairs import Merged
    from .fields import OwnedField

_KEPT = "kept: only in live, "
BY_DEFAULT = f"{_KEPT}default value of the server"
BY_SERVER = f"{_KEPT}set by the server"
_OF_THE_SERVER = frozenset({"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"})
"""Metadata fields that only the server sets."""
_ORDER = (PERSON, CONTROLLER, APPLIED, UNKNOWN)
"""Priorities among several owners of a field."""


class AttributedChange(NamedTuple):
    """A change, with the kind of writer of the live value.

    The kind is `server`, `person`, `controller`, `apply` or `unknown`; None if no writer is named.
    """

    change: Change
    set_by: str | None = None
    owners: tuple[Owner, ...] = ()


def attributed(merged: Merged, changes: Iterable[Change]) -> Iterator[AttributedChange]:
    """Add the writer to each change that keeps or overwrites a value set by another manager.

    For an object without managedFields, only default values are known, from the tables of the embedded cluster.
    """
    attribution: Attribution | None = None
    for change in changes:
        if change.reason in (KEPT, DRIFTED, DIFFERS):
            attribution = attribution or Attribution(merged)
            yield attribution.of(change)
        else:
            yield AttributedChange(change)


def untracked(merged: Merged, changes: Iterable[AttributedChange]) -> bool:
    """Whether a field has an unknown writer because live lacks managedFields."""
    before = merged.before
    tracked = before is not None and bool(before.get("metadata", {}).get("managedFields"))
    return not tracked and any(one.set_by == UNKNOWN and not one.owners for one in changes)


class Attribution:
    """The defaults and owners of one live object's fields."""

    def __init__(self, merged: Merged) -> None:
        self._merged = merged
        self._fields = _owned(merged)
        self._finder = ElementFinder()
        self._known: dict[int, _Siblings] = {}

    def of(self, change: Change) -> AttributedChange:
        """A change with its writer."""
        owners = self.owners_at(change.steps)
        if change.reason != KEPT:
            others = [one for one in owners if kind_of(one) in (PERSON, CONTROLLER) and _who(one) != self._creator]
            return _with_owners(change, change.reason, others) if others else AttributedChange(change)
        if _is_of_the_server(change.steps):
            return AttributedChange(_because(change, BY_SERVER), SERVER, owners)
        is_default = same(self._defaults.at(change.steps), change.before)
        if is_default and all(_who(owner) == self._creator for owner in owners):
            return AttributedChange(_because(change, BY_DEFAULT), SERVER, owners)
        if owners:
            return _with_owners(change, _KEPT, owners)
        if not self.is_tracked:
            return AttributedChange(change, UNKNOWN)
        return AttributedChange(_because(change, BY_SERVER), SERVER)

    @property
    def is_tracked(self) -> bool:
        """Whether live has readable managedFields."""
        return self._fields is not None

    def owners_at(self, steps: Steps) -> tuple[Owner, ...]:
        """The owners of a live field, and of all fields inside it."""
        found = self.field_at(steps)
        if found is None:
            return ()
        owners = {_who(owner): owner for one in found.walk() for owner in one.owners}
        return tuple(owners.values())

    def field_at(self, steps: Steps) -> OwnedField | None:
        """The live field at a path, or the list or map around it that is owned as a whole."""
        fields: Sequence[OwnedField] = self._fields or ()
        if not fields:
            return None
        from .fields import INSIDE, WHOLE

        found: OwnedField | None = None
        for step in steps:
            below = self._called(fields, step)
            if below is None or below.state == INSIDE:
                return found if found is not None and found.state == WHOLE else None
            found, fields = below, below.inside
        return found

    def _called(self, fields: Sequence[OwnedField], step: Step) -> OwnedField | None:
        """The field with a name, or the element that a step identifies."""
        known = self._known.get(id(fields))
        if known is None:
            known = self._known[id(fields)] = _Siblings(fields)
        if isinstance(step, str):
            return known.by_name.get(step)
        place = next(self._finder.places(known.values, step), None) if isinstance(step, tuple) else None
        return None if place is None else known.elements[place]

    @cached_property
    def _defaults(self) -> FieldValues:
        """The values that a server stores for the config alone."""
        return FieldValues(_filled(self._merged))

    @cached_property
    def _creator(self) -> tuple[str, ...] | None:
        return self._found_creator()

    def _found_creator(self) -> tuple[str, ...] | None:
        """The creator of the object, which owns the default values if it used an update; None if they have no owner.

        The creator is not recorded, but no other manager owns most of the default values. kubectl passes them to the
        first manager that applies on the server.
        """
        if not self._fields:
            return None
        from .fields import IDENTITY, INSIDE, WHOLE

        counts: dict[tuple[str, ...] | None, int] = {}
        nobody: list[tuple[str, ...] | None] = [None]
        for one in (one for field in self._fields for one in field.walk()):
            if one.inside or one.state in (IDENTITY, WHOLE, INSIDE) or same(self._defaults.at(one.steps), ABSENT):
                continue
            for who in [_who(owner) for owner in one.owners] or nobody:
                counts[who] = counts.get(who, 0) + 1
        return max(counts, key=lambda who: counts[who], default=None)


class _Siblings:
    """The fields of one map, by name, and the elements of one list."""

    def __init__(self, fields: Sequence[OwnedField]) -> None:
        self.by_name = {one.label: one for one in reversed(fields) if one.label is not None}
        self.elements = [one for one in fields if one.label is None]
        self.values = [one.value for one in self.elements]


def _with_owners(change: Change, begin: str, owners: Sequence[Owner]) -> AttributedChange:
    """The change, with the owners of the live value added to its reason."""
    found = sorted(owners, key=lambda owner: _ORDER.index(kind_of(owner)))
    names = " and ".join(shown(in_words(owner)) for owner in found)
    reason = f"{begin}set by {names}" if begin == _KEPT else f"{begin}, live was set by {names}"
    return AttributedChange(_because(change, reason), kind_of(found[0]), tuple(found))


def _who(owner: Owner) -> tuple[str, ...]:
    return owner.manager, owner.operation, owner.subresource or ""


def _because(change: Change, reason: str) -> Change:
    return Change(change.steps, change.action, change.before, change.after, reason, change.rule)


def _is_of_the_server(steps: Steps) -> bool:
    return steps[:1] == ("metadata",) and steps[1:2] != () and steps[1] in _OF_THE_SERVER


def _owned(merged: Merged) -> list[OwnedField] | None:
    """The fields of live with their owners; None if it has no readable managedFields."""
    before = merged.before
    if before is None or not before.get("metadata", {}).get("managedFields"):
        return None
    from .fields import owned_fields  # only objects with managedFields need it

    try:
        return owned_fields(before, merged.inputs.schema, secrets=True).fields
    except MergeError:
        return None


def _filled(merged: Merged) -> Any:
    """The config as a server would store it as a new object."""
    from ..apiserver.pipeline import server_of  # which is rarely needed

    schema, config = merged.inputs.schema, merged.inputs.config
    release = schema.release if schema is not None else None
    return server_of(release).check_create(config).object or config if release else config
