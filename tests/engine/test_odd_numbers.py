"""Numbers that JSON or Go cannot hold, at any place of any document: a result, or a documented error."""

from __future__ import annotations

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
    return found[:250]


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


def test_a_large_integer_is_refused_with_its_place_wherever_numbers_become_floats() -> None:
    for last, config in (({"x": 10**400}, {"x": 1.5}), ({}, {"x": 10**400}), ({"x": [10**400]}, {"x": [1]})):
        with pytest.raises(engine.NotJson, match=r"^x"):
            engine.json_three_way_patch(last, config, {"x": 1})


def test_a_negative_zero_keeps_its_sign_in_the_annotation_only() -> None:
    config = {"metadata": {"name": "x"}, "x": -0.0}
    assert '"x":-0}' in engine.last_applied_text(config)
    assert engine.apply(config, None, None).merged["x"] == 0


@pytest.mark.parametrize("large", [2**63, 2**64])
def test_a_merge_key_beyond_64_bits_is_the_float_that_it_becomes(large: int) -> None:
    """Given as an integer or as a float, it finds its element, and is sorted as Go sorts floats."""
    item = engine_schema("MergeItem")
    target = {"ports": [{"port": float(large), "name": "a"}, {"port": 1, "name": "b"}]}
    patched = engine.apply_patch(target, {"ports": [{"port": large, "name": "c"}]}, item)
    assert {one["name"] for one in patched["ports"]} == {"b", "c"}
    whole = {"ports": [{"port": large}, {"port": 1}, {"port": 95}]}
    floats = {"ports": [{"port": float(large)}, {"port": 1}, {"port": 95}]}
    others: list[dict[str, Any]] = [{"ports": [{"port": 95}]}, {"ports": []}]
    for other in others:
        assert engine.two_way_patch(whole, other, item) == engine.two_way_patch(floats, other, item)
