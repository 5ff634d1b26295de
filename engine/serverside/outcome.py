"""The outcome of one server-side apply, and on request who owns which field."""

from __future__ import annotations

from .. import aliases
from ..clientside.change import Change
from ..clientside.outcome import Inputs, Outcome
from ..values.immutable import Immutable
from ..values.plain import ABSENT
from . import managers
from .fields import trees
from .fields.elements import step
from .owners import at, called, in_order

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
    changes     of every field that has an owner or lost it: its values, and who owns it
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
        """Of every field that has an owner, or lost it by this apply: its values, and who owns it since when."""
        if self._changes is None:
            _, _, live = self._inputs.documents()
            self._changes = tuple(_changes(live, self.merged, self._writer))
        return self._changes


def _restored(writer: tuple[str, str], *facts: Any) -> ServerSideOutcome:
    """An outcome made again from a pickle."""
    made = object.__new__(ServerSideOutcome)
    made._fill(*facts)
    made._writer = writer
    return made


def _changes(live: Object | None, merged: Object, writer: tuple[str, str]) -> list[Change]:
    before = {} if live is None else live
    old, new = (managers.read(managers.of_object(document)) for document in (before, merged))
    both: dict[Path, tuple[list[Entry], list[Entry]]] = {}
    for entries, side in ((old, 0), (new, 1)):
        for entry in entries.values():
            for path in trees.paths(entry.tree):
                both.setdefault(path, ([], []))[side].append(entry)
    made = []
    for path in in_order([*both], merged):
        owners, now = both[path]
        made.append(_change(path, at(before, path), at(merged, path), owners, now, writer))
    return made


def _change(
    path: Path, before: Any, after: Any, owners: list[Entry], now: list[Entry], writer: tuple[str, str]
) -> Change:
    action: aliases.Action
    if after is ABSENT:
        action = "cleared"
    elif before is ABSENT:
        action = "added"
    else:
        action = "unchanged" if before == after else "changed"
    return Change(tuple(map(step, path)), action, before, after, _reason(owners, now, writer), None)


def _reason(owners: list[Entry], now: list[Entry], writer: tuple[str, str]) -> str:
    me = [entry for entry in now if _is(entry, writer)]
    was_mine = any(_is(entry, writer) for entry in owners)
    others = [_called(entry) for entry in now if not _is(entry, writer)]
    lost = [_called(entry) for entry in owners if entry.identity not in {other.identity for other in now}]
    if me:
        text = f"owned by {_called(me[0])}" + (f", and by {', '.join(others)}" if others else "")
        taken = [
            name
            for entry, name in zip(owners, map(_called, owners), strict=True)
            if not _is(entry, writer) and name in lost
        ]
        return f"{text}; taken over from {', '.join(taken)}" if taken else text
    if was_mine and others:
        return f"given up by this apply, and owned by {', '.join(others)}"
    if was_mine:
        return "given up by this apply, and owned by nobody now"
    return f"owned by {', '.join(others)}" if others else f"no longer owned by {', '.join(lost)}"


def _is(entry: Entry, writer: tuple[str, str]) -> bool:
    return entry.applied and (entry.identity[0], entry.identity[3]) == writer


def _called(entry: Entry) -> str:
    manager, operation, _, subresource = entry.identity
    return called(manager, operation, subresource, entry.time)
