"""Removal of paths from a value, and adjustments of field sets to types."""

from __future__ import annotations

from ..fields.path_elements import MEMBER
from ..fields.trees import EMPTY, LEAF
from .items import path_elements_of
from .schema import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..fields.trees import Tree
    from .schema import Atom


def remove_paths(value: Any, gone: Tree, atom: Atom) -> Any:
    """The value without these paths; null where nothing is left."""
    part = atom.parts[type(value)]
    if type(part) is Map:
        return _from_map(value, gone, part) or None if type(value) is dict and not part.atomic else None
    if type(part) is List:
        return _from_list(value, gone, part) or None if type(value) is list and not part.atomic else None
    return value


def remove_paths_keeping_emptied(value: Any, gone: Tree, atom: Atom) -> Any:
    """The same as some releases do it: a map or list stays, empty, if something inside it was removed."""
    part = atom.parts[type(value)]
    if not (type(part) is Map and type(value) is dict) and not (type(part) is List and type(value) is list):
        return None if type(part) in (Map, List) else value
    if part.atomic:
        return None
    left = _left_in(value, gone, part)
    return left if left or _matches(value, gone, part) else None


def _left_in(value: Any, gone: Tree, part: Map | List) -> Any:
    atoms = part.atom if type(part) is Map else lambda _: part.element  # type: ignore[union-attr]
    left = []
    for element, key, inner in _elements_of(value, part):
        below = _inside(gone, element)
        if below is None:
            continue
        atom = atoms(key) if below else None
        new = inner if atom is None else remove_paths_keeping_emptied(inner, below, atom)
        left.append((key, type(inner)() if new is None and type(inner) in (dict, list) else new))
    return dict(left) if type(value) is dict else [item for _, item in left]


def _matches(value: Any, gone: Tree, part: Map | List) -> bool:
    """True if there are paths to remove inside one of the elements, which stays itself."""
    return any(_inside(gone, element) for element, _, _ in _elements_of(value, part))


def _elements_of(value: Any, part: Map | List) -> list[tuple[str, Any, Any]]:
    if type(part) is List:
        return list(zip(path_elements_of(value, part), range(len(value)), value, strict=True))
    return [(f"f:{key}", key, inner) for key, inner in value.items()]


def _inside(gone: Tree, element: str) -> Tree | None:
    """The paths to remove inside a value; None if the value itself is removed."""
    inner = gone.get(element)
    return EMPTY if inner is None else None if MEMBER in inner else inner


def _from_map(value: dict[str, Any], gone: Tree, part: Map) -> dict[str, Any]:
    left: dict[str, Any] = {}
    for key, inner in value.items():
        below = _inside(gone, f"f:{key}")
        if below is None:
            continue
        atom = part.atom(key) if below else None
        left[key] = remove_paths(inner, below, atom) if below and atom is not None else inner
    return left


def _from_list(items: list[Any], gone: Tree, part: List) -> list[Any]:
    left: list[Any] = []
    for element, item in zip(path_elements_of(items, part), items, strict=True):
        below = _inside(gone, element)
        if below is not None:
            left.append(remove_paths(item, below, part.element) if below else item)
    return left


def ensure_named_fields(tree: Tree, atom: Atom | None) -> Tree:
    """The set with every parent field of its paths, if the parent is a field of a type."""
    fields = atom.map if atom else None
    items = atom.list if atom else None
    result: Tree = {}
    for element, inner in tree.items():
        if inner is None or inner is LEAF or (len(inner) == 1 and MEMBER in inner):
            result[element] = inner
            continue
        inside: Atom | None = None
        named = False
        if element[0] == "f" and fields:
            inside, named = fields.atom(element[2:]), element[2:] in fields.names
        elif element[0] == "k" and items:
            inside = items.element
        below = ensure_named_fields(inner, inside)
        result[element] = {MEMBER: None, **below} if named else below
    return result


def reconcile_with_schema(tree: Tree, atom: Atom) -> Tree:
    """The set adjusted to changed types: owners of a part of a value that became atomic own the whole value."""
    changed: Tree = {}
    part = atom.default
    for element, inner in tree.items():
        if inner is None or inner is LEAF or (len(inner) == 1 and MEMBER in inner):
            continue
        inside = _inner_atom(part, element)
        if inside is None:
            continue
        below = inside.default
        if type(below) is Map and below.deduced:
            continue
        new = LEAF if below.atomic and type(below) in (Map, List) else reconcile_with_schema(inner, inside)
        if new is not inner:
            changed[element] = new
    return {**tree, **changed} if changed else tree


def _inner_atom(part: Any, element: str) -> Atom | None:
    if type(part) is List:
        return part.element
    if type(part) is not Map:
        return None
    return part.atom(element[2:]) if element[0] == "f" else part.values
