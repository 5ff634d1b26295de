"""The fields of a value as trees: those that a config owns, and all."""

from __future__ import annotations

from collections import Counter

from ..fields.path_elements import MEMBER
from ..fields.trees import EMPTY, LEAF
from .items import path_elements_of
from .schema import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..fields.trees import Tree
    from .schema import Atom


def to_field_set(value: Any, atom: Atom) -> Tree:
    """The paths that an apply of this value owns: leaves, list elements, entries of maps with free keys."""
    part = atom.parts[type(value)]
    if part.atomic:
        return LEAF
    if type(value) is list and type(part) is List:
        return _owned_items(value, part)
    if type(value) is not dict or type(part) is not Map:
        return EMPTY
    tree: Tree = {}
    known, names = part.known, part.names
    for key, inner in value.items():
        kind = type(inner)
        inside = known.get(key) or part.atom(key)
        if inside is None or kind in inside.plain:
            tree[f"f:{key}"] = LEAF
            continue
        below = to_field_set(inner, inside)
        if inner is None or (kind is dict and not inner) or key not in names:
            below = {MEMBER: None, **below} if below else LEAF
        if below:
            tree[f"f:{key}"] = below
    return tree


def _owned_items(items: list[Any], part: List) -> Tree:
    elements = path_elements_of(items, part)
    tree: Tree = {}
    for element, item in zip(elements, items, strict=True):
        if element in tree:
            tree[element] = LEAF  # elements that share an identity are owned as one
        else:
            tree[element] = {MEMBER: None, **to_field_set(item, part.element)} if type(item) is dict else LEAF
    return tree


def all_paths(value: Any, atom: Atom) -> Tree:
    """All paths of the value and the value itself, for comparisons with a missing value."""
    part = atom.parts[type(value)]
    if part.atomic or not value:
        return LEAF
    tree: Tree = {MEMBER: None}
    if type(part) is Map and type(value) is dict:
        known = part.known
        for key, inner in value.items():
            inside = known.get(key) or part.atom(key)
            plain = inside is None or type(inner) in inside.plain
            tree[f"f:{key}"] = LEAF if plain else all_paths(inner, inside)  # type: ignore[arg-type]
    elif type(part) is List and type(value) is list:
        elements = path_elements_of(value, part)
        times = Counter(elements) if len(set(elements)) < len(elements) else {}
        for element, item in zip(elements, value, strict=True):
            tree[element] = LEAF if times.get(element, 1) > 1 else all_paths(item, part.element)
    return tree
