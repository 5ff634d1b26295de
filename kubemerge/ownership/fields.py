"""The fields of a live object as a tree, each with its value and its owners."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine.paths import render
from engine.serverside import managers
from engine.serverside.field_managers import NEVER_OWNED
from engine.serverside.fields.locator import PathLocator, match_set_items
from engine.serverside.fields.path_elements import MEMBER, to_step
from engine.serverside.fields.trees import contains, paths
from engine.serverside.owners import owner_of
from engine.serverside.typed.items import path_elements_of
from engine.serverside.typed.schema import List, Map, atom_of
from engine.serverside.write_steps import without_managed_fields
from engine.values.go_json import encode
from engine.values.plain import ABSENT

from ..output.secrets import is_secret, masked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Owner, Schema
    from engine.paths import Steps
    from engine.serverside.fields.trees import Path, Tree
    from engine.serverside.managers import ManagedFieldsEntry
    from engine.serverside.typed.schema import Atom

OWNED, WHOLE, INSIDE, NOBODYS, PARENT, IDENTITY, GONE = (
    "owned",
    "whole",
    "inside",
    "nobody",
    "parent",
    "identity",
    "gone",
)
"""The states of a field.

`owned`: a value with owners. `whole`: a list or map that is owned as a whole. `inside`: a part of such a list or map.
`nobody`: a value without an owner. `parent`: a field that only contains others. `identity`: a field that cannot be
owned. `gone`: an owned field without a value.
"""


@dataclass
class OwnedField:
    """A field or element, with its contents. `label` is the key of a field, or None for an element."""

    steps: Steps
    label: str | None
    value: Any
    owners: tuple[Owner, ...]
    state: str
    inside: list[OwnedField] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The path, as in `spec.containers[name=web].image`."""
        return render(self.steps)

    def walk(self) -> Iterator[OwnedField]:
        """This field and all its contents."""
        yield self
        for one in self.inside:
            yield from one.walk()


@dataclass
class Owned:
    """A live object: its fields, the owned fields that are missing, and its managers."""

    live: dict[str, Any]
    fields: list[OwnedField]
    gone: list[OwnedField]
    managers: tuple[Owner, ...]
    """Every manager, as the owner of the whole object."""
    bytes_of: tuple[int, ...]
    """The length of the entry of each manager in managedFields, as JSON."""

    def __iter__(self) -> Iterator[OwnedField]:
        for one in self.fields:
            yield from one.walk()
        yield from self.gone

    @property
    def bytes(self) -> int:
        """The length of the object as JSON."""
        return _length(self.live)

    def count(self, manager: Owner) -> int:
        """The number of values and elements that a manager owns."""
        return self._counts[_identity(manager)]

    @cached_property
    def _counts(self) -> Counter[tuple[str | None, ...]]:
        return Counter(found for one in self for found in {_identity(owner) for owner in one.owners})

    @property
    def unowned(self) -> int:
        """The number of values without an owner."""
        return sum(one.state == NOBODYS for one in self)


def _identity(owner: Owner) -> tuple[str | None, ...]:
    return owner.manager, owner.operation, owner.subresource, owner.api_version


def owned_fields(live: dict[str, Any], schema: Schema | None, *, secrets: bool = False) -> Owned:
    """The fields of a live object with their owners. The values of a Secret are masked, unless `secrets` is set."""
    entries = [*managers.parse_entries(managers.managed_fields_of(live)).values()]
    tree: _Tree = {}
    for entry in entries:
        _add(tree, entry.tree, entry)
    plain = without_managed_fields(live)
    looking = _Looking(hides=not secrets and is_secret(live))
    shape = atom_of(schema) if schema is not None else None
    inside = looking.fields(plain if secrets else masked(plain), plain, tree, shape, (), ())
    gone = [*looking.gone(entries, live)]
    lengths = tuple([_length(managers.encode_entry(entry)) for entry in entries])
    return Owned(live, inside, gone, tuple([owner_of((), entry) for entry in entries]), lengths)


def _length(value: Any) -> int:
    return len(encode(value).encode())


_Tree = dict[str, Any]
"""Maps each step to the steps inside it, and `MEMBER` to the entries that own the field itself."""


def _add(tree: _Tree, owned: Tree, entry: ManagedFieldsEntry) -> None:
    for element, inner in owned.items():
        if element == MEMBER:
            tree.setdefault(MEMBER, []).append(entry)
        else:
            _add(tree.setdefault(element, {}), inner, entry)


