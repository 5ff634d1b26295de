"""The outcome of one server-side apply, with reasons and owners for every field on request."""

from __future__ import annotations

from .. import aliases
from ..clientside.change import Change
from ..clientside.outcome import ApplyInputs, Outcome
from ..directives import ANNOTATION
from ..values.guard import with_room
from ..values.immutable import Immutable
from ..values.plain import ABSENT
from . import managers
from .field_managers import NEVER_OWNED
from .fields import trees
from .fields.locator import PathLocator
from .fields.path_elements import to_step
from .owners import manager_text
from .typed.compare import equal
from .typed.schema import atom_of
from .typed.to_field_set import all_paths, to_field_set
from .write_steps import without_managed_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.schema import Schema
    from ..values.plain import Object
    from .field_managers import Writer
    from .fields.trees import Path
    from .managers import ManagedFieldsEntry


class ServerSideMethod(Immutable):
    """The method of a server-side apply: merge by types, without a patch."""

    __slots__ = ("schema",)

    schema: Schema | None

    def __init__(self, schema: Schema | None) -> None:
        super()._fill(schema)

    def explained_by(self) -> Schema | None:
        return self.schema


class ServerSideOutcome(Outcome):
    """The outcome of one server-side apply.

    result      "created", "unchanged", or "configured" if anything changed, including managedFields
    merged      the object after the apply, with its managedFields
    patch       the config, which is the body of the request
    patch_type  "apply"
    warnings    none
    changes     the reason for the value of every field, its owners, the time of their write, and fields given up
    """

    __slots__ = ("_writer",)

    def __init__(
        self,
        result: str,
        merged: Object,
        config: Object,
        live: Object | None,
        writer: Writer,
        schema: Schema | None,
    ) -> None:
        self._fill(result, merged, config, ApplyInputs(config, None, live), ServerSideMethod(schema))
        self._writer = (writer.manager, writer.subresource or "")

    def _fill(self, result: str, merged: Object, config: Object, inputs: ApplyInputs, method: ServerSideMethod) -> None:
        super().__init__(result, merged, config, "apply", (), inputs, method)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._writer, self.result, self.merged, self.patch, self._inputs, self._method)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The reason for the value of every field, with its owners, and fields that this apply took over or gave up."""
        if self._changes is None:
            config, _, live = self._inputs.documents()
            schema = self._method.explained_by()
            self._changes = with_room(lambda: tuple(_changes(config, live, self.merged, schema, self._writer)))
        return self._changes


def _restore(writer: tuple[str, str], *facts: Any) -> ServerSideOutcome:
    made = object.__new__(ServerSideOutcome)
    made._fill(*facts)
    made._writer = writer
    return made


def _changes(
    config: Object, live: Object | None, merged: Object, schema: Schema | None, writer: tuple[str, str]
) -> list[Change]:
    before, after = ({} if document is None else without_managed_fields(document) for document in (live, merged))
    atom = atom_of(schema)
    sides: dict[Path, tuple[list[ManagedFieldsEntry], list[ManagedFieldsEntry]]] = {}
    for document, value in ((before, live), (after, merged)):
        for path in trees.paths(trees.leaves(all_paths(document, atom))) if document else ():
            sides.setdefault(path, ([], []))
        for entry in managers.parse_entries(managers.managed_fields_of(value)).values() if value else ():
            for path in trees.paths(entry.tree):
                sides.setdefault(path, ([], []))[document is after].append(entry)
    holding = {path[:length] for path in sides for length in range(len(path))}
    wanted = to_field_set(config, atom)
    found = []
    was, now = PathLocator(before), PathLocator(after)
    for path in now.in_order([path for path, entries in sides.items() if path not in holding or any(entries)]):
        field = _FieldChange(path, was.at(path), now.at(path), *sides[path], writer)
        field.holds = path in holding
        field.asked_for = trees.contains(wanted, path)
        found.append(field.change())
    return found


class _FieldChange:
    """One field before and after the apply: its values and its owners' entries."""

    holds = asked_for = False
    """`holds`: fields inside it have separate changes. `asked_for`: the config has it."""

    def __init__(
        self,
        path: Path,
        before: Any,
        after: Any,
        old: list[ManagedFieldsEntry],
        new: list[ManagedFieldsEntry],
        writer: tuple[str, str],
    ) -> None:
        self.path, self.before, self.after = path, before, after
        self.mine = next((entry for entry in new if _is(entry, writer)), None)
        self.was_mine = any(_is(entry, writer) for entry in old)
        self.others = [_manager_text(entry) for entry in new if entry is not self.mine]
        now = {entry.identity for entry in new}
        self.lost = [_manager_text(entry) for entry in old if not _is(entry, writer) and entry.identity not in now]

    def change(self) -> Change:
        """The change to the field, and the reason."""
        action, why = self._why()
        if self.holds:
            action = "matched"  # fields inside it have changes of their own
        return Change(tuple(map(to_step, self.path)), action, self.before, self.after, f"{why}; {self._owners()}", None)

    def _why(self) -> tuple[aliases.Action, str]:
        if self.after is ABSENT:
            if self.before is ABSENT:
                return "kept", "owned, but neither in config nor in live"
            if self.was_mine:
                return "cleared", "removed: not in config, and no other manager owns it"
            return "cleared", "removed: with its parent"
        if _is_identity(self.path):
            return ("added", "added") if self.before is ABSENT else ("kept", "kept")
        if self.mine is not None:
            return self._set()
        if self.before is ABSENT:
            return "added", "added: by the server"
        if not self.holds and not equal(self.before, self.after):
            if self.path[-1] == f"f:{ANNOTATION}":
                return "changed", "set: the server stores the last applied config here"
            return "changed", "set: by the server"
        if self.holds:
            return "kept", "kept: contains other fields"
        if self.asked_for:
            return "kept", "kept: this write cannot change it"
        if self.was_mine:
            return "kept", "kept: not in config, but another manager owns it"
        return "kept", "kept: not in config"

    def _set(self) -> tuple[aliases.Action, str]:
        """The action and the reason for a field that the config has."""
        if self.before is ABSENT:
            return "added", "added: in config, not in live"
        if self.holds:
            return "matched", "in both config and live"
        if equal(self.before, self.after):
            return "unchanged", "unchanged: config and live agree"
        return "changed", "set: config differs from live"

    def _owners(self) -> str:
        others = ", ".join(self.others)
        if self.mine is not None:
            shared = f", and by {others}" if others else ""
            taken = f", taken over from {', '.join(self.lost)}" if self.lost else ""
            return f"owned by {_manager_text(self.mine)}{shared}{taken}"
        if others:
            return f"owned by {others}"
        if _is_identity(self.path):
            return "cannot be owned"
        return f"no longer owned by {', '.join(self.lost)}" if self.lost else "owned by nobody"


def _is_identity(path: Path) -> bool:
    """True for fields that are never owned, such as the object's name."""
    return path != ("f:metadata",) and trees.contains(NEVER_OWNED, path)


def _is(entry: ManagedFieldsEntry, writer: tuple[str, str]) -> bool:
    return entry.applied and (entry.identity[0], entry.identity[3]) == writer


def _manager_text(entry: ManagedFieldsEntry) -> str:
    manager, operation, _, subresource = entry.identity
    return manager_text(manager, operation, subresource, entry.time)
