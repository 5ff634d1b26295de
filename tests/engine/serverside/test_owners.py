"""Field owners, and handing fields over."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine import Owner

SCHEMA = engine.load("1.37").schema("apps/v1", "Deployment")


def deployment(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}


def test_owners_are_in_the_order_of_the_document() -> None:
    containers = [{"name": "b", "image": "x"}, {"name": "a", "image": "y"}]
    live = engine.server_side_apply(
        deployment(template={"spec": {"containers": containers}}, replicas=2), None, SCHEMA, manager="me"
    ).merged
    live = engine.server_side_apply(deployment(replicas=2), live, SCHEMA, manager="you").merged
    owners = engine.field_owners(live)
    assert [(owner.path, owner.manager) for owner in owners] == [
        ("spec.template.spec.containers[name=b]", "me"),
        ("spec.template.spec.containers[name=b].name", "me"),
        ("spec.template.spec.containers[name=b].image", "me"),
        ("spec.template.spec.containers[name=a]", "me"),
        ("spec.template.spec.containers[name=a].name", "me"),
        ("spec.template.spec.containers[name=a].image", "me"),
        ("spec.replicas", "you"),  # an apply without changes has no time
        ("spec.replicas", "me"),
    ]
    assert owners[-2] == Owner("spec.replicas", "you", "Apply", None, "apps/v1")


def test_fields_without_a_value_come_last() -> None:
    fields: dict[str, Any] = {
        "f:spec": {"f:gone": {}, "f:list": {"i:0": {}, "i:5": {}, 'k:{"a":1}': {"f:b": {}}}},
        "f:data": {},
    }
    entry = {"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields}
    live = {"metadata": {"managedFields": [entry]}, "spec": {"list": [1]}}
    assert [owner.path for owner in engine.field_owners(live)] == [
        "spec.list[0]",
        "spec.list[a=1].b",
        "spec.list[5]",
        "spec.gone",
        "data",
    ]


def test_an_object_without_managers_has_no_owners() -> None:
    assert engine.field_owners({}) == ()


@pytest.mark.parametrize("function", [engine.field_owners, engine.upgrade_managed_fields])
def test_only_objects_have_owners(function: Any) -> None:
    with pytest.raises(engine.MergeError, match="live object"):
        function([])


def test_client_side_apply_is_handed_over() -> None:
    live = engine.record_update(None, deployment(replicas=2), SCHEMA, manager="kubectl-client-side-apply")
    after = engine.upgrade_managed_fields(live)
    assert {(owner.manager, owner.operation) for owner in engine.field_owners(after)} == {("kubectl", "Apply")}
    assert engine.upgrade_managed_fields(after) == after
    assert "managedFields" not in engine.upgrade_managed_fields({"metadata": {"managedFields": []}})["metadata"]
    untracked = deployment()
    assert engine.upgrade_managed_fields(untracked) == untracked
    assert engine.upgrade_managed_fields(untracked) is not untracked


@pytest.mark.parametrize("entry", [7, {"manager": 7}, {"manager": "m", "operation": "Change"}])
def test_unreadable_managed_fields_are_not_handed_over(entry: Any) -> None:
    with pytest.raises(engine.MergeError):
        engine.upgrade_managed_fields({"metadata": {"managedFields": [entry]}})
