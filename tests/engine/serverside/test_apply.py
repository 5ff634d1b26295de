"""Rejected applies, and unchanged arguments."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import codegen
import engine
from tests.conformance.ownership.kinds import CRDS

CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1"}}
SCHEMA = engine.load().schema("v1", "ConfigMap")
TIME = "2024-01-01T00:00:00Z"


def test_creator_owns_its_fields() -> None:
    outcome = engine.server_side_apply(CONFIG, None, SCHEMA, manager="me", time=TIME)
    assert outcome.result == "created"
    assert outcome.patch == CONFIG
    assert outcome.patch_type == "apply"
    assert outcome.merged["metadata"]["managedFields"] == [
        {
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {"f:a": {}}},
            "manager": "me",
            "operation": "Apply",
            "time": TIME,
        }
    ]


def test_entry_has_the_time_of_the_write() -> None:
    (entry,) = engine.server_side_apply(CONFIG, None, SCHEMA, manager="me").merged["metadata"]["managedFields"]
    assert len(entry["time"]) == len(TIME)


def test_repeated_apply_is_unchanged() -> None:
    live = engine.server_side_apply(CONFIG, None, SCHEMA, manager="me", time=TIME).merged
    again = engine.server_side_apply(CONFIG, live, SCHEMA, manager="me")
    assert again.result == "unchanged"
    assert again.merged == live
    other = engine.server_side_apply({**CONFIG, "data": {"a": "2"}}, live, SCHEMA, manager="me")
    assert other.result == "configured"


def test_conflict_names_owners_and_fields() -> None:
    live = engine.record_update(None, CONFIG, SCHEMA, manager="kubectl-edit", time=TIME)
    with pytest.raises(engine.FieldConflict) as caught:
        engine.server_side_apply({**CONFIG, "data": {"a": "2"}}, live, SCHEMA, manager="me")
    error = caught.value
    assert str(error) == 'Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.a'
    (conflict,) = error.conflicts
    assert (conflict.path, conflict.manager, conflict.operation) == ("data.a", "kubectl-edit", "Update")
    assert (conflict.subresource, conflict.api_version, conflict.field) == (None, "v1", ".data.a")
    assert repr(conflict) == '<OwnedField data.a of "kubectl-edit" using v1>'
    assert isinstance(error, engine.ConflictError)
    for same in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert str(same) == str(error)
        assert same.conflicts == error.conflicts
        assert {hash(one) for one in same.conflicts} == {hash(conflict)}
    assert conflict != "data.a"
    forced = engine.server_side_apply({**CONFIG, "data": {"a": "2"}}, live, SCHEMA, manager="me", force=True)
    assert forced.merged["data"] == {"a": "2"}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"manager": ""}, "Pass manager"),
    ({"config": []}, "the config is a list, not an object"),
    ({"live": []}, "the live is a list, not an object"),
    ({"config": {**CONFIG, "kind": "Secret"}}, "config is a v1 Secret, but the schema describes v1 ConfigMap"),
    ({"config": {"kind": "ConfigMap"}}, "config has no apiVersion"),
    ({"config": {**CONFIG, "metadata": {"managedFields": []}}}, "metadata.managedFields must be nil"),
    ({"config": {**CONFIG, "data": {"a": 5}}}, r".data.a: expected string, got an integer"),
    ({"config": {**CONFIG, "data": {"a": {1}}}}, "not a JSON value"),
    ({"config": {**CONFIG, "data": []}}, ".data: expected map, got a list"),
    ({"config": {**CONFIG, "metadata": 5}}, ".metadata: expected map, got an integer"),
    ({"time": "now"}, "the time 'now' is not in RFC 3339 format"),
    ({"subresource": "scale"}, "live object that is scaled"),
    ({"subresource": "scale", "live": CONFIG}, "requires a Scale of autoscaling/v1"),
]


@pytest.mark.parametrize(("given", "problem"), REFUSED, ids=[problem for _, problem in REFUSED])
def test_rejected_inputs(given: dict[str, Any], problem: str) -> None:
    asked = {"config": CONFIG, "live": None, "schema": SCHEMA, "manager": "me", **given}
    with pytest.raises(engine.MergeError, match=problem.replace("(", r"\(")):
        engine.server_side_apply(asked.pop("config"), asked.pop("live"), asked.pop("schema"), **asked)


def test_all_problems_of_a_config_are_reported() -> None:
    from engine.serverside.typed.validate import WrongType

    with pytest.raises(WrongType) as caught:
        engine.server_side_apply({**CONFIG, "data": {"a": 5}, "x": 1}, None, SCHEMA, manager="me")
    assert caught.value.problems == [
        (".data.a", "expected string, got an integer"),
        (".x", "field not declared in schema"),
    ]
    assert caught.value.values == {0: ("string", 5)}
    with pytest.raises(WrongType) as caught:
        engine.server_side_apply({**CONFIG, "x": 1}, None, SCHEMA, manager="me")
    assert caught.value.problems == [(".x", "field not declared in schema")]


def test_a_custom_resource_keeps_nulls_and_a_built_in_kind_does_not() -> None:
    shape = engine.load().overlay(codegen.read(str(CRDS))).schema("example.com/v1", "Shape")
    config = {"apiVersion": "example.com/v1", "kind": "Shape", "metadata": {"name": "s"}, "spec": {"text": None}}
    assert engine.server_side_apply(config, None, shape, manager="me").merged["spec"] == {"text": None}
    stored = engine.server_side_apply({**CONFIG, "immutable": None}, None, SCHEMA, manager="me", time=TIME).merged
    assert "immutable" not in stored
    owners = [owner.path for owner in engine.field_owners(stored)]
    assert owners == ["data.a", "immutable"]


def test_a_text_is_no_number() -> None:
    shape = engine.load().overlay(codegen.read(str(CRDS))).schema("example.com/v1", "Shape")
    config = {"apiVersion": "example.com/v1", "kind": "Shape", "metadata": {"name": "s"}, "spec": {"weight": "1"}}
    with pytest.raises(engine.MergeError, match=r"\.spec\.weight: expected numeric \(int or float\)"):
        engine.server_side_apply(config, None, shape, manager="me")


def test_the_result_shares_nothing_with_its_arguments() -> None:
    live = engine.server_side_apply(CONFIG, None, SCHEMA, manager="me", time=TIME).merged
    live["metadata"]["labels"] = {"a": "b"}
    config = {**copy.deepcopy(CONFIG), "data": {"a": "1", "b": "2"}}
    before = copy.deepcopy((config, live))
    merged = engine.server_side_apply(config, live, SCHEMA, manager="me").merged
    merged["metadata"]["labels"]["x"] = merged["data"]["x"] = "y"
    merged["metadata"]["managedFields"][0]["fieldsV1"]["f:x"] = {}
    assert (config, live) == before


def test_reset_fields_may_be_given() -> None:
    keep = engine.FieldSet.of(["data"])
    merged = engine.server_side_apply(CONFIG, None, SCHEMA, manager="me", reset_fields=keep).merged
    assert "data" not in merged
    assert "managedFields" not in merged["metadata"]
    stored = engine.record_update(None, CONFIG, SCHEMA, manager="me", reset_fields=keep)
    assert "data" not in stored


def test_object_of_maximum_depth() -> None:
    deep: Any = "x"
    for _ in range(250):
        deep = {"a": deep}
    config = {"apiVersion": "example.com/v1", "kind": "Loose", "spec": deep}
    merged = engine.server_side_apply(config, None, None, manager="me").merged
    assert merged["spec"] == deep


def test_annotations_with_non_text_values_are_ignored() -> None:
    annotation = "kubectl.kubernetes.io/last-applied-configuration"
    given: dict[str, Any] = {"apiVersion": "example.com/v1", "kind": "Loose", "metadata": {"name": "l"}}
    live = {**given, "metadata": {"name": "l", "uid": "u", "annotations": {annotation: "{}", "a": 5}}}
    merged = engine.server_side_apply({**given, "spec": 1}, live, None, manager="kubectl").merged
    assert merged["metadata"]["annotations"] == live["metadata"]["annotations"]


def test_annotations_that_are_too_large_lose_the_last_applied_one() -> None:
    annotation = "kubectl.kubernetes.io/last-applied-configuration"
    live = {**CONFIG, "metadata": {"name": "c", "uid": "u", "annotations": {annotation: "{}", "large": "x" * 262_100}}}
    merged = engine.server_side_apply({**CONFIG, "data": {"b": "1"}}, live, SCHEMA, manager="kubectl").merged
    assert [*merged["metadata"]["annotations"]] == ["large"]


@pytest.mark.parametrize(("release", "kept"), [("1.32", None), ("1.33", {"a": "", "b": "c"})])
def test_null_annotation_in_last_applied_by_release(release: str, kept: dict[str, str] | None) -> None:
    annotation = "kubectl.kubernetes.io/last-applied-configuration"
    schema = engine.load(release).schema("v1", "ConfigMap")
    metadata = {"name": "c", "uid": "u", "annotations": {annotation: "{}"}}
    config = {**CONFIG, "metadata": {"name": "c", "annotations": {"a": None, "b": "c"}}}
    merged = engine.server_side_apply(config, {**CONFIG, "metadata": metadata}, schema, manager="kubectl").merged
    assert merged["metadata"]["annotations"].keys() == {annotation, "a", "b"}
    assert json.loads(merged["metadata"]["annotations"][annotation])["metadata"].get("annotations") == kept


@pytest.mark.parametrize(
    ("last", "excused"),
    [
        ({}, True),
        ({"apiVersion": "v2"}, False),
        ({"kind": ""}, False),
        ({"data": {"a": "before"}}, False),
    ],
    ids=["the live values", "of another version", "without a kind", "other values"],
)
def test_kubectl_takes_over_what_it_applied_client_side(last: dict[str, Any], *, excused: bool) -> None:
    annotation = "kubectl.kubernetes.io/last-applied-configuration"
    text = json.dumps({**CONFIG, **last})
    metadata = {"name": "c", "annotations": {annotation: text}}
    live = engine.record_update(None, {**CONFIG, "metadata": metadata}, SCHEMA, manager="kubectl-edit", time=TIME)
    config = {**CONFIG, "data": {"a": "2"}}
    if excused:
        assert engine.server_side_apply(config, live, SCHEMA, manager="kubectl").merged["data"] == {"a": "2"}
    else:
        with pytest.raises(engine.FieldConflict):
            engine.server_side_apply(config, live, SCHEMA, manager="kubectl")
