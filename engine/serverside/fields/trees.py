"""Trees of owned fields: maps from the step of a path to what is owned inside it, and set operations on them.

A path is in the set if its map holds `MEMBER`. No map is empty but that of the empty set. Trees are never changed
once they are made, so that they can share their parts.
"""

from __future__ import annotations

from .elements import MEMBER, BadFields, checked, order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeAlias

    Tree: TypeAlias = dict[str, Any]
    Path: TypeAlias = tuple[str, ...]

LEAF: Tree = {MEMBER: None}
"""A path that is in the set, and nothing inside it."""
EMPTY: Tree = {}


def union(left: Tree, right: Tree) -> Tree:
    """What is in one of the two."""
    if left is right or not right:
        return left
    if not left:
        return right
    merged = dict(left)
    for element, theirs in right.items():
        ours = merged.get(element)
        if ours is None:
            merged[element] = theirs
        elif ours is not theirs:
            merged[element] = union(ours, theirs)
    return merged


def intersection(left: Tree, right: Tree) -> Tree:
    """What is in both."""
    if left is right:
        return left
    common: Tree = {}
    for element in left.keys() & right.keys():
        if element == MEMBER:
            common[MEMBER] = None
        elif inner := intersection(left[element], right[element]):
            common[element] = inner
    return common


def difference(left: Tree, right: Tree) -> Tree:
    """What is in the left one only; a path does not take along what is inside it."""
    if not right or not left:
        return left
    if left is right:
        return EMPTY
    rest: Tree = {}
    for element, ours in left.items():
        if element not in right:
            rest[element] = ours
        elif element != MEMBER and (inner := difference(ours, right[element])):
            rest[element] = inner
    return rest


def without(left: Tree, right: Tree) -> Tree:
    """What is in the left one only; a path takes along everything inside it."""
    if not right:
        return left
    rest: Tree = {}
    for element, ours in left.items():
        theirs = right.get(element, right)
        if theirs is right:
            if element not in right:
                rest[element] = ours
        elif theirs is not None and MEMBER not in theirs and (inner := without(ours, theirs)):
            rest[element] = inner
    return rest


def contains(tree: Tree, path: Iterable[str]) -> bool:
    """Whether a path is in the set; the whole object never is."""
    for element in path:
        inner = tree.get(element)
        if inner is None:
            return False
        tree = inner
    return MEMBER in tree


def leaves(tree: Tree) -> Tree:
    """The paths that have no other path of the set inside them."""
    if len(tree) == 1 and MEMBER in tree:
        return tree
    return {element: leaves(inner) for element, inner in tree.items() if element != MEMBER}


def of_paths(paths: Iterable[Iterable[str]]) -> Tree:
    """The set of these paths."""
    tree: Tree = {}
    for path in paths:
        at = tree
        for element in path:
            at = at.setdefault(element, {})
        if at is not tree:
            at[MEMBER] = None
    return tree


def paths(tree: Tree, above: Path = ()) -> Iterator[Path]:
    """All paths of the set, each before those inside it."""
    for element in ordered(tree):
        if element == MEMBER:
            yield above
        else:
            yield from paths(tree[element], (*above, element))


def paths_of_members_first(tree: Tree, above: Path = ()) -> Iterator[Path]:
    """All paths in the order of the API server's messages: of each map, what is owned itself comes first."""
    inside = [element for element in ordered(tree) if element != MEMBER]
    yield from [(*above, element) for element in inside if MEMBER in tree[element]]
    for element in inside:
        yield from paths_of_members_first(tree[element], (*above, element))


def ordered(tree: Tree) -> list[str]:
    """The steps of a map in the order in which the API server writes them."""
    for element in tree:
        if element[0] not in "f.":
            return sorted(tree, key=order)
    return sorted(tree)


def read(fields: Any) -> Tree:
    """The tree of `fieldsV1`."""
    try:
        tree = _read(fields)
    except TypeError:
        raise BadFields("a step of an owned field is not a string") from None
    return {element: inner for element, inner in tree.items() if element != MEMBER} if MEMBER in tree else tree


def _read(fields: Any) -> Tree:
    if type(fields) is not dict:
        if fields is None:
            return EMPTY
        raise BadFields(f"owned fields are a {type(fields).__name__}, not an object")
    tree: Tree = {}
    for element, inner in fields.items():
        if element == MEMBER:
            tree[MEMBER] = None
            continue
        known = element if element[:2] == "f:" else checked(element)
        if known is not None:
            tree[known] = (_read(inner) if inner else None if inner is None else _read(inner)) or LEAF
    return tree


def written(tree: Tree) -> Tree:
    """The `fieldsV1` of a tree, in the order of the API server."""
    result: Tree = {}
    for element in ordered(tree):
        inner = tree[element]
        if inner is None or inner is LEAF or (len(inner) == 1 and MEMBER in inner):
            result[element] = {}
        else:
            result[element] = written(inner)
    return result
