"""The subresource scale, where objects are odd."""

from __future__ import annotations

import engine

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
