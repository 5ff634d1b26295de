"""The fields of one object, each with its source in the config, its owners in live, and the effect of an apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import Change, Owner
from engine.clientside.reasons import KEPT
from engine.directives import ANNOTATION
from engine.serverside.fields.path_elements import to_step
from engine.values.plain import ABSENT, same

from ..offline.at_path import changes_at
from ..offline.stored_changes import BY_SERVER, CHANGING, DROPPED, FILLED_IN, RAISED, SENT, FieldValues
from ..offline.unfolding import parts
from ..ownership.who_set import BY_DEFAULT, Attribution
from ..ownership.writers import SERVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.paths import Steps

    from ..offline.pairs import Inputs, Merged, OnServer
    from .sources import Source, Sources

ONLY_IN_LIVE = "kept: only in live"
_KEPT_ON_SERVER = "kept: not in config"
_IN_ONE_PIECE = ("added", "kept", "cleared")
_OF_SERVER = (BY_SERVER, DROPPED, FILLED_IN, RAISED)
"""Reasons of changes that no config makes."""
_MANAGED_FIELDS = ("metadata", "managedFields")
_LAST_APPLIED = ("metadata", "annotations", ANNOTATION)


class BlamedField(NamedTuple):
    """A field, with the writers of its values in the config and in live."""

    change: Change
    """The effect of the apply on the field. Its reason names no writers of live."""
    config: Any
    """The value in the config; `ABSENT` without one."""
    source: Source | None = None
    owners: tuple[Owner, ...] = ()
    set_by: str | None = None
    """The kind of the writer whose live value the apply keeps or overwrites."""
    conflicts: tuple[Owner, ...] = ()
    """The other managers in the conflict that the server reports."""
    default_of: str | None = None
    """The release whose default value the field has in live."""
    default_since: str | None = None
    """The first release with this default, if it is not the oldest known one."""
    is_identity: bool = False
    """Whether no manager can own the field."""


class BlamedObject(NamedTuple):
    """An object with its fields. `is_tracked`: live has managedFields."""

    merged: Merged
    fields: tuple[BlamedField, ...]
    is_tracked: bool


def blamed(
    merged: Merged, path: Steps, sources: Sources, *, everything: bool = False, by: OnServer | None = None
) -> BlamedObject:
    """The fields of an object at a path. Fields without a value in the config or in last-applied need `everything`."""
    found = _Blame(merged, sources, by)
    changes = (leaf for change in changes_at(merged, path) for leaf in _leaves(change, merged.inputs))
    fields = tuple(
        found.of(change)
        for change in changes
        if change.steps != _MANAGED_FIELDS and (everything or found.is_of_config(change))
    )
    return BlamedObject(merged, fields, found.attribution.is_tracked)


def _leaves(change: Change, inputs: Inputs) -> Iterator[Change]:
    """The change of each value inside a value that was added, kept, cleared or sent as a whole."""
    if change.action == "matched":
        return
    inner = parts(change, inputs.schema) if change.action in _IN_ONE_PIECE else []
    if change.reason == SENT:
        sent = FieldValues(inputs.config).at(change.steps)
        names = sent if isinstance(sent, dict) and change.before is None and change.after is None else ()
        inner = [Change((*change.steps, name), change.action, None, None, SENT, None) for name in names]
    if not inner:
        yield change
    for part in inner:
        yield from _leaves(part, inputs)


class _Blame:
    def __init__(self, merged: Merged, sources: Sources, by: OnServer | None) -> None:
        self._merged, self._sources, self._by = merged, sources, by
        self.attribution = Attribution(merged)
        self._conflicts = _conflicts(merged, by)
        self._config = FieldValues(merged.inputs.config)
        self._filled: dict[str, FieldValues] = {}

    def is_of_config(self, change: Change) -> bool:
        """Whether the config or the last-applied configuration decides about the field."""
        if change.steps == _LAST_APPLIED:
            return False
        if self._config.at(change.steps) is not ABSENT:
            return True
        return change.action in CHANGING and change.reason not in _OF_SERVER

    def of(self, change: Change) -> BlamedField:
        """A field with its writers."""
        config = self._config.at(change.steps)
        in_config = config is not ABSENT
        field = self.attribution.field_at(change.steps)
        is_identity = field is not None and field.state == "identity"
        reason = change.reason
        if self._by is not None and not is_identity:
            reason = reason.partition("; ")[0]  # the rest names the owners after the apply
        found = self.attribution.of(_with_reason(change, KEPT if reason == _KEPT_ON_SERVER else reason))
        if reason == KEPT:
            reason = ONLY_IN_LIVE if found.owners and found.set_by != SERVER else found.change.reason
        conflicts = self._conflicts_at(change.steps)
        return BlamedField(
            _with_reason(change, f"conflict with {' and '.join(map(str, conflicts))}" if conflicts else reason),
            config,
            self._sources.of(self._merged.inputs.manifest, change.steps) if in_config else None,
            () if change.before is None else self.attribution.owners_at(change.steps),
            found.set_by,
            conflicts,
            *(self._default(change) if found.change.reason == BY_DEFAULT else (None, None)),
            is_identity=is_identity,
        )

    def _conflicts_at(self, steps: Steps) -> tuple[Owner, ...]:
        """The conflicts about a field, or about a value around it."""
        if not self._conflicts:
            return ()
        found = [one for depth in range(1, len(steps) + 1) for one in self._conflicts.get(steps[:depth], ())]
        known = {_who(one): one for one in self.attribution.owners_at(steps)}
        return tuple([known.get(_who(one), one) for one in found])

    def _default(self, change: Change) -> tuple[str | None, str | None]:
        """The release of the default value, and the first release that has it, unless that is the oldest one."""
        schema = self._merged.inputs.schema
        release = schema.release if schema is not None and schema.built_in else None
        if release is None:
            return None, None
        since, before = release, self._releases_before(release)
        for older in before:
            if not same(self._default_in(older, change.steps), change.before):
                return release, since
            since = older
        return release, None

    def _releases_before(self, release: str) -> list[str]:
        known = list(engine.releases())
        minor = ".".join(release.split(".")[:2])
        return known[known.index(minor) :: -1][1:] if minor in known else []

    def _default_in(self, release: str, steps: Steps) -> Any:
        from ..apiserver.defaulting.fill import apply_defaults

        if release not in self._filled:
            self._filled[release] = FieldValues(apply_defaults(self._merged.inputs.config, release))
        return self._filled[release].at(steps)


def _who(owner: Owner) -> tuple[str, ...]:
    return owner.manager, owner.operation, owner.subresource or ""


def _with_reason(change: Change, reason: str) -> Change:
    return Change(change.steps, change.action, change.before, change.after, reason, change.rule)


def _conflicts(merged: Merged, by: OnServer | None) -> dict[Steps, list[Owner]]:
    """The fields that an apply on the server must not change, each with their other managers."""
    if by is None or by.force or merged.before is None:
        return {}
    inputs = merged.inputs
    found: dict[Steps, list[Owner]] = {}
    try:
        engine.server_side_apply(inputs.config, merged.before, inputs.schema, manager=by.manager)
    except engine.FieldConflict as error:
        for one in error.conflicts:
            steps = tuple(map(to_step, one.element_path))
            owner = Owner(one.path, one.manager, one.operation, one.subresource, one.api_version)
            found.setdefault(steps, []).append(owner)
    return found
