"""Field sets as trees: maps from path elements to subtrees, and set operations on them.

A path is in the set if its map holds `MEMBER`. Only the empty set is an empty map. Trees are never changed once they
are made, so they can share parts.
"""

from __future__ import annotations

from .path_elements import MEMBER, BadFields, in_order, normalize_element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    Tree: TypeAlias = dict[str, Any]
    Path: TypeAlias = tuple[str, ...]

LEAF: Tree = {MEMBER: None}
"""A tree whose path is in the set, with nothing inside it."""
EMPTY: Tree = {}


def union(left: Tree, right: Tree) -> Tree:
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


def union_all(found: Sequence[Tree]) -> Tree:
    """The union of many sets, in one pass: unions of two would copy the larger set again and again."""
    if len(found) < 3:
        return union(*found) if len(found) == 2 else found[0] if found else EMPTY
    merged: Tree = {}
    shared: dict[str, list[Tree]] = {}
    for tree in found:
        for element, inner in tree.items():
            if element not in merged:
                merged[element] = inner
            elif inner is not merged[element]:
                shared.setdefault(element, [merged[element]]).append(inner)
    for element, inner_trees in shared.items():
        merged[element] = union_all(inner_trees)
    return merged


def intersection(left: Tree, right: Tree) -> Tree:
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
    """The paths of the left set that are not in the right one. Paths inside a removed path stay."""
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
    """The paths of the left set that are not in or inside a path of the right one."""
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
    """True if a path is in the set; the whole object never is."""
    inner = _inside(tree, path)
    return inner is not None and MEMBER in inner


def leads_into(tree: Tree, path: Iterable[str]) -> bool:
    """True if a path, or a path inside it, is in the set."""
    return _inside(tree, path) is not None


def _inside(tree: Tree, path: Iterable[str]) -> Tree | None:
    """The part of the set at a path; None without one."""
    for element in path:
        inner = tree.get(element)
        if inner is None:
            return None
        tree = inner
    return tree


def leaves(tree: Tree) -> Tree:
    """The paths without other paths of the set inside them."""
    if len(tree) == 1 and MEMBER in tree:
        return tree
    return {element: leaves(inner) for element, inner in tree.items() if element != MEMBER}


def of_paths(paths: Iterable[Iterable[str]]) -> Tree:
    tree: Tree = {}
    for path in paths:
        at = tree
        for element in path:
            at = at.setdefault(element, {})
        if at is not tree:
            at[MEMBER] = None
    return tree


def paths(tree: Tree, above: Path = ()) -> Iterator[Path]:
    """All paths of the set, parents first."""
    for element in sorted_elements(tree):
        if element == MEMBER:
            yield above
        else:
            yield from paths(tree[element], (*above, element))


def paths_of_members_first(tree: Tree, above: Path = ()) -> Iterator[Path]:
    """All paths in the order of the API server's messages: the members of each map come first."""
    inside = [element for element in sorted_elements(tree) if element != MEMBER]
    yield from [(*above, element) for element in inside if MEMBER in tree[element]]
    for element in inside:
        yield from paths_of_members_first(tree[element], (*above, element))


def sorted_elements(tree: Tree) -> list[str]:
    """The path elements of a map in the API server's order."""
    for element in tree:
        if element[0] not in "f.":
            return in_order(tree)
    return sorted(tree)


def parse(fields: Any) -> Tree:
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
        known = element if element[:2] == "f:" else normalize_element(element)
        if known is not None:
            tree[known] = (_read(inner) if inner else None if inner is None else _read(inner)) or LEAF
    return tree


def to_fields_v1(tree: Tree) -> Tree:
    """The `fieldsV1` of a tree, in the API server's order."""
    result: Tree = {}
    for element in sorted_elements(tree):
        inner = tree[element]
        if inner is None or inner is LEAF or (len(inner) == 1 and MEMBER in inner):
            result[element] = {}
        else:
            result[element] = to_fields_v1(inner)
    return result
