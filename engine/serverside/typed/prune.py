"""Pruning: an apply removes fields that its manager applied before and now leaves out, unless others own them.

The reference removes all previously applied fields, then adds back owned fields and fields that were not applied
before. Here this is done only where fields are left out, with the same result.
"""

from __future__ import annotations

from collections import Counter

from ..fields.path_elements import MEMBER
from ..fields.trees import EMPTY, difference, intersection, union
from .items import path_elements_of
from .remove import ensure_named_fields, remove_paths
from .schema import List, Map
from .to_field_set import to_field_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..fields.trees import Tree
    from .schema import Atom

    Remove: TypeAlias = Callable[[Any, Tree, Atom], Any]


class VersionedSet:
    """A field set with the type of the object in the set's apiVersion."""

    __slots__ = ("atom", "tree", "version")

    def __init__(self, tree: Tree, atom: Atom, version: str = "") -> None:
        self.tree, self.atom, self.version = tree, atom, version


class NeedsFullPrune(Exception):
    """Pruning field by field is not possible, because an element would lose its identity."""


def has_empty_list(value: Any) -> bool:
    """Whether there is an empty list in a value; the reference overlooks these, and what holds nothing else."""
    pending: list[Any] = [[value]]
    for owner in pending:  # which grows
        for one in owner.values() if type(owner) is dict else owner:
            kind = type(one)
            if kind is list and not one:
                return True
            if one and (kind is dict or kind is list):
                pending.append(one)
    return False


def paths_to_prune(value: Any, last: Tree, dropped: Tree, own: Tree, sets: list[Tree], atom: Atom) -> Tree:
    """The paths to remove.

    `last` was applied before, `own` is applied now, `dropped` is the difference `last` - `own`. `sets` are the owned
    fields in each apiVersion. May raise `NeedsFullPrune`.
    """
    gone: Tree = {}
    rest: Tree = {}
    places = _values_by_element(value, atom)
    for element, less in dropped.items():
        if element == MEMBER:
            continue
        now, place = own.get(element), places.get(element)
        if now is None or place is None:
            rest[element] = last[element]
            continue
        inside = [tree.get(element) or EMPTY for tree in sets]
        if below := paths_to_prune(place[0], last[element], less, now, inside, place[1]):
            if element[0] == "k" and not _keeps_identity(place[0], element, below, value, atom):
                raise NeedsFullPrune
            gone[element] = below
    return {**gone, **_local_paths_to_prune(value, rest, sets, atom)} if rest else gone


def _keeps_identity(item: Any, element: str, gone: Tree, items: Any, atom: Atom) -> bool:
    """True if an element keeps its identity without some of its fields."""
    part = atom.parts[type(items)]
    return type(part) is List and path_elements_of([remove_paths(item, gone, part.element)], part) == [element]


def _values_by_element(value: Any, atom: Atom) -> dict[str, tuple[Any, Atom]]:
    """The values by path element, with their types; elements that share an identity are left out."""
    part = atom.parts[type(value)]
    if type(part) is Map and type(value) is dict:
        return {f"f:{key}": (inner, found) for key, inner in value.items() if (found := part.atom(key)) is not None}
    if type(part) is List and type(value) is list:
        elements = path_elements_of(value, part)
        times = Counter(elements)
        return {
            element: (item, part.element) for element, item in zip(elements, value, strict=True) if times[element] == 1
        }
    return {}


def _restrict(value: Any, tree: Tree, atom: Atom) -> Any:
    """The fields or elements of a value that the tree mentions."""
    part = atom.parts[type(value)]
    if type(value) is dict:
        return {key: inner for key, inner in value.items() if f"f:{key}" in tree}
    if type(value) is list and type(part) is List:
        return [item for element, item in zip(path_elements_of(value, part), value, strict=True) if element in tree]
    return value


def _local_paths_to_prune(value: Any, last: Tree, sets: list[Tree], atom: Atom) -> Tree:
    """The paths to remove, among those left out directly at this value."""
    value = _restrict(value, last, atom)
    inside = [VersionedSet({element: tree[element] for element in tree.keys() & last.keys()}, atom) for tree in sets]
    return reference_paths_to_prune(value, VersionedSet(last, atom), inside, lambda document, *_: document)


_AT_VERSION = "failed to convert merged object at version"


def reference_paths_to_prune(
    value: Any, last: VersionedSet, owners: list[VersionedSet], turn: Callable[..., Any], remove: Remove = remove_paths
) -> Tree:
    """The same by the reference's own steps. `turn` converts a value from one apiVersion to another.

    The value is in the apiVersion of the last apply, as are the first owners if there are any in it.
    """
    before, version = ensure_named_fields(last.tree, last.atom), last.version
    left, whole = remove(value, before, last.atom), value
    for one in owners:
        whole = turn(whole, version, one.version, f"failed add back owned items: {_AT_VERSION} {one.version}")
        left, version = turn(left, version, one.version), one.version
        kept = union(_named_field_set(left, one.atom), ensure_named_fields(one.tree, one.atom))
        left = remove(whole, difference(_named_field_set(whole, one.atom), kept), one.atom)
    left = turn(left, version, last.version)
    return intersection(difference(_named_field_set(value, last.atom), _named_field_set(left, last.atom)), before)


def _named_field_set(value: Any, atom: Atom) -> Tree:
    return ensure_named_fields(to_field_set(value, atom), atom)
