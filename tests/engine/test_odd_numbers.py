"""Numbers that JSON or Go cannot hold, at any place of any document: a result, or a documented error."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.json_merge import json_merge_patches, json_two_way_patch
from engine.values.go_json import encode
from engine.values.quantities import amount, problem
from tests.conformance.generate import case
from tests.conformance.schemas import engine_schema

if TYPE_CHECKING:
    from collections.abc import Callable

DEPLOYMENT = engine.load("1.37").schema("apps/v1", "Deployment")
ODD: tuple[Any, ...] = (
    *(10**400, -(10**400), 2**63, -(2**63) - 1, 2**64, 10**30, 1e308, 5e-324, -0.0, 1e21, 1e-7),
    *(float("nan"), float("inf"), -float("inf"), True, 10**5000),
)
Triple = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]

CALLS: dict[str, Callable[[dict[str, Any], dict[str, Any], dict[str, Any]], Any]] = {
    "two_way": lambda last, config, _: engine.two_way_patch(last, config, DEPLOYMENT),
    "three_way": lambda last, config, live: engine.three_way_patch(last, config, live, DEPLOYMENT),
    "three_way, safe": lambda last, config, live: engine.three_way_patch(last, config, live, DEPLOYMENT, safe=True),
    "three_way, refusing": lambda last, config, live: engine.three_way_patch(last, config, live, DEPLOYMENT, False),
    "apply_patch": lambda last, config, _: engine.apply_patch(last, config, DEPLOYMENT),
    "merge_patches": lambda last, config, _: engine.merge_patches(last, config, DEPLOYMENT),
    "conflicts": lambda last, config, _: engine.conflicts(last, config, DEPLOYMENT),
    "json two_way": lambda last, config, _: json_two_way_patch(last, config),
    "json three_way": engine.json_three_way_patch,
    "json apply": lambda last, config, _: engine.json_apply_patch(last, config),
    "json merge_patches": lambda last, config, _: json_merge_patches(last, config),
    "json conflicts": lambda last, config, _: engine.conflicts(last, config, None),
    "apply": lambda last, config, live: engine.apply(config, live, DEPLOYMENT, last_applied=last).changes,
    "apply, create": lambda _, config, __: engine.apply(config, None, DEPLOYMENT).changes,
    "apply, safe": lambda last, config, live: engine.apply(config, live, DEPLOYMENT, last_applied=last, safe=True),
    "apply, no schema": lambda last, config, live: engine.apply(config, live, None, last_applied=last).changes,
    "lint": lambda last, config, live: engine.lint(config, DEPLOYMENT, live=live, last_applied=last),
    "last_applied_text": lambda _, config, __: engine.last_applied_text(config),
    "hand_over": lambda _, config, live: engine.hand_over(config, live, "spec.replicas"),
    "take_over": lambda _, config, live: engine.take_over(config, live, "spec.replicas"),
    "clear": lambda _, config, __: engine.clear(config, "spec.replicas"),
    "adopt": lambda _, __, live: engine.adopt(live),
    "encode": lambda _, config, __: encode(config),
}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value: the map or list, and the key or position."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((value, key), *places(value[key]))]


def spoiled(random: Random, document: Any) -> dict[str, Any]:
    """A copy with an odd number at a random place, or as a key."""
    made: dict[str, Any] = deepcopy(document) if isinstance(document, dict) else {}
    made.setdefault("metadata", {"name": "x"})
    odd = random.choice(ODD)
    holder, key = random.choice(places(made))
    if isinstance(holder, dict) and random.random() < 0.1:
        holder[odd] = holder[key]
    else:
        holder[key] = odd
    return made


def triples() -> list[Triple]:
    random = Random(5)
    found = []
    for seed in range(4000):
        drawn = case("apps/v1 Deployment", seed, 2, DEPLOYMENT)
        if drawn["op"] == "three_way":
            one, two, three = (drawn.get(name) or {} for name in ("last_applied", "config", "live"))
            found.append((spoiled(random, one), spoiled(random, two), spoiled(random, three)))
        if len(found) == 250:
            break
    return found


TRIPLES = triples()


@pytest.mark.parametrize("name", CALLS)
def test_only_documented_errors_escape(name: str) -> None:
    errors = 0
    for documents in TRIPLES:
        try:
            CALLS[name](*documents)
        except engine.MergeError:
            errors += 1
    assert errors < len(TRIPLES) or name.startswith("apply")


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{type(odd).__name__}")
def test_odd_quantities(odd: Any) -> None:
    for ask in (amount, problem):
        with suppress(engine.MergeError):
            ask(odd)


def test_large_integer_is_rejected_with_its_path_where_numbers_become_floats() -> None:
    for last, config in (({"x": 10**400}, {"x": 1.5}), ({}, {"x": 10**400}), ({"x": [10**400]}, {"x": [1]})):
        with pytest.raises(engine.NotJson, match=r"^x"):
            engine.json_three_way_patch(last, config, {"x": 1})


def test_a_negative_zero_keeps_its_sign_in_the_annotation_only() -> None:
    config = {"metadata": {"name": "x"}, "x": -0.0}
    assert '"x":-0}' in engine.last_applied_text(config)
    assert engine.apply(config, None, None).merged["x"] == 0


def huge(value: Any, as_floats: bool) -> Any:
    """A copy with each integer replaced by one beyond 64 bits, or by its float in the reference."""
    if isinstance(value, dict):
        return {key: huge(item, as_floats) for key, item in value.items()}
    if isinstance(value, list):
        return [huge(item, as_floats) for item in value]
    if type(value) is not int:
        return value
    large = 10 ** (19 + value % 3) + value if value % 2 else -(2**63) - 1 - value
    return float(large) if as_floats else large


MERGE_ITEM = engine_schema("MergeItem")
PORTS = [{"port": 1, "name": "a"}, {"port": 2, "name": "b"}, {"port": 3, "name": "c", "x": 7}]
KEYED = [
    ({"ports": PORTS}, {"ports": PORTS[:1]}, {"ports": PORTS}),
    ({"ports": PORTS}, {"ports": [*PORTS[1:], {"port": 95}]}, {"ports": PORTS[::-1]}),
    ({"ports": PORTS}, {}, {"ports": [{**PORTS[0], "name": "z"}, *PORTS[1:]]}),
    ({"n": 1}, {"n": [1, 2], "m": {"x": 3}}, {"n": [1, 2], "m": {"x": 3}}),
]
OF_HUGE: dict[str, Callable[[Any, Any, Any], Any]] = {
    "two_way": lambda last, config, _: engine.two_way_patch(last, config, MERGE_ITEM),
    "three_way": lambda last, config, live: engine.three_way_patch(last, config, live, MERGE_ITEM),
    "three_way, safe": lambda last, config, live: engine.three_way_patch(last, config, live, MERGE_ITEM, safe=True),
    "json_three_way": engine.json_three_way_patch,
    "apply_patch": lambda last, config, _: engine.apply_patch(last, config, MERGE_ITEM),
    "merge_patches": lambda last, config, _: engine.merge_patches(last, config, MERGE_ITEM),
    "conflicts": lambda last, config, _: [c.path for c in engine.conflicts(last, config, MERGE_ITEM)],
    "apply": lambda _, config, live: engine.apply(config, live, MERGE_ITEM, last_applied={}).merged,
    "apply, created": lambda _, config, __: engine.apply(config, None, MERGE_ITEM).merged,
    "server_side_apply": lambda _, config, live: (
        engine.server_side_apply(config, live, MERGE_ITEM, manager="m", time="2020-01-01T00:00:00Z").merged
    ),
    "record_update": lambda last, config, _: engine.record_update(
        last, config, MERGE_ITEM, manager="m", time="2020-01-01T00:00:00Z"
    ),
}


def said(name: str, documents: Any) -> str:
    named = [{"apiVersion": "v1", "kind": "MergeItem", "metadata": {"name": "x"}, **one} for one in documents]
    try:
        return json.dumps(OF_HUGE[name](*named), sort_keys=True)
    except engine.MergeError as error:
        return repr(error)


@pytest.mark.parametrize("name", OF_HUGE)
def test_integer_beyond_64_bits_equals_its_float(name: str) -> None:
    """In the first document, the second, the third, or in all, as a merge key or as any other value."""
    for case_ in KEYED:
        floats = [huge(one, as_floats=True) for one in case_]
        integers = [huge(one, as_floats=False) for one in case_]
        for place in range(3):
            mixed = [*floats[:place], integers[place], *floats[place + 1 :]]
            assert said(name, mixed) == said(name, floats)
        assert said(name, integers) == said(name, floats)
