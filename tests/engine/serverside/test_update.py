"""The objects stored by writes other than applies."""

from __future__ import annotations

from typing import Any

import pytest

import engine

SCHEMA = engine.load().schema("v1", "ConfigMap")
AFTER = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1"}}


@pytest.mark.parametrize("given", [{"after": []}, {"before": []}, {"time": "now"}, {"subresource": "scale"}])
def test_rejected_inputs(given: dict[str, Any]) -> None:
    asked = {"before": None, "after": AFTER, "schema": SCHEMA, "manager": "me", **given}
    with pytest.raises(engine.MergeError):
        engine.record_update(asked.pop("before"), asked.pop("after"), asked.pop("schema"), **asked)


def test_object_with_invalid_metadata_is_stored_unchanged() -> None:
    live = engine.server_side_apply(AFTER, None, SCHEMA, manager="me").merged
    assert engine.record_update(live, {**AFTER, "metadata": "c"}, SCHEMA, manager="me") == {**AFTER, "metadata": "c"}


def test_untracked_object_stays_untracked() -> None:
    live = {**AFTER, "metadata": {"name": "c", "uid": "u"}}
    stored = engine.record_update(live, {**live, "data": {"b": "2"}}, SCHEMA, manager="me")
    assert stored == {**live, "data": {"b": "2"}}


def test_a_create_owns_what_the_empty_object_of_the_kind_lacks() -> None:
    schema = engine.load("1.37").schema("apps/v1", "Deployment")
    after = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": {"replicas": 1}}
    bare = {"apiVersion": "apps/v1", "kind": "Deployment"}
    fields = [
        engine.record_update(before, after, schema, manager="me")["metadata"]["managedFields"][0]["fieldsV1"]
        for before in (None, bare)
    ]
    assert fields == [{"f:spec": {"f:replicas": {}}}, {"f:spec": {".": {}, "f:replicas": {}}}]


def test_missing_api_version_comes_from_the_schema() -> None:
    stored = engine.record_update(None, {"metadata": {"name": "c"}, "data": {"a": "1"}}, SCHEMA, manager="me")
    assert stored["metadata"]["managedFields"][0]["apiVersion"] == "v1"


def test_object_with_unclear_fields_keeps_its_managers() -> None:
    live = engine.server_side_apply(AFTER, None, SCHEMA, manager="me").merged
    stored = engine.record_update(live, {**AFTER, "unknown": 1}, SCHEMA, manager="you")
    assert stored == {**live, "unknown": 1}
    assert engine.record_update(None, {**AFTER, "unknown": 1}, SCHEMA, manager="you") == {**AFTER, "unknown": 1}


def test_a_create_of_an_old_release_is_compared_with_the_fields_that_it_has() -> None:
    schema = engine.load("1.16").schema("apps/v1", "StatefulSet")
    after = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {}, "spec": {"replicas": 1}}
    stored = engine.record_update(None, after, schema, manager="me")
    assert stored["metadata"]["managedFields"][0]["fieldsV1"] == {"f:spec": {"f:replicas": {}}}


def test_kind_without_go_type_has_a_minimal_empty_object() -> None:
    after = {"kind": "ConfigMap", "metadata": {"name": "c"}, "data": {}}
    stored = engine.record_update(None, {**after, "apiVersion": "v7"}, None, manager="me")
    assert stored["metadata"]["managedFields"][0]["fieldsV1"] == {"f:data": {}}
    without_kind = engine.record_update(None, {"apiVersion": "v1", "metadata": {}, "data": {}}, SCHEMA, manager="me")
    assert without_kind["metadata"]["managedFields"][0]["fieldsV1"] == {"f:data": {}}


def test_a_null_at_a_free_key_is_empty_text_to_go() -> None:
    after = {**AFTER, "metadata": {"name": "c", "labels": {"a": None}}, "data": {"b": None}}
    stored = engine.record_update(None, after, SCHEMA, manager="me")
    assert (stored["metadata"]["labels"], stored["data"]) == ({"a": ""}, {"b": ""})
    assert engine.server_side_apply(after, None, SCHEMA, manager="me").merged["data"] == {"b": ""}
    quota = engine.load().schema("v1", "ResourceQuota")
    hard = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": {"pods": None}}}
    assert engine.server_side_apply(hard, None, quota, manager="me").merged["spec"] == {"hard": {"pods": "0"}}


def test_an_owner_in_another_apiversion_keeps_its_fields_by_the_type_of_that_version() -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
    kind = "HorizontalPodAutoscaler"
    config = {"kind": kind, "metadata": {"name": "h"}, "spec": {"scaleTargetRef": target}}
    tables = engine.load("1.37")
    schemas = {version: tables.schema(version, kind) for version in ("autoscaling/v1", "autoscaling/v2")}
    second = {**config, "apiVersion": "autoscaling/v2"}
    live = engine.server_side_apply(second, None, schemas["autoscaling/v2"], manager="me").merged
    first = {**live, "apiVersion": "autoscaling/v1", "spec": {**live["spec"], "maxReplicas": 3}}
    stored = engine.record_update(live, first, schemas["autoscaling/v1"], manager="you")
    assert [owner.path for owner in engine.field_owners(stored) if owner.manager == "me"] == [
        f"spec.scaleTargetRef.{name}" for name in target
    ]
    other = {**first, "spec": {"scaleTargetRef": {**target, "name": "e"}}}
    stored = engine.record_update(stored, other, schemas["autoscaling/v1"], manager="you")
    assert "spec.scaleTargetRef.name" not in [owner.path for owner in engine.field_owners(stored)]
