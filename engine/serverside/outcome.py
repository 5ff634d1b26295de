"""The outcome of one server-side apply, and on request why every field has its value and who owns it."""

from __future__ import annotations

from .. import aliases
from ..clientside.change import Change
from ..clientside.outcome import Inputs, Outcome
from ..directives import ANNOTATION
from ..values.guard import with_room
from ..values.immutable import Immutable
from ..values.plain import ABSENT
from . import managers
from .chain import NEVER_OWNED
from .fields import trees
from .fields.elements import step
from .fields.places import Places
from .owners import called
from .stored import bare
from .typed.compare import equal
from .typed.owned import everything, owned
from .typed.shapes import shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.schema import Schema
    from ..values.plain import Object
    from .chain import Writer
    from .fields.trees import Path
    from .managers import Entry


class ByOwners(Immutable):
    """How a server-side apply merges: by the types of a schema, without a patch."""

    __slots__ = ("schema",)

    schema: Schema | None

    def __init__(self, schema: Schema | None) -> None:
        super()._fill(schema)

    def explained_by(self) -> Schema | None:
        """The schema whose rules explain the outcome."""
        return self.schema


class ServerSideOutcome(Outcome):
    """The outcome of one server-side apply.

    result      "created", "unchanged", or "configured" if anything changed, managedFields included
    merged      the object after the apply, with its managedFields
    patch       the config, which is what is sent
    patch_type  "apply"
    warnings    none
    changes     why every field has its value, who owns it, who else, since which write, and what this apply gave up
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
        self._fill(result, merged, config, Inputs(config, None, live), ByOwners(schema))
        self._writer = (writer.manager, writer.subresource or "")

    def _fill(self, result: str, merged: Object, config: Object, inputs: Inputs, method: ByOwners) -> None:
        super().__init__(result, merged, config, "apply", (), inputs, method)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._writer, self.result, self.merged, self.patch, self._inputs, self._method)

    @property
    def changes(self) -> tuple[Change, ...]:
        """Why every field has its value, who owns it since which write, and what this apply took over or gave up."""
        if self._changes is None:
            config, _, live = self._inputs.documents()
            schema = self._method.explained_by()
            self._changes = with_room(lambda: tuple(_changes(config, live, self.merged, schema, self._writer)))
        return self._changes


def _restored(writer: tuple[str, str], *facts: Any) -> ServerSideOutcome:
    """An outcome made again from a pickle."""
    made = object.__new__(ServerSideOutcome)
    made._fill(*facts)
    made._writer = writer
    return made


def _changes(
    config: Object, live: Object | None, merged: Object, schema: Schema | None, writer: tuple[str, str]
) -> list[Change]:
    before, after = ({} if document is None else bare(document) for document in (live, merged))
    shape = shape_of(schema)
    sides: dict[Path, tuple[list[Entry], list[Entry]]] = {}
    for document, value in ((before, live), (after, merged)):
        for path in trees.paths(trees.leaves(everything(document, shape))) if document else ():
            sides.setdefault(path, ([], []))
        for entry in managers.read(managers.of_object(value)).values() if value else ():
            for path in trees.paths(entry.tree):
                sides.setdefault(path, ([], []))[document is after].append(entry)
    holding = {path[:length] for path in sides for length in range(len(path))}
    wanted = owned(config, shape)
    found = []
    was, now = Places(before), Places(after)
    for path in now.in_order([path for path, entries in sides.items() if path not in holding or any(entries)]):
        field = _Field(path, was.at(path), now.at(path), *sides[path], writer)
        field.holds = path in holding
        field.asked_for = trees.contains(wanted, path)
        found.append(field.change())
    return found


class _Field:
    """One field before and after the apply: its values, and the entries of those who owned it and own it now."""

    holds = asked_for = False
    """Whether there are fields in it that have changes of their own; whether the config has it."""

    def __init__(
        self, path: Path, before: Any, after: Any, old: list[Entry], new: list[Entry], writer: tuple[str, str]
    ) -> None:
        self.path, self.before, self.after = path, before, after
        self.mine = next((entry for entry in new if _is(entry, writer)), None)
        self.was_mine = any(_is(entry, writer) for entry in old)
        self.others = [_called(entry) for entry in new if entry is not self.mine]
        now = {entry.identity for entry in new}
        self.lost = [_called(entry) for entry in old if not _is(entry, writer) and entry.identity not in now]

    def change(self) -> Change:
        """What the apply does to the field, and why."""
        action, why = self._why()
        if self.holds:
            action = "matched"  # what is in it has changes of its own
        return Change(tuple(map(step, self.path)), action, self.before, self.after, f"{why}; {self._owners()}", None)

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
        """What becomes of a field that the config has."""
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
            return f"owned by {_called(self.mine)}{shared}{taken}"
        if others:
            return f"owned by {others}"
        if _is_identity(self.path):
            return "cannot be owned"
        return f"no longer owned by {', '.join(self.lost)}" if self.lost else "owned by nobody"


def _is_identity(path: Path) -> bool:
    """Whether nobody can own this field, as the name of the object."""
    return path != ("f:metadata",) and trees.contains(NEVER_OWNED, path)


def _is(entry: Entry, writer: tuple[str, str]) -> bool:
    return entry.applied and (entry.identity[0], entry.identity[3]) == writer


def _called(entry: Entry) -> str:
    manager, operation, _, subresource = entry.identity
    return called(manager, operation, subresource, entry.time)
