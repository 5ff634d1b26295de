"""Compare the sides of a chain, such as releases: each with the one before."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from engine.tables.served import is_of_kubernetes
from engine.values.guard import with_room

from ..apiserver.kinds.deprecated import advice
from ..apiserver.pipeline import Server, server_of
from .aspects import SERVER_SIDE, SEVERITY, severity_in
from .effects import KIND_ADDED, KIND_REMOVED, NO_OBJECT_REMOVED
from .fields import Fields
from .gates import gate_changes
from .kinds import is_applied
from .model import SEVERITIES, Comparison, RuleChange, Step
from .pairs import Pairs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from engine import Schema, Tables
    from engine.tables.types import Types

    from .pairs import FieldDiff

    Key = tuple[str, str]


@dataclass(frozen=True)
class Side:
    """One side of a comparison: tables, or one kind in them."""

    name: str
    """The argument as typed: "1.12", "spec.json", "apps/v1/Deployment@1.37"."""
    tables: Tables
    only: tuple[str, str] | None = None
    """The one kind, (apiVersion, kind), that is compared."""
    policies: tuple[dict[str, Any], ...] = field(default=(), compare=False)
    """Admission policies of its server, with their bindings and params."""

    @cached_property
    def server(self) -> Server | None:
        """The server of the side's release with its policies. None without a release."""
        release = self.tables.patch_release
        if release is None:
            return None
        return Server(release, policies=self.policies) if self.policies else server_of(release)

    def kinds(self) -> set[tuple[str, str]]:
        """The kinds of the side."""
        return {self.only} if self.only else set(self.tables.kinds())


def compare(sides: Sequence[Side], kinds: Collection[tuple[str, str]] | None = None) -> Comparison:
    """Compare each side with the next; only these kinds, if any are given.

    Two sides of one kind each are compared even if the kinds have different names. Changes are reported under the name
    of the right side.
    """
    chain = _Chain()
    steps = with_room(lambda: tuple(chain.step(left, right, kinds) for left, right in pairwise(sides)))
    return Comparison(tuple(side.name for side in sides), steps, _served(sides, kinds))


def at_least(comparison: Comparison, severity: str) -> Comparison:
    """The comparison without less severe changes."""
    shown = SEVERITIES[: SEVERITIES.index(severity) + 1]
    steps = [
        Step(step.left, step.right, tuple(change for change in step.changes if change.severity in shown))
        for step in comparison.steps
    ]
    return Comparison(comparison.sides, tuple(steps), comparison.served)


def about_ownership(comparison: Comparison) -> Comparison:
    """The comparison with only the changes in ownership under server-side apply."""
    steps = [
        Step(step.left, step.right, tuple(change for change in step.changes if SERVER_SIDE & {*change.aspects}))
        for step in comparison.steps
    ]
    return Comparison(comparison.sides, tuple(steps), comparison.served)


def _served(sides: Sequence[Side], kinds: Collection[Key] | None) -> dict[Key, frozenset[str]]:
    """The sides that have each kind. If two kinds are compared with each other, the right one is the key."""
    single = [side.only for side in sides if side.only]
    if single and len(single) == len(sides):
        return {single[-1]: frozenset(side.name for side in sides)}
    keys = {*single} or {key for side in sides for key in side.kinds()}
    wanted = keys if kinds is None else keys & {*kinds}
    return {key: frozenset(side.name for side in sides if key in side.tables) for key in sorted(wanted)}


class _Chain:
    """The steps of a chain; the fields of each side are read only once."""

    def __init__(self) -> None:
        self._fields: dict[int, tuple[Types, Fields]] = {}

    def step(self, left: Side, right: Side, kinds: Collection[Key] | None) -> Step:
        """Compare two sides."""
        pairs: dict[tuple[int, int], Pairs] = {}
        changes: list[RuleChange] = []
        if left.only and right.only:
            changes += self._kind(left.only, right.only, left, right, pairs)
        else:
            for key in _wanted(left, right, kinds):
                if key in left.tables and key in right.tables:
                    changes += self._kind(key, key, left, right, pairs)
                else:
                    changes.append(_kind_removed(key, left, right) if key in left.tables else _kind_added(key))
        return Step(left.name, right.name, tuple(changes))

    def _kind(
        self, key: Key, other: Key, left: Side, right: Side, pairs: dict[tuple[int, int], Pairs]
    ) -> Iterator[RuleChange]:
        before, after = left.tables.schema(*key), right.tables.schema(*other)
        types = id(before.types), id(after.types)
        if types not in pairs:
            pairs[types] = Pairs(self._fields_of(before), self._fields_of(after))
        applied = is_applied(other, right.tables)
        for path, diff in pairs[types].compare(before, after):
            yield _change(other, path.removeprefix("."), diff, severity_in(applied, diff.severity))
        if applied:
            yield from gate_changes(before, after)

    def _fields_of(self, schema: Schema) -> Fields:
        types = schema.types
        return self._fields.setdefault(id(types), (types, Fields(schema)))[1]


def _wanted(left: Side, right: Side, kinds: Collection[Key] | None) -> list[Key]:
    """The kinds to compare; where one side is a single kind, only that one."""
    single = left.only or right.only
    wanted = {single} if single else left.kinds() | right.kinds()
    return sorted(wanted if kinds is None else wanted & {*kinds})


def _kind_removed(key: Key, left: Side, right: Side) -> RuleChange:
    applied = is_applied(key, left.tables)
    severity = severity_in(applied, SEVERITY["kind removed"])
    release = right.tables.release
    replacement = advice(*key, release) if applied and release and is_of_kubernetes(key[0]) else ""
    effect = f"{KIND_REMOVED}{(f' ({replacement})' if replacement else '')}" if applied else NO_OBJECT_REMOVED
    return RuleChange(*key, "", ("kind removed",), severity, None, None, effect)


def _kind_added(key: Key) -> RuleChange:
    return RuleChange(*key, "", ("kind added",), SEVERITY["kind added"], None, None, KIND_ADDED)


def _change(key: Key, path: str, found: FieldDiff, severity: str) -> RuleChange:
    return RuleChange(*key, path, found.aspects, severity, found.before, found.after, found.effect, found.place)
