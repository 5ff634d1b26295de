"""The effects of a tool's first server-side apply of one object, computed with the engine step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import FieldConflict, FieldSet, MergeError, Owner, server_side_apply
from engine.clientside.last_applied import annotations_of, read_last_applied
from engine.directives import ANNOTATION
from engine.paths import render
from engine.serverside.fields import trees
from engine.serverside.fields.locator import PathLocator
from engine.serverside.fields.path_elements import from_steps, to_step
from engine.serverside.fields.reset_fields import reset_fields
from engine.serverside.fields.set_index import SetIndex
from engine.serverside.managers import APPLY, managed_fields_of, parse_entries
from engine.serverside.typed.compare import compare
from engine.serverside.typed.schema import atom_of
from engine.serverside.typed.to_field_set import to_field_set
from engine.serverside.write_steps import without_managed_fields

from ..apiserver.errors import NoMatch
from .hand_over import (
    entries_of,
    keeping_annotation,
    patch_of,
    with_entries_merged,
    with_fields_taken_after,
    with_fields_taken_before,
)
from .metadata import stamped_as_live
from .places import MigratedField, Values, outermost, without_key
from .tools import former_writers_of, tool_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Schema
    from engine.paths import Steps
    from engine.serverside.fields.trees import Path, Tree

    from ..apiserver.pipeline import Server
    from .tools import Tool

    Object = dict[str, Any]

_GENERATION = ("f:metadata", "f:generation")
"""The field that changes with every other change."""


@dataclass(frozen=True)
class Migration:
    """The effects of the first server-side apply of one object.

    - `by`: the tool, `manager` as its field manager, and `before` with the previous writers as passed
    - `state`: "new", "untracked" (live has no managedFields), "refused", "conflict", "left behind" or "ready"
    - `refused`: the server's messages if it would reject the resulting object
    - `conflicts`: fields that others own and the apply would change: it is rejected unless forced
    - `taken`: fields that the apply takes over from others, because the tool always forces
    - `left`: fields that former writers still own: they stay if the config leaves them out, now or later
    - `shared`: fields that other managers also own, with the same value: they stay as well
    - `removed`: fields that the apply removes from the object
    - `changed`: fields that the apply sets to another value
    - `handed`: the former writers whose fields the tool takes over by itself, without `--write`
    - `merged`: the object that the server stores, for a forced apply if there are conflicts. The tool's entry in its
      managedFields has no time
    - `prepared`: the live object with the fields of former writers handed over, as written by `--write`
    - `patch`: the JSON patch (RFC 6902) for the same in a cluster; empty if no field has to be handed over
    """

    by: str
    manager: str
    before: tuple[str, ...]
    state: str
    refused: tuple[str, ...]
    conflicts: tuple[MigratedField, ...]
    taken: tuple[MigratedField, ...]
    left: tuple[MigratedField, ...]
    shared: tuple[MigratedField, ...]
    removed: tuple[MigratedField, ...]
    changed: tuple[MigratedField, ...]
    handed: tuple[str, ...]
    merged: Object
    prepared: Object | None
    patch: tuple[Object, ...]


def plan_migration(
    config: Object,
    live: Object | None,
    schema: Schema | None,
    *,
    by: str = "kubectl",
    before: Iterable[str] = (),
    manager: str | None = None,
    time: str | None = None,
    server: Server | None = None,
) -> Migration:
    """Plan the first server-side apply of a config: fields in conflict, taken over, left behind or removed.

    `by` is "kubectl", "helm", "argocd" or "flux". `before` are the previous tools or managers of the object, by
    default the same tool. `manager` overrides the tool's field manager. `server` handles the apply; by default, it is a
    server of the schema's release without other objects. The arguments are not changed.
    """
    tool = tool_named(by)
    name = manager or tool.manager
    given = tuple(before)
    return _Planning(by, tool, name, given, config, live, schema, time, server).migration()


class _Planning:
    def __init__(
        self,
        by: str,
        tool: Tool,
        manager: str,
        before: tuple[str, ...],
        config: Object,
        live: Object | None,
        schema: Schema | None,
        time: str | None,
        server: Server | None,
    ) -> None:
        self.by, self.tool, self.manager, self.before, self.time = by, tool, manager, before, time
        self.former = tuple(
            [
                writer
                for writer in former_writers_of(tool, before)
                if (writer.name, writer.operation) != (manager, APPLY)
            ]
        )
        self.config, self.live, self.schema = stamped_as_live(config, live, by), live, schema
        self.atom = atom_of(schema)
        self.server = _server_for(config, schema, server)
        parse_entries(None if live is None else managed_fields_of(live))  # rejects entries that no server has written
        entries = [] if live is None else entries_of(live)
        self.owned = [(entry, FieldSet.parse(entry.get("fieldsV1")).tree) for entry in entries]
        """The fields of the live object owned by others."""
        self._index = SetIndex([tree for _, tree in self.owned])
        self._found: dict[int, Values] = {}

    def migration(self) -> Migration:
        live = self.live
        if live is None:
            merged, refused = self._apply(None)
            return self._migration("refused" if refused else "new", merged, (), (), refused)
        start = with_fields_taken_before(live, self.tool, self.manager)
        conflicting = self._conflicting_paths(start)
        merged, refused = self._apply(start)
        merged = merged if refused else self._after_kubectl_steps(merged)
        places = tuple([self._field_at(steps, merged) for steps in conflicting])
        conflicts, taken = ((), places) if self.tool.forces else (places, ())
        return self._migration(self._state(live, merged, conflicts, refused), merged, conflicts, taken, refused)

    def _state(
        self, live: Object, merged: Object, conflicts: tuple[MigratedField, ...], refused: tuple[str, ...]
    ) -> str:
        if refused:
            return "refused"
        if conflicts:
            return "conflict"
        if not entries_of(live):
            return "untracked"
        return "left behind" if self._left(merged) else "ready"

    def _migration(
        self,
        state: str,
        merged: Object,
        conflicts: tuple[MigratedField, ...],
        taken: tuple[MigratedField, ...],
        refused: tuple[str, ...] = (),
    ) -> Migration:
        live = self.live
        removed, changed = ((), ()) if live is None else self._differences(live, merged)
        at_issue = {place.path for place in (*conflicts, *taken)}
        prepared = None if live is None else self._prepared(live)
        return Migration(
            self.by,
            self.manager,
            self.before,
            state,
            refused,
            conflicts,
            taken,
            tuple([place for place in self._left(merged) if live is not None]),
            tuple([place for place in self._shared(merged) if place.path not in at_issue]),
            removed,
            tuple([place for place in changed if place.path not in at_issue]),
            self._handed_over(merged),
            merged,
            prepared,
            () if live is None or prepared is None else tuple(patch_of(live, prepared)),
        )

    # ---- the steps of the tool ------------------------------------------------------------------------------------

    def _apply(self, live: Object | None) -> tuple[Object, tuple[str, ...]]:
        """The object that the server stores, and the reasons for rejecting an object that was valid before."""
        stored = None
        if self.server is not None:
            stored = self.server.apply(live, self.config, manager=self.manager, force=True)
            if stored.object is not None:
                return stored.object, ()
        merged = server_side_apply(
            self.config, live, self.schema, manager=self.manager, force=True, time=self.time
        ).merged
        if self.server is None or stored is None:
            return merged, ()
        known = frozenset(() if live is None else self.server.known_problems(live))
        return self.server.read(merged), tuple([str(problem) for problem in stored.problems if problem not in known])

    def _after_kubectl_steps(self, merged: Object) -> Object:
        """The object after the steps of kubectl that follow a successful apply."""
        if not self.tool.by_kubectl:
            return merged
        after = with_fields_taken_after(keeping_annotation(merged, self.schema, self.manager, self.time), self.manager)
        return merged if after is merged else self._apply(after)[0]

    def _conflicting_paths(self, start: Object) -> list[Steps]:
        """The places of the conflicts of an apply without force."""
        try:
            server_side_apply(self.config, start, self.schema, manager=self.manager, time=self.time)
        except FieldConflict as error:
            paths = dict.fromkeys(conflict.element_path for conflict in error.conflicts)
            return [tuple(map(to_step, path)) for path in PathLocator(start).in_order(paths)]
        return []

    def _prepared(self, live: Object) -> Object:
        """The live object with the fields of all former writers handed over."""
        wanted = FieldSet(to_field_set(self.config, self.atom))
        keeping = keeping_annotation(live, self.schema, self.manager, self.time) if self.tool.by_kubectl else live
        merged = with_entries_merged(keeping, self.former, self.manager, wanted)
        return live if entries_of(merged) == entries_of(keeping) else merged

    # ---- the results ----------------------------------------------------------------------------------------------

    def _differences(self, live: Object, merged: Object) -> tuple[tuple[MigratedField, ...], tuple[MigratedField, ...]]:
        """The removed fields, and those with another value."""
        found = compare(without_managed_fields(live), without_managed_fields(merged), self.atom)
        reset = reset_fields(self.schema, None)
        removed = [*outermost(trees.without(found.removed, reset))]
        changed = trees.paths(trees.without(found.modified, reset))
        return (
            tuple(self._fields_at(PathLocator(live).in_order(removed), merged)),
            tuple(self._fields_at(PathLocator(merged).in_order(changed), merged)),
        )

    def _fields_at(self, paths: Iterable[Path], merged: Object) -> list[MigratedField]:
        shown = [path for path in paths if path != _GENERATION and not self._is_annotation(path)]
        return [self._field_at(tuple(map(to_step, path)), merged) for path in shown]

    def _left(self, merged: Object) -> list[MigratedField]:
        """The fields that former writers own after the apply and that are in the config or were applied before."""
        mine = trees.union(self._mine(merged), self._last_applied())
        former = [entry for entry in entries_of(merged) if any(writer.owns(entry) for writer in self.former)]
        return self._fields_of(_common(former, mine), merged)

    def _shared(self, merged: Object) -> list[MigratedField]:
        others = [
            entry
            for entry in entries_of(merged)
            if not self._is_mine(entry) and not any(writer.owns(entry) for writer in self.former)
        ]
        return self._fields_of(_common(others, self._mine(merged)), merged)

    def _fields_of(self, found: Tree, merged: Object) -> list[MigratedField]:
        leaves = dict.fromkeys(without_key(path) for path in trees.paths(trees.leaves(found)))
        around = {path[:at] for path in leaves for at in range(len(path))}
        paths = [path for path in leaves if path not in around and not self._is_annotation(path)]
        return [self._field_at(tuple(map(to_step, path)), merged) for path in PathLocator(merged).in_order(paths)]

    def _is_annotation(self, path: Path) -> bool:
        """Whether a field is the annotation of client-side apply, or the annotations where there are no others."""
        if path[:2] != ("f:metadata", "f:annotations") or path[2:] not in ((), (f"f:{ANNOTATION}",)):
            return False
        ours, theirs = (annotations_of(one) or {} for one in (self.config, self.live or {}))
        return bool(path[2:]) or not ({*ours, *theirs} - {ANNOTATION})

    def _mine(self, merged: Object) -> Tree:
        return next((FieldSet.parse(one.get("fieldsV1")).tree for one in entries_of(merged) if self._is_mine(one)), {})

    def _is_mine(self, entry: Object) -> bool:
        return entry.get("manager") == self.manager and entry.get("operation") == APPLY

    def _last_applied(self) -> Tree:
        """The last configuration of client-side apply, if the annotation contains it."""
        try:
            last = None if self.live is None else read_last_applied(self.live)
            return trees.EMPTY if last is None else to_field_set(last, self.atom)
        except MergeError:
            return trees.EMPTY

    def _handed_over(self, merged: Object) -> tuple[str, ...]:
        """The former writers that own no fields any more, because the tool has taken them over."""
        if self.live is None:
            return ()
        before = [_identity(one) for one in entries_of(self.live) if any(writer.owns(one) for writer in self.former)]
        after = {_identity(one) for one in entries_of(merged)}
        return tuple([str(Owner(".", *one, "")) for one in before if one not in after])

    def _field_at(self, steps: Steps, merged: Object) -> MigratedField:
        path = from_steps(steps)
        live = {} if self.live is None else self.live
        config, before, after = (self._values(one).at(path) for one in (self.config, live, merged))
        return MigratedField(steps, config, before, after, self._owners(path))

    def _values(self, document: Object) -> Values:
        found = self._found.get(id(document))
        if found is None:
            found = self._found[id(document)] = Values(document, self.atom)
        return found

    def _owners(self, path: Path) -> tuple[Owner, ...]:
        found = []
        for number in self._index.containing(path):
            entry, _ = self.owned[number]
            if not self._is_mine(entry):
                manager, operation, subresource = _identity(entry)
                version = str(entry.get("apiVersion"))
                steps = tuple(map(to_step, path))
                found.append(Owner(render(steps), manager, operation, subresource, version, entry.get("time")))
        return tuple(found)


def _common(entries: Iterable[Object], mine: Tree) -> Tree:
    """The fields of a set that entries of managedFields have, too."""
    found = [trees.intersection(FieldSet.parse(entry.get("fieldsV1")).tree, mine) for entry in entries]
    return trees.union_all(found)


def _server_for(config: Object, schema: Schema | None, server: Server | None) -> Server | None:
    """The server, or by default one of the schema's release; None if it lacks the kind or the release is unknown."""
    if server is None:
        if schema is None or not schema.built_in or schema.release is None:
            return None
        from ..apiserver.pipeline import server_of

        server = server_of(str(schema.patch_release))
    try:
        server.require(config["apiVersion"], config["kind"])
    except NoMatch:
        return None
    return server


def _identity(entry: Object) -> tuple[str, str, str | None]:
    return str(entry.get("manager") or ""), str(entry.get("operation")), entry.get("subresource") or None
