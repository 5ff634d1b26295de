"""A safe patch names what changes, and nothing else: elements that only live has are not sent back to it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from tests.conformance import safety
from tests.conformance.schemas import engine_schema

POD = engine.load("1.37").schema("v1", "Pod")


def pod(*names: str) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": name, "image": "i"} for name in names]}}


def order(*names: str) -> list[dict[str, str]]:
    return [{"name": name} for name in names]


NEW, GONE = {"name": "c", "image": "i"}, {"name": "b", "$patch": "delete"}

CASES: dict[str, tuple[Any, Any, Any, Any]] = {
    # what it is: (last applied, config, live, the patch)
    "one element comes and another one goes, beside one of somebody else": (
        pod("a", "b"),
        pod("a", "c"),
        pod("a", "x", "b"),
        {"spec": {"containers": [NEW, GONE], "$setElementOrder/containers": order("a", "c", "x")}},
    ),
    "a map is dropped in which somebody else has a field": (
        {"spec": {"securityContext": {"runAsUser": 1}, **pod("a")["spec"]}},
        pod("a"),
        {"spec": {"securityContext": {"runAsUser": 1, "fsGroup": 2}, **pod("a")["spec"]}},
        {"spec": {"securityContext": {"runAsUser": None}}},
    ),
    "a list of scalars loses one of ours and keeps one of somebody else": (
        {"metadata": {"finalizers": ["e.example/a", "e.example/b"]}},
        {"metadata": {"finalizers": ["e.example/a"]}},
        {"metadata": {"finalizers": ["e.example/a", "e.example/x", "e.example/b"]}},
        {
            "metadata": {
                "$deleteFromPrimitiveList/finalizers": ["e.example/b"],
                "$setElementOrder/finalizers": ["e.example/a"],
            }
        },
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_only_what_changes_is_sent(case: tuple[Any, Any, Any, Any]) -> None:
    last, config, live, patch = case
    assert engine.three_way_patch(last, config, live, POD, safe=True) == patch


def test_no_object_is_sent_whole() -> None:
    """A whole object would be right as well, and would take with it what others write at the same time."""
    sent = whole = 0
    for name, drawn in safety.triples(600, 11):
        schema = engine_schema(name)
        if '"mergingLists"' in json.dumps(drawn):
            continue
        try:
            patch = engine.three_way_patch(drawn["last_applied"], drawn["config"], drawn["live"], schema, safe=True)
        except engine.MergeError:
            continue
        sent += bool(patch)
        whole += patch.get("$patch") == "replace"
    assert sent > 200
    assert whole == 0
