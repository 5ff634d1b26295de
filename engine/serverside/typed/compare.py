"""Comparison of two values of one type: removed, modified and added paths."""

from __future__ import annotations

from ..fields.trees import EMPTY, LEAF, union
from .items import path_elements_of
from .schema import List, Map
from .to_field_set import all_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..fields.trees import Tree
    from .schema import Atom, Part


class Comparison:
    """The removed, modified and added paths, each as a tree."""

    __slots__ = ("added", "modified", "removed")

    def __init__(self, removed: Tree = EMPTY, modified: Tree = EMPTY, added: Tree = EMPTY) -> None:
        self.removed, self.modified, self.added = removed, modified, added

    @property
    def is_same(self) -> bool:
        """True if there is no change. The order of lists with keys does not count."""
        return not (self.removed or self.modified or self.added)

    @property
    def set(self) -> Tree:
        """The modified and added paths."""
        return union(self.modified, self.added)

    def filter(self, keep: Callable[[Tree], Tree]) -> Comparison:
        return Comparison(keep(self.removed), keep(self.modified), keep(self.added))

    def union(self, other: Comparison) -> Comparison:
        """The paths of both comparisons."""
        return Comparison(
            union(self.removed, other.removed), union(self.modified, other.modified), union(self.added, other.added)
        )


MODIFIED = Comparison(modified=LEAF)
SAME = Comparison()


def equal(one: Any, other: Any) -> bool:
    """True if two values are equal to the API server: numbers by value, everything else also by type."""
    if one is other:
        return True
    kind = type(one)
    if kind is dict:
        return (
            type(other) is dict
            and len(one) == len(other)
            and all(key in other and equal(value, other[key]) for key, value in one.items())
        )
    if kind is list:
        return (
            type(other) is list
            and len(one) == len(other)
            and all(equal(value, theirs) for value, theirs in zip(one, other, strict=True))
        )
    return one == other and (kind is bool) == (type(other) is bool)


def compare(before: Any, after: Any, atom: Atom) -> Comparison:
    """The changes from one value to another, as paths inside it. An atomic value is a single path."""
    if before is after:
        return SAME
    parts = atom.parts
    part, old_part = parts[type(after)], parts[type(before)]
    found = _by_part(before, after, part)
    return found if old_part is part else _by_part(before, after, old_part).union(found)


def _by_part(before: Any, after: Any, part: Part) -> Comparison:
    if type(part) is Map:
        old, new = (value if type(value) is dict else {} for value in (before, after))
        if part.atomic or not (old or new):
            return SAME if equal(before, after) else MODIFIED
        return _maps(old, new, part)
    if type(part) is List:
        ours, theirs = (value if type(value) is list else [] for value in (before, after))
        if part.atomic or not (ours or theirs):
            return SAME if equal(before, after) else MODIFIED
        return _lists(ours, theirs, part)
    return SAME if equal(before, after) else MODIFIED


class _Collector:
    """Combines the comparisons of the parts of a value."""

    __slots__ = ("added", "modified", "removed")

    def __init__(self) -> None:
        self.removed: Tree = {}
        self.modified: Tree = {}
        self.added: Tree = {}

    def inside(self, element: str, found: Comparison) -> None:
        if found.removed:
            self.removed[element] = found.removed
        if found.modified:
            self.modified[element] = found.modified
        if found.added:
            self.added[element] = found.added

    def comparison(self) -> Comparison:
        return Comparison(self.removed, self.modified, self.added)


def _maps(old: dict[str, Any], new: dict[str, Any], part: Map) -> Comparison:
    found = _Collector()
    known = part.known
    for key, after in new.items():
        if key not in old:
            atom = part.atom(key)
            found.added[f"f:{key}"] = LEAF if atom is None else all_paths(after, atom)
            continue
        before = old[key]
        kind = type(after)
        if before is after or (kind is type(before) and kind not in (dict, list) and before == after):
            continue
        atom = known.get(key) or part.atom(key)
        if atom is not None:
            changed = compare(before, after, atom)
            if changed is not SAME:
                found.inside(f"f:{key}", changed)
    if len(old) > len(new) or any(key not in new for key in old):
        for key, before in old.items():
            if key not in new:
                atom = part.atom(key)
                found.removed[f"f:{key}"] = LEAF if atom is None else all_paths(before, atom)
    return found.comparison()


def _group(items: list[Any], part: List) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for element, item in zip(path_elements_of(items, part), items, strict=True):
        groups.setdefault(element, []).append(item)
    return groups


def _lists(old: list[Any], new: list[Any], part: List) -> Comparison:
    """Elements with the same identity are compared as one group: changed, removed or added."""
    found = _Collector()
    atom = part.element
    ours, theirs = _group(old, part), _group(new, part)
    for element in {**ours, **theirs}:
        before, after = ours.get(element, []), theirs.get(element, [])
        if len(before) <= 1 and len(after) <= 1:
            if not before:
                found.added[element] = all_paths(after[0], atom)
            elif not after:
                found.removed[element] = all_paths(before[0], atom)
            else:
                found.inside(element, compare(before[0], after[0], atom))
        elif len(before) > 1 and len(after) > 1:
            if not equal(before, after):
                found.modified[element] = LEAF
        elif len(before) > 1:
            found.removed[element] = LEAF
            if after:
                found.added[element] = all_paths(after[0], atom)
        else:
            found.added[element] = LEAF
            if before:
                found.removed[element] = all_paths(before[0], atom)
    return found.comparison()
