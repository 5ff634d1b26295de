"""The short ways for everyday documents come to what the long ones do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import engine
from benchmarks import texts
from engine.strategic import merge_lists
from engine.strategic.fast import Irregular, long_way, reconciled
from engine.strategic.merge import APPLY
from engine.tables.shapes import shape
from engine.values import go_json as gojson
from tests.conformance.generate import case
from tests.conformance.schemas import engine_schema

SCHEMAS = ("MergeItem", "apps/v1 Deployment", "v1 Pod", "v1 Service", "v1 ConfigMap")


@pytest.mark.parametrize("name", SCHEMAS)
def test_three_way_in_one_pass(name: str) -> None:
    schema = engine_schema(name)
    top, short = shape(schema), 0
    for seed in range(1_500):
        made = case(name, seed, 2, schema)
        if made["op"] != "three_way":
            continue
        documents = made["last_applied"], made["config"], made["live"]
        try:
            patch = reconciled(*documents, top)
        except (Irregular, engine.MergeError):
            continue
        short += 1
        assert gojson.encode(patch) == gojson.encode(long_way(*documents, top)), made
    assert short > 100


@pytest.mark.parametrize("name", SCHEMAS)
def test_lists_without_repeated_keys(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = engine_schema(name)
    made = [one for one in (case(name, seed, 2, schema) for seed in range(1_500)) if one["op"] == "apply"]
    usual = [answer(one, schema) for one in made]
    monkeypatch.setattr(merge_lists, "woven", lambda *_: None)
    assert [answer(one, schema) for one in made] == usual


def answer(made: dict[str, Any], schema: engine.Schema) -> str:
    try:
        return gojson.encode(APPLY.maps(made["target"], made["patch"], shape(schema)))
    except engine.MergeError as error:
        return type(error).__name__


def test_long_lists() -> None:
    schema, random = engine_schema("v1 Pod"), Random(7)
    names = [f"v{number}" for number in range(400)]
    for _ in range(20):
        live = random.sample(names, 300)
        patch = random.sample(names, 200)
        gone = set(random.sample(patch, 60))
        order = [name for name in patch if name not in gone]
        target = pod([{"name": name, "value": "live"} for name in live])
        changes = pod(
            [{"name": name, "value": "new"} for name in order] + [{"name": name, "$patch": "delete"} for name in gone]
        )
        changes["spec"]["containers"][0]["$setElementOrder/env"] = [{"name": name} for name in order]
        merged = engine.apply_patch(target, changes, schema)["spec"]["containers"][0]["env"]
        kept = [item["name"] for item in merged]
        assert sorted(kept) == sorted({*live, *order} - gone)
        assert [name for name in kept if name in order] == order
        assert [name for name in kept if name not in order] == [name for name in live if name not in {*order, *gone}]


def pod(env: list[dict[str, Any]]) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "main", "env": env}]}}


def test_text_to_text() -> None:
    schema = engine_schema("v1 ConfigMap")
    one, other = '{"data": {"a": "1", "b": "<"}}', b'{"data": {"b": "<", "c": 1.0}}'
    patch = texts.two_way_patch(one, other, schema)
    assert patch == '{"data":{"a":null,"c":1}}'
    assert texts.three_way_patch(one, other, one, schema) == patch
    assert texts.apply_patch(one, patch, schema) == '{"data":{"b":"\\u003c","c":1}}'
    assert texts.apply_patch(one, patch, None) == '{"data":{"b":"\\u003c","c":1}}'
    assert texts.three_way_patch(b"", other, "", schema) == '{"data":{"b":"\\u003c","c":1}}'
    assert texts.apply_patch("null", '{"data": null}', schema) == "{}"
    for broken in ("", "{", "1", "[]"):
        with pytest.raises((engine.BadText, engine.NotAnObject)):
            texts.apply_patch(one, broken, schema)
