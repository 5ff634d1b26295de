"""The changes that a create makes, with the checks of the types in the same pass: most creates need nothing else."""

from __future__ import annotations

from ..fields.path_elements import MEMBER
from ..fields.trees import LEAF, difference
from .items import InvalidListItem, path_element_of
from .schema import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..fields.trees import Tree
    from .schema import Atom


class _Unusual(Exception):
    """A null, a value of a wrong type, or a list with two similar elements."""


def added_paths(empty: dict[str, Any], new: dict[str, Any], atom: Atom) -> Tree | None:
    """The added and modified paths between the empty object of a kind and a new object, as `compare` finds them.

    None: the object is unusual, or invalid. It needs the same steps as a change, which also report its errors.
    """
    part = atom.parts[dict]
    if type(part) is not Map:
        return None
    try:
        return _changes(empty, new, part)
    except (_Unusual, InvalidListItem):
        return None


def _changes(old: dict[str, Any], new: dict[str, Any], part: Map) -> Tree:
    tree: Tree = {}
    for key, after in new.items():
        atom = part.known.get(key) or part.atom(key)
        if atom is None:
            raise _Unusual
        if key not in old:
            tree[f"f:{key}"] = _paths(after, atom, is_null=key in part.nulls)
            continue
        before = old[key]
        inside = atom.parts[type(after)]
        if type(before) is dict and type(after) is dict and type(inside) is Map and not inside.atomic:
            changed = _changes(before, after, inside)
            if changed:
                tree[f"f:{key}"] = changed
            continue
        found = _paths(after, atom, is_null=key in part.nulls)
        if type(before) is type(after) and before == after:
            continue
        if before is None and inside is atom.default:
            tree[f"f:{key}"] = LEAF if found is LEAF else difference(found, LEAF)
        elif type(after) in atom.plain and type(before) is type(after):
            tree[f"f:{key}"] = LEAF
        else:
            raise _Unusual
    return tree


def _paths(value: Any, atom: Atom, *, is_null: bool) -> Tree:
    """All paths of a value. `is_null`: its field may be null."""
    kind = type(value)
    if kind in atom.plain or (value is None and is_null):
        return LEAF
    part = atom.parts[kind]
    tree: Tree = {MEMBER: None}
    if kind is dict and type(part) is Map:
        known, nulls = part.known, part.nulls
        for key, inner in value.items():
            inside = known.get(key) or part.atom(key)
            if inside is None:
                raise _Unusual
            tree[f"f:{key}"] = LEAF if type(inner) in inside.plain else _paths(inner, inside, is_null=key in nulls)
    elif kind is list and type(part) is List:
        inside = part.element
        if part.atomic:
            for item in value:
                if type(item) not in inside.plain:
                    _paths(item, inside, is_null=False)
            return LEAF
        for item in value:
            tree[path_element_of(item, part)] = _paths(item, inside, is_null=False)
        if len(tree) <= len(value):
            raise _Unusual
    else:
        raise _Unusual
    return LEAF if part.atomic or not value else tree
