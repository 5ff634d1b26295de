"""Safe merging uses its fallbacks for rare documents as rarely as intended."""

from __future__ import annotations

from collections import Counter

import engine

from . import safety
from .schemas import engine_schema

HAZARD = {"spec": {"ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]}}
LIVE = {"spec": {"ports": [{"port": 53, "protocol": "TCP"}], "clusterIP": "10.0.0.1"}}


def test_nearly_all_patches_are_exact() -> None:
    ways = Counter(
        safety.way(drawn["last_applied"], drawn["config"], drawn["live"], engine_schema(name))
        for name, drawn in safety.triples(1_000, 6)
    )
    assert ways["rewritten"] > 50
    assert safety.too_many(ways) == []


def test_kind_of_patch_is_derived_from_the_patch() -> None:
    schema = engine.load("1.37").schema("v1", "Service")
    assert safety.way({}, LIVE, LIVE, schema) == "nothing to do"
    assert safety.way({}, {"spec": {"type": "NodePort"}}, LIVE, schema) == "exact"
    assert safety.way({}, HAZARD, LIVE, schema) == "rewritten"
    assert safety.way({}, {"spec": {"$patch": "delete"}}, LIVE, schema) == "refused"
    assert safety.replaces_a_map({"spec": {"containers": [{"name": "a", "$patch": "replace"}]}})
    assert not safety.replaces_a_map({"spec": {"containers": [{"$patch": "replace"}, {"name": "a"}]}})


def test_exceeded_limit_is_reported() -> None:
    ways = Counter({"exact": 900, "whole object": 2, "refused": 5_000})
    assert safety.too_many(ways) == ["2 of 902 patches are 'whole object'; at most 0.1% should be"]
    assert safety.too_many(Counter()) == []
