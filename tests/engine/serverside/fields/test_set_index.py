"""Paths are found in many field sets as in each of them."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.serverside.fields import trees
from engine.serverside.fields.path_elements import MEMBER
from engine.serverside.fields.set_index import SetIndex


def _random_tree(random: Random, depth: int = 3) -> dict[str, Any]:
    tree: dict[str, Any] = {MEMBER: None} if random.random() < 0.5 else {}
    for name in random.sample("abc", random.randrange(4) if depth else 0):
        inner = _random_tree(random, depth - 1)
        if inner:
            tree[f"f:{name}"] = inner
    return tree


def _covers(tree: dict[str, Any], path: tuple[str, ...]) -> bool:
    """Whether the set has the path, or a path around it that has nothing inside it."""
    around = [path[:depth] for depth in range(1, len(path))]
    return trees.contains(tree, path) or any(
        trees.contains(tree, one) and not any(trees.leads_into(tree, (*one, f"f:{name}")) for name in "abc")
        for one in around
    )


def test_the_sets_of_a_path() -> None:
    random = Random("sets")
    sets = [{key: inner for key, inner in _random_tree(random).items() if key != MEMBER} for _ in range(60)]
    index = SetIndex(sets)
    names = ["f:a", "f:b", "f:c"]
    paths = [(a,) for a in names] + [(a, b) for a in names for b in names]
    paths += [(*path, "f:a") for path in paths]
    for path in paths:
        assert index.containing(path) == [at for at, tree in enumerate(sets) if trees.contains(tree, path)]
        assert index.leading_into(path) == [at for at, tree in enumerate(sets) if trees.leads_into(tree, path)]
        assert index.covering(path) == [at for at, tree in enumerate(sets) if _covers(tree, path)]


def test_the_union_of_many_sets() -> None:
    random = Random("union")
    for count in range(9):
        sets = [_random_tree(random) for _ in range(count)]
        wanted: dict[str, Any] = {}
        for one in sets:
            wanted = trees.union(wanted, one)
        assert str(trees.union_all(sets)) == str(wanted), "also in the same order"
