"""The scale subresource of unusual objects."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.conformance.ownership.real.kinds import schema_of

SCHEMA = engine.load().schema("apps/v1", "Deployment")
TIME = "2024-01-01T00:00:00Z"


def test_an_object_without_replicas_is_scaled() -> None:
    live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "uid": "u"}}
    stored = engine.record_update(live, {"spec": {"replicas": 2}}, SCHEMA, manager="me", subresource="scale", time=TIME)
    assert stored == {**live, "spec": {"replicas": 2}}
    assert engine.record_update(live, {}, SCHEMA, manager="me", subresource="scale") == live


def test_a_scale_is_applied() -> None:
    live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "uid": "u"}, "spec": {}}
    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "d"}, "spec": {"replicas": 2}}
    outcome = engine.server_side_apply(scale, live, SCHEMA, manager="me", subresource="scale", time=TIME)
    assert outcome.result == "configured"
    assert outcome.merged["spec"] == {"replicas": 2}
    (owner,) = engine.field_owners(outcome.merged)
    assert (owner.path, owner.subresource, owner.api_version) == ("spec.replicas", "scale", "apps/v1")
    again = engine.server_side_apply(scale, outcome.merged, SCHEMA, manager="me", subresource="scale")
    assert again.result == "unchanged"


CUSTOM = schema_of("Real", "example.com/v1")
OBJECT: dict[str, Any] = {"apiVersion": "example.com/v1", "kind": "Real", "metadata": {"name": "r", "uid": "u"}}
SCALE = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "r"}, "spec": {"replicas": 2}}
SCALED: dict[str, Any] = {"subresource": "scale", "scaled_by": ".spec.size.count", "time": TIME}


def test_custom_resource_is_scaled_at_the_path_of_its_definition() -> None:
    config = {**OBJECT, "spec": {"text": "a", "size": {"count": 1}}}
    live = engine.server_side_apply(config, None, CUSTOM, manager="me", time=TIME).merged
    stored = engine.record_update(live, SCALE, CUSTOM, manager="hpa", **SCALED)
    assert stored["spec"] == {"text": "a", "size": {"count": 2}}
    assert [owner.manager for owner in engine.field_owners(stored) if owner.path == "spec.size.count"] == ["hpa"]
    three = {**SCALE, "spec": {"replicas": 3}}
    with pytest.raises(engine.FieldConflict, match=r'conflict with "hpa" with subresource "scale".*: .spec.replicas'):
        engine.server_side_apply(three, stored, CUSTOM, manager="you", **SCALED)
    shared = engine.server_side_apply(SCALE, stored, CUSTOM, manager="you", **SCALED).merged
    assert [owner.manager for owner in engine.field_owners(shared) if owner.path == "spec.size.count"] == ["you", "hpa"]
    with pytest.raises(engine.MergeError, match="invalid group/version: autoscaling/v1; update the replicas"):
        engine.server_side_apply(three, stored, CUSTOM, manager="you", force=True, **SCALED)


def test_scale_of_a_custom_resource_needs_an_owner_of_the_replicas() -> None:
    with pytest.raises(engine.MergeError, match="invalid group/version: autoscaling/v1; update the replicas"):
        engine.server_side_apply(SCALE, {**OBJECT, "spec": {"size": {"count": 1}}}, CUSTOM, manager="me", **SCALED)


def test_entry_of_a_missing_custom_resource_version_is_an_error() -> None:
    entry = {"manager": "a", "operation": "Apply", "apiVersion": "example.com/v0", "fieldsType": "FieldsV1"}
    live = {**OBJECT, "metadata": {**OBJECT["metadata"], "managedFields": [{**entry, "fieldsV1": {"f:spec": {}}}]}}
    with pytest.raises(engine.MergeError, match=r"example\.com/v0; take its entry out of managedFields") as caught:
        engine.server_side_apply({**OBJECT, "spec": {}}, live, CUSTOM, manager="me")
    assert vars(caught.value)["version"] == "example.com/v0"
    assert engine.record_update(live, {**live, "spec": {}}, CUSTOM, manager="me") == {**live, "spec": {}}


def test_scale_of_a_custom_resource_has_no_type_until_1_26() -> None:
    config = {**OBJECT, "spec": {"text": "a", "size": {"count": 1}}}
    three = {**SCALE, "spec": {"replicas": 3}}
    for release, owners in (("1.26", []), ("1.27", ["hpa"])):
        schema = schema_of("Real", "example.com/v1", release)
        live = engine.server_side_apply(config, None, schema, manager="me", time=TIME).merged
        stored = engine.record_update(live, three, schema, manager="hpa", **SCALED)
        assert stored["spec"] == {"text": "a", "size": {"count": 3}}
        assert [one.manager for one in engine.field_owners(stored) if one.path == "spec.size.count"] == owners
    live = engine.server_side_apply(config, None, schema_of("Real", "example.com/v1", "1.26"), manager="me").merged
    missing = r"typed patch object \(/r; autoscaling/v1, Kind=Scale\): no corresponding type for autoscaling/v1, Kind="
    with pytest.raises(engine.MergeError, match=missing):
        engine.server_side_apply(three, live, schema_of("Real", "example.com/v1", "1.26"), manager="you", **SCALED)


@pytest.mark.parametrize("owned", [True, False])
def test_apply_of_a_scale_to_a_custom_resource_crashes_servers_until_1_21(owned: bool) -> None:
    schema = schema_of("Real", "example.com/v1", "1.21")
    config = {**OBJECT, "spec": {"text": "a", "size": {"count": 1}}}
    live = engine.server_side_apply(config, None, schema, manager="me", time=TIME).merged if owned else config
    with pytest.raises(engine.MergeError, match="FieldManager must be installed to run apply; update the replicas"):
        engine.server_side_apply(SCALE, live, schema, manager="you", **SCALED)
