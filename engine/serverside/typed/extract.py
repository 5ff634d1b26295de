"""The part of a value that a field set covers."""

from __future__ import annotations

from collections import Counter

from ...values.plain import ABSENT
from ..fields.path_elements import MEMBER
from .items import path_elements_of
from .schema import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..fields.trees import Tree
    from .schema import Atom


def extract_paths(value: Any, kept: Tree, atom: Atom) -> Any:
    """The value with only these paths, in its own order; ABSENT where nothing is left.

    List elements keep their keys. A map or list that is in the set without anything inside it becomes empty, unless it
    is owned as a whole.
    """
    part = atom.parts[type(value)]
    if type(value) not in (dict, list) or part.atomic:
        return value
    if type(value) is dict and type(part) is Map:
        return _of_map(value, kept, part)
    if type(value) is list and type(part) is List:
        return _of_list(value, kept, part)
    return value


def _of_map(value: dict[str, Any], kept: Tree, part: Map) -> Any:
    found: dict[str, Any] = {}
    for key, inner in value.items():
        below = kept.get(f"f:{key}")
        if below is None:
            continue
        atom = part.atom(key)
        new = inner if atom is None else extract_paths(inner, below, atom)
        if new is not ABSENT:
            found[key] = new
    return found if found or MEMBER in kept else ABSENT


def _of_list(items: list[Any], kept: Tree, part: List) -> Any:
    elements = path_elements_of(items, part)
    times = Counter(elements)
    found = []
    for element, item in zip(elements, items, strict=True):
        below = kept.get(element)
        if below is not None:  # elements that share an identity are owned as one
            is_whole = type(item) is not dict or times[element] > 1
            found.append(item if is_whole else _of_item(item, below, part))
    return found if found or MEMBER in kept else ABSENT


def _of_item(item: dict[str, Any], kept: Tree, part: List) -> dict[str, Any]:
    new = extract_paths(item, kept, part.element)
    left = new if type(new) is dict else {}
    keys = {name for name, _ in part.keys}
    return {name: left.get(name, inner) for name, inner in item.items() if name in left or name in keys}
