"""Conflicts of an apply: fields that it would change and that other managers own."""

from __future__ import annotations

from ..errors import ConflictError, MergeError
from ..paths import render
from ..tables.behaviour import NEWEST, SHARES_CONFLICT_PATHS
from ..values.immutable import Immutable
from .fields.path_elements import MEMBER, format_path, quote_go, to_step
from .fields.trees import paths_of_members_first, sorted_elements
from .managers import UPDATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..tables.behaviour import Behaviour
    from .fields.trees import Path, Tree
    from .managers import Managed, ManagedFieldsEntry


class OwnedField(Immutable):
    """One field of a conflict, and the manager that owns it.

    `path` has the engine's form, `field` the API server's. `operation` is "Apply" or "Update".
    """

    __slots__ = ("element_path", "manager", "operation", "subresource", "api_version")  # noqa: RUF023 - as in __init__

    element_path: Path
    manager: str
    operation: str
    subresource: str | None
    api_version: str

    def __init__(self, element_path: Path, entry: ManagedFieldsEntry) -> None:
        manager, operation, _, subresource = entry.identity
        self._fill(element_path, manager, operation, subresource or None, entry.version)

    @property
    def path(self) -> str:
        """The path, such as `spec.containers[name=web].image`."""
        return render(tuple(map(to_step, self.element_path)))

    @property
    def field(self) -> str:
        """The path as the API server prints it: `.spec.containers[name="web"].image`."""
        return format_path(self.element_path)

    @property
    def owner(self) -> str:
        """The manager as the API server prints it: `"kubectl" with subresource "scale" using apps/v1`."""
        text = quote_go(self.manager)
        if self.subresource:
            text += f" with subresource {quote_go(self.subresource)}"
        return f"{text} using {self.api_version}" if self.operation == UPDATE else text

    def __repr__(self) -> str:
        return f"<OwnedField {self.path} of {self.owner}>"


class FieldConflict(ConflictError):
    """An apply that would change fields of other managers. `conflicts` lists them all, by manager.

    The message is the API server's own. To resolve it, apply with `force=True` to take the fields over, use their
    current values to share them, or leave them out.
    """

    conflicts: list[OwnedField]  # type: ignore[assignment]

    def __init__(self, conflicts: Sequence[OwnedField]) -> None:
        MergeError.__init__(self, _message(conflicts))
        self.conflicts = list(conflicts)


def conflict_error(managed: Managed, sets: dict[Any, Tree], behaviour: Behaviour = NEWEST) -> FieldConflict:
    """The error for fields that other managers own, given by the identity of their entries."""
    entries = sorted([managed[key] for key in sets], key=_sorted_by)
    paths = shared_paths if SHARES_CONFLICT_PATHS in behaviour else paths_of_members_first
    return FieldConflict([OwnedField(path, entry) for entry in entries for path in paths(sets[entry.identity])])


class _Slice:
    """A Go slice: a length, and an array that it may share with other slices."""

    __slots__ = ("array", "length")

    def __init__(self, array: list[str], length: int) -> None:
        self.array, self.length = array, length

    def append(self, element: str) -> _Slice:
        """A longer slice. It overwrites the element of another one that was made from this slice, if there is room."""
        array = self.array
        if self.length == len(array):  # Go doubles the capacity
            array = [*array, *[""] * max(1, len(array))]
        array[self.length] = element
        return _Slice(array, self.length + 1)


def shared_paths(tree: Tree) -> list[Path]:
    """The paths in the messages of older releases, which kept slices that share their last elements."""
    found: list[_Slice] = []
    _share(tree, _Slice([], 0), found)
    return [tuple(one.array[: one.length]) for one in found]


def _share(tree: Tree, above: _Slice, found: list[_Slice]) -> None:
    inside = [element for element in sorted_elements(tree) if element != MEMBER]
    found += [above.append(element) for element in inside if MEMBER in tree[element]]
    for element in inside:
        if len(tree[element]) > 1 or MEMBER not in tree[element]:
            _share(tree[element], above.append(element), found)


def _sorted_by(entry: ManagedFieldsEntry) -> tuple[str, ...]:
    from .managers import _text

    return (_text(entry.identity),)


def _message(conflicts: Sequence[OwnedField]) -> str:
    if len(conflicts) == 1:
        return f"Apply failed with 1 conflict: conflict with {conflicts[0].owner}: {conflicts[0].field}"
    lines = []
    owner = None
    for conflict in conflicts:
        if conflict.owner != owner:
            owner = conflict.owner
            lines.append(f"conflicts with {owner}:")
        lines.append(f"- {conflict.field}")
    text = "\n".join(lines)
    return f"Apply failed with {len(conflicts)} conflicts: {text}"
