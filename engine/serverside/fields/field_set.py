"""The public class for field sets, such as the `fieldsV1` of one manager."""

from __future__ import annotations

from ... import aliases
from ...errors import BadFieldPath, brief
from ...paths import parse, render
from ...values.go_json import decode, encode
from ...values.guard import require_depth
from . import trees
from .path_elements import from_steps, to_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class FieldSet:
    """A set of paths in an object. Immutable.

    Paths are written as in the rest of the engine: `spec.containers[name=web].image`. A path does not include the paths
    inside it: the owner of a list element need not own its fields.
    """

    __slots__ = ("tree",)

    def __init__(self, tree: aliases.Object) -> None:
        self.tree = tree

    @classmethod
    def parse(cls, fields_v1: aliases.Any) -> FieldSet:
        """Parse `fieldsV1` of a managedFields entry, given as an object or as JSON text."""
        known = decode(fields_v1) if isinstance(fields_v1, (str, bytes, bytearray)) else fields_v1
        require_depth(known)
        return cls(trees.parse(known))

    @classmethod
    def of(cls, paths: aliases.Iterable[str | aliases.Steps]) -> FieldSet:
        """The set of these paths."""
        tree = trees.of_paths([_elements(path) for path in paths])
        require_depth(tree)
        return cls(tree)

    def paths(self) -> tuple[str, ...]:
        """Every path of the set, in the order of `fieldsV1`."""
        return tuple([render(tuple(map(to_step, path))) for path in trees.paths(self.tree)])

    def to_fields_v1(self) -> aliases.Object:
        """The `fieldsV1` of the set, with keys in the API servers' order."""
        return trees.to_fields_v1(self.tree)

    def to_json(self) -> str:
        """The JSON text of `fieldsV1`, byte for byte as API servers write it."""
        return _text(self.to_fields_v1())

    def union(self, other: FieldSet) -> FieldSet:
        """The paths in either set."""
        return FieldSet(trees.union(self.tree, other.tree))

    def difference(self, other: FieldSet) -> FieldSet:
        """The paths that the other set lacks. Paths inside a path of the other set stay."""
        return FieldSet(trees.difference(self.tree, other.tree))

    def intersection(self, other: FieldSet) -> FieldSet:
        """The paths in both sets."""
        return FieldSet(trees.intersection(self.tree, other.tree))

    def leaves(self) -> FieldSet:
        """The paths without other paths of the set inside them."""
        return FieldSet(trees.leaves(self.tree))

    def __contains__(self, path: object) -> bool:
        return trees.contains(self.tree, _elements(path))

    def __bool__(self) -> bool:
        return bool(self.tree)

    def __len__(self) -> int:
        return sum(1 for _ in trees.paths(self.tree))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FieldSet) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash(frozenset(trees.paths(self.tree)))

    def __repr__(self) -> str:
        return f"<FieldSet of {len(self)} paths>"


def _elements(path: Any) -> tuple[str, ...]:
    if isinstance(path, tuple):
        return from_steps(path)
    if not isinstance(path, str):
        raise BadFieldPath(brief(path), "it is not a string")
    try:
        return from_steps(parse(path))
    except ValueError as error:
        raise BadFieldPath(path, str(error)) from None


def _text(fields: dict[str, Any]) -> str:
    return f"{{{','.join([f'{encode(element)}:{_text(inner)}' for element, inner in fields.items()])}}}"
