"""The functions from text to text give the results and errors of those for documents."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from engine import texts
from engine.values.go_json import encode

POD = engine.load().schema("v1", "Pod")
OLD = engine.load("1.10").schema("v1", "Pod")


def pod(*names: Any, **fields: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": name, "image": "x"} for name in names], **fields}}


CASES: dict[str, tuple[Any, Any, Any]] = {
    "nothing": ({}, {}, {}),
    "a removed and a new element": (pod("a", "b"), pod("a", "c"), pod("a", "b", "z")),
    "another order": (pod("a", "b"), pod("b", "a"), pod("a", "b")),
    "all elements removed": (pod("a"), {"spec": {"containers": []}}, pod("a")),
    "a repeated key": (pod("a", "a"), pod("a", "a"), pod("a")),
    "mixed keys": (pod(1), pod("a", 1), pod("a")),
    "keys of another type": (pod(1), pod(True), pod(1.0)),
    "no key": (pod("a"), {"spec": {"containers": [{"image": "x"}]}}, pod("a")),
    "a directive in the config": ({}, {"spec": {"$patch": "delete"}}, pod("a")),
    "Python names": ({}, {"api_version": "v1"}, {}),
    "floats": ({"a": 1.0}, {"a": 1e21, "b": 1.5}, {"a": 1}),
    "a large integer": ({}, {"a": 2**63}, {"a": 2**63 - 1}),
}


def outcome(function: Any, *given: Any) -> str:
    try:
        result = function(*given)
    except engine.MergeError as error:
        return f"{type(error).__name__}: {error}"
    return result if isinstance(result, str) else encode(result)


@pytest.mark.parametrize("schema", [POD, OLD, None], ids=["new", "old", "no schema"])
@pytest.mark.parametrize("documents", CASES.values(), ids=CASES)
def test_results_and_errors_are_those_for_documents(documents: tuple[Any, Any, Any], schema: Any) -> None:
    last, config, live = documents
    words = [json.dumps(document) for document in documents]
    assert outcome(texts.three_way_patch, *words, schema) == outcome(engine.three_way_patch, *documents, schema)
    for one, other, its, others in ((last, config, words[0], words[1]), (live, config, words[2], words[1])):
        assert outcome(texts.two_way_patch, its, others, schema) == outcome(engine.two_way_patch, one, other, schema)
        assert outcome(texts.apply_patch, its, others, schema) == outcome(engine.apply_patch, one, other, schema)


PATCHES: dict[str, dict[str, Any]] = {
    "order and deletion": {
        "containers": [{"name": "a", "$patch": "delete"}],
        "$setElementOrder/containers": [{"name": "b"}],
    },
    "order alone": {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}]},
    "order that the patch does not follow": {
        "containers": [{"name": "b"}, {"name": "a"}],
        "$setElementOrder/containers": [{"name": "a"}, {"name": "b"}],
    },
    "order of no list": {"$setElementOrder/containers": {}},
    "order of an unknown field": {"$setElementOrder/other": []},
    "order without a name": {"$setElementOrder/": []},
    "order of an order": {"$setElementOrder/$setElementOrder/containers": []},
    "retained keys": {"$retainKeys": ["dnsPolicy"], "dnsPolicy": "Default"},
    "replacement": {"$patch": "replace", "dnsPolicy": "Default"},
    "an unknown directive": {"$patch": "other"},
    "a key before the directives": {"!": 1, "#": "x", "containers": None},
    "null": {"containers": None},
    "another type": {"containers": {"a": 1}},
}


@pytest.mark.parametrize("schema", [POD, OLD], ids=["new", "old"])
@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_patches_with_directives(patch: dict[str, Any], schema: Any) -> None:
    target, changes = pod("a", "b", "c", restartPolicy="Always"), {"spec": patch}
    said = outcome(texts.apply_patch, json.dumps(target), json.dumps(changes), schema)
    assert said == outcome(engine.apply_patch, target, changes, schema)


class Text(str):
    """The text of a library that keeps its quotes."""

    __slots__ = ()


def test_keys_of_deleted_elements_are_plain() -> None:
    config = pod("a")
    for last in (pod("a", Text("b")), pod(Text("a"), Text("b"))):
        patch = engine.three_way_patch(last, config, pod("a", "b"), POD)
        (gone,) = patch["spec"]["containers"]
        assert gone == {"name": "b", "$patch": "delete"}
        assert type(gone["name"]) is str