class _Looking:
    """Walks a document and the owned paths together. `shown` is the value with its secrets masked."""

    def __init__(self, *, hides: bool) -> None:
        self._hides = hides
        self._seen: set[Path] = set()

    def fields(
        self, shown: Any, value: dict[str, Any], tree: _Tree, shape: Atom | None, steps: Steps, path: Path
    ) -> list[OwnedField]:
        part = shape.parts[dict] if shape is not None else None
        found = []
        for key, inner in value.items():
            its = part.atom(key) if type(part) is Map else None
            hidden = shown.get(key) if isinstance(shown, dict) else shown
            below: _Tree = tree.get(f"f:{key}", {})
            found.append(self._one(hidden, inner, below, its, (*steps, key), (*path, f"f:{key}"), key))
        return found

    def items(
        self, shown: Any, value: list[Any], tree: _Tree, shape: Atom | None, steps: Steps, path: Path
    ) -> list[OwnedField]:
        part = shape.parts[list] if shape is not None else None
        known = (
            path_elements_of(value, part) if type(part) is List and not part.atomic else match_set_items(value, tree)
        )
        its = part.element if type(part) is List else None
        found = []
        for place, item in enumerate(value):
            element = known[place] or f"i:{place}"
            hidden = shown[place] if isinstance(shown, list) else shown
            at_item: Steps = (*steps, to_step(element) if element[:2] != "?:" else place)
            found.append(self._one(hidden, item, tree.get(element, {}), its, at_item, (*path, element), None))
        return found

    def _one(
        self, shown: Any, value: Any, tree: _Tree, shape: Atom | None, steps: Steps, path: Path, label: str | None
    ) -> OwnedField:
        self._seen.add(path)
        owners = tuple([owner_of(steps, entry) for entry in tree.get(MEMBER, ())])
        if contains(NEVER_OWNED, path) and path != ("f:metadata",):
            return OwnedField(steps, label, shown, owners, IDENTITY)
        if self._hides and not isinstance(shown, dict | list):
            value = shown  # its contents are hidden, too
        if not value or not isinstance(value, dict | list):
            return OwnedField(steps, label, shown, owners, OWNED if owners else NOBODYS)
        if not tree.keys() - {MEMBER} and _is_whole(value, shape, owned=bool(owners)):
            return OwnedField(steps, label, shown, owners, WHOLE if owners else NOBODYS, _parts(shown, steps))
        look = self.fields if isinstance(value, dict) else self.items
        inside = look(shown, value, tree, shape, steps, path)  # type: ignore[arg-type]
        return OwnedField(steps, label, shown, owners, OWNED if owners else PARENT, inside)

    def gone(self, entries: list[ManagedFieldsEntry], live: dict[str, Any]) -> Iterator[OwnedField]:
        """Owned fields without a value. Paths in a Secret that may contain a value are left out."""
        found: dict[Path, list[ManagedFieldsEntry]] = {}
        places = PathLocator(live)
        for entry in entries:
            for path in paths(entry.tree):
                if path not in self._seen and places.at(path) is ABSENT:
                    found.setdefault(path, []).append(entry)
        for path, owners in found.items():
            steps = tuple(map(to_step, path))
            if not (self._hides and any(not isinstance(one, str) for one in steps)):
                yield OwnedField(steps, None, None, tuple([owner_of(steps, entry) for entry in owners]), GONE)


def _is_whole(value: Any, shape: Atom | None, *, owned: bool) -> bool:
    """Whether a list or map is owned as a whole; without a schema, one is that has an owner, but no owned contents."""
    part = shape.parts[type(value)] if shape is not None else None
    if type(part) in (Map, List):
        return bool(part.atomic)  # type: ignore[union-attr]
    return owned or isinstance(value, list)


def _parts(value: Any, steps: Steps) -> list[OwnedField]:
    """The contents of a value that is owned as a whole."""
    if isinstance(value, dict):
        return [_part(inner, (*steps, key), key) for key, inner in value.items()]
    if isinstance(value, list):
        return [_part(inner, (*steps, place), None) for place, inner in enumerate(value)]
    return []


def _part(value: Any, steps: Steps, label: str | None) -> OwnedField:
    return OwnedField(steps, label, value, (), INSIDE, _parts(value, steps))
