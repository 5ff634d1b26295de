"""The index finds the same renamed elements as a full search."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.linter.context import LintContext
from engine.linter.renames import match_renamed
from engine.linter.values import covers

from .cases import tables

VALUES: tuple[Any, ...] = (
    1,
    1.0,
    True,
    "1",
    None,
    {},
    [],
    {"a": 1},
    {"a": 1, "b": None},
    [1],
    [1, 2],
    [{}],
    [{"a": None}, 1],
)


def searched(key: str, old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """For each live element the first one of the config with the same name, or with the same other fields."""
    found = []
    for item in old:
        for at, other in enumerate(new):
            rest = {name: value for name, value in other.items() if name != key}
            by_name = key != "name" and type(rest.get("name")) is str and rest["name"] == item.get("name")
            if by_name or (covers(item, rest) and len(rest) > 1):
                found.append((item, new.pop(at)))
                break
    return found


def drawn(random: Random, key: str, first: int, count: int) -> list[dict[str, Any]]:
    names = ("image", "ports", "name") if key != "name" else ("image", "ports", "tty")
    return [
        {key: first + at if key == "port" else f"c{first + at}"}
        | {name: random.choice(VALUES) for name in names if random.random() < 0.7}
        for at in range(count)
    ]


def found(kind: str, field: str, config: list[Any], live: list[Any]) -> list[tuple[Any, Any]]:
    head = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x"}}
    schema = tables(None).schema("v1", kind)
    context = LintContext({**head, "spec": {field: config}}, schema, {**head, "spec": {field: live}}, None)
    place = next(place for place in context.places if place.steps == ("spec", field))
    assert place.keys
    return match_renamed(context, place, place.keys)


@pytest.mark.parametrize(("kind", "field", "key"), [("Pod", "containers", "name"), ("Service", "ports", "port")])
@pytest.mark.parametrize("seed", range(60))
def test_the_index_finds_what_a_search_finds(kind: str, field: str, key: str, seed: int) -> None:
    random = Random(seed)
    config, live = drawn(random, key, 1, random.randint(1, 6)), drawn(random, key, 100, random.randint(2, 6))
    if len(config) == len(live) == 1:
        return
    assert found(kind, field, config, live) == searched(key, list(live), list(config))


@pytest.mark.parametrize("text", ["map", "list"])
def test_text_is_not_treated_as_a_map_or_a_list(text: str) -> None:
    config = [{"name": "a", "image": text, "tty": True}, {"name": "b"}]
    live = [{"name": "c", "image": {"x": 1}, "tty": True}, {"name": "d", "image": [], "tty": True}]
    assert found("Pod", "containers", config, live) == []
