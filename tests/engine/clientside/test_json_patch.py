"""The JSON patch of an outcome turns live into merged, also according to another implementation."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

import engine
from engine.clientside.json_patch import operations
from engine.values.guard import canonical
from engine.values.plain import same
from kubemerge.apiserver.patches.json_patch import BadJsonPatch, apply_json_patch
from tests.conformance.generate import case
from tests.conformance.schemas import engine_schema

from ...conftest import require_package

K8S = engine.load("1.37")
HEAD: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}


def container(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, **fields}


A, B, C = (container(name, image=f"{name}:1") for name in "abc")

LISTS: dict[str, tuple[list[Any], list[Any], list[tuple[str, str]]]] = {
    "nothing": ([A, B], [A, B], []),
    "one in front": ([A, B], [C, A, B], [("add", "/0")]),
    "one in between": ([A, B], [A, C, B], [("add", "/1")]),
    "one at the end": ([A, B], [A, B, C], [("add", "/2")]),
    "the first goes": ([A, B, C], [B, C], [("remove", "/0")]),
    "all but the middle go": ([A, B, C], [B], [("remove", "/2"), ("remove", "/0")]),
    "a field of the last": ([A, B], [A, {**B, "image": "b:2"}], [("replace", "/1/image")]),
    "one in front, and a field of the last": (
        [A, B],
        [C, A, {**B, "image": "b:2"}],
        [("add", "/0"), ("replace", "/2/image")],
    ),
    "one goes, one comes": ([A, B], [B, C], [("remove", "/0"), ("add", "/1")]),
    "another order": ([A, B], [B, A], [("replace", "")]),
    "others": ([A], [B], [("replace", "")]),
    "all go": ([A], [], [("replace", "")]),
    "all come": ([], [A], [("replace", "")]),
    "a name twice": ([A, A], [A, A, B], [("add", "/2")]),
}


@pytest.mark.parametrize("name", LISTS)
def test_list_elements_are_matched(name: str) -> None:
    before, after, wanted = LISTS[name]
    live, merged = ({"spec": {"containers": containers}} for containers in (before, after))
    found = operations(live, merged, K8S.schema("v1", "Pod"))
    assert [(one["op"], one["path"].removeprefix("/spec/containers")) for one in found] == wanted
    assert apply_json_patch(live, found) == merged


def test_elements_without_a_key_are_compared_in_turn() -> None:
    before, after = {"args": ["a", "a", "b", "c"]}, {"args": ["a", "a", "x", "y", "c"]}
    assert operations(before, after, None) == [
        {"op": "replace", "path": "/args/2", "value": "x"},
        {"op": "add", "path": "/args/3", "value": "y"},
    ]


def test_keys_with_slashes_and_tildes() -> None:
    labels = {"example.com/a~b": "1", "~1": "x", "/": "y", "": "z"}
    found = operations({"l": {**labels, "gone/~": ""}}, {"l": dict.fromkeys(labels, "new")}, None)
    assert [one["path"] for one in found] == ["/l/gone~1~0", "/l/example.com~1a~0b", "/l/~01", "/l/~1", "/l/"]
    assert apply_json_patch({"l": {**labels, "gone/~": ""}}, found) == {"l": dict.fromkeys(labels, "new")}


def test_json_types_are_distinguished() -> None:
    before, after = {"a": 1, "b": 1, "c": {}, "d": None}, {"a": True, "b": 1.0, "c": [], "d": 0}
    assert same(apply_json_patch(before, operations(before, after, None)), after)


def outcome(config: dict[str, Any], live: dict[str, Any] | None) -> engine.Outcome:
    return engine.apply(config, live, K8S)


def test_new_object_is_set_as_a_whole() -> None:
    found = outcome(HEAD, None)
    assert found.json_patch() == [{"op": "replace", "path": "", "value": found.merged}]
    assert apply_json_patch(None, found.json_patch()) == found.merged


def test_no_changes_give_an_empty_patch() -> None:
    live = outcome(HEAD, None).merged
    assert outcome(HEAD, live).json_patch() == []


def test_test_operations_fail_after_a_concurrent_change() -> None:
    live = outcome({**HEAD, "metadata": {"name": "a", "labels": {"a": "1", "b": "1"}}}, None).merged
    config = {**HEAD, "metadata": {"name": "a", "labels": {"a": "2"}}}
    found = outcome(config, live)
    assert apply_json_patch(live, found.json_patch(test=True)) == found.merged
    assert sum(one["op"] == "test" for one in found.json_patch(test=True)) == 3
    other = deepcopy(live)
    other["metadata"]["labels"]["b"] = "theirs"
    with pytest.raises(BadJsonPatch, match="the test fails"):
        apply_json_patch(other, found.json_patch(test=True))


def test_it_shares_nothing_with_the_outcome() -> None:
    found = outcome({**HEAD, "spec": {"containers": [A]}}, {**HEAD, "spec": {}})
    before = deepcopy(found.merged)
    for one in found.json_patch():
        if isinstance(one.get("value"), dict):
            one["value"].clear()
    assert found.merged == before


def test_a_deep_object() -> None:
    documents: list[Any] = ["old", "new"]
    for _ in range(290):
        documents = [{"a": one} for one in documents]
    live, config = ({**HEAD, "kind": "X", "apiVersion": "e.com/v1", "x": one} for one in documents)
    found = engine.apply(config, live, None, last_applied={}).json_patch()
    assert [one["value"] for one in found if one["path"].endswith("/a/a")] == ["new"]


def check(schema_name: str, seeds: range) -> None:
    jsonpatch = require_package("jsonpatch")
    schema = engine_schema(schema_name)
    for seed in seeds:
        made = case(schema_name, seed, 3, schema)
        before, after = made.get("live", made.get("original")), made.get("config", made.get("modified"))
        if before is None or after is None:
            continue
        before = canonical(before)  # with separate parts, because jsonpatch changes them in place
        for rules in (schema, None):
            for test in (False, True):
                found = operations(before, after, rules, test=test)
                assert same(apply_json_patch(before, found), after), seed
                assert same(jsonpatch.apply_patch(before, found), after), seed
        if Random(seed).random() < 0.1:
            assert operations(after, after, schema) == []


@pytest.mark.parametrize("schema_name", ["MergeItem", "apps/v1 Deployment", "v1 Pod", "v1 Service"])
def test_drawn_documents(schema_name: str) -> None:
    check(schema_name, range(150))


@pytest.mark.slow
@pytest.mark.parametrize("schema_name", ["MergeItem", "apps/v1 Deployment", "v1 Pod", "v1 Service"])
def test_many_drawn_documents(schema_name: str) -> None:
    check(schema_name, range(150, 3_000))
