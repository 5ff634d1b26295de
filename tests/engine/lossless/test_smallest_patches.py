"""A safe patch contains only the changes: live-only elements are not sent back."""

from __future__ import annotations

import json
from typing import Any

import pytest

import codegen
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
    # by description: last applied, config, live, the patch
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


def test_list_is_sent_as_a_whole_if_a_defaulted_merge_key_is_missing() -> None:
    item = {"type": "object", "properties": {"name": {"type": "string", "default": "a"}, "x": {"type": "integer"}}}
    marks = {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}
    items = {"type": "array", "items": {"$ref": "#/definitions/t.Item"}, **marks}
    holder = {"type": "object", "properties": {"items": items}}
    schema = codegen.read({"definitions": {"t.Item": item, "t.Holder": holder}}).definition("t.Holder")
    config, live = {"items": [{"name": "a", "x": 2}]}, {"items": [{"x": 1}, {"name": "b"}]}
    patch = engine.three_way_patch({}, config, live, schema, safe=True)
    assert patch == {"items": [{"$patch": "replace"}, {"name": "a", "x": 2}, {"name": "b"}]}


def test_no_object_is_sent_as_a_whole() -> None:
    """A whole object would be correct, too, but would overwrite concurrent writes."""
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
