"""Declarative rules: enforcement, short circuits, and handwritten problems that stay.

The messages of all rules are compared with a real server in `tests/conformance`.
"""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.validation import declarative
from kubemerge.apiserver.validation.declarative import Validation
from kubemerge.apiserver.validation.declarative_rules import is_enforced, rules_of, shape_of
from kubemerge.apiserver.validation.validation import problems as every_problem

CLAIM = "resource_v1.ResourceClaim"


def problems(*args: Any) -> list[str] | None:
    found = declarative.problems(*args)
    return None if found is None else [str(one) for one in found]


def request(**fields: Any) -> dict[str, Any]:
    return {"spec": {"devices": {"requests": [{"name": "a", "exactly": fields}]}}}


WRONG_MODE = request(allocationMode="Some")
MODE = "spec.devices.requests[0].exactly.allocationMode"
TEMPLATE = 'Unsupported value: "Some": supported values: "All", "ExactCount"'


def test_a_rule_counts_since_the_release_that_enforces_it() -> None:
    assert [is_enforced("resource", "ResourceClaim", minor) for minor in (35, 36, 37)] == [False, False, True]
    assert [problems(CLAIM, WRONG_MODE, None, minor) for minor in (34, 36)] == [None, None]
    assert problems(CLAIM, WRONG_MODE, None, 37) == [f"{MODE}: {TEMPLATE}"]


def test_what_only_shadows_handwritten_code_is_left_out() -> None:
    owner = {"metadata": {"ownerReferences": [{"kind": "Pod", "name": "a", "uid": "b"}]}}
    assert problems("core_v1.ConfigMap", owner, None, 37) == []
    assert problems("batch_v1.Job", {"spec": {"maxFailedIndexes": 1}}, None, 37) == []
    shown = Validation(37, is_update=False, everything=True).of_type("", "core_v1.ConfigMap", owner, None)
    assert list(map(str, shown)) == ["metadata.ownerReferences[0].apiVersion: Required value"]


def test_an_update_does_not_judge_again_what_it_leaves() -> None:
    template = "resource_v1.ResourceClaimTemplate"
    before = {"spec": {"spec": WRONG_MODE["spec"]}}
    assert problems(template, {**before, "metadata": {"labels": {"a": "b"}}}, before, 37) == []
    assert problems(CLAIM, WRONG_MODE, request(), 37) == ["spec: Invalid value: null: field is immutable"]


@pytest.mark.parametrize(("before", "after"), [({}, {"constraints": []}), ({"constraints": None}, {"requests": []})])
def test_an_empty_list_is_like_none(before: Any, after: Any) -> None:
    assert problems(CLAIM, {"spec": {"devices": after}}, {"spec": {"devices": before}}, 37) == []


def test_a_short_circuit_ends_the_evaluation_of_a_field() -> None:
    many = {"spec": {"devices": {"config": [{"opaque": {"driver": ""}}] * 33}}}
    assert problems(CLAIM, many, None, 37) == ["spec.devices.config: Too many: 33: must have at most 32 items"]


def test_a_subresource_is_judged_where_the_type_says_so() -> None:
    assert problems("resource_v1.DeviceClass", {}, {}, 37, "status") is None
    assert problems(CLAIM, {}, {}, 37, "status") == []


def test_options_of_features_are_those_that_are_on_by_default() -> None:
    autoscaler = {"spec": {"minReplicas": 0, "maxReplicas": 1}}
    assert problems("autoscaling_v2.HorizontalPodAutoscaler", autoscaler, None, 37) == []
    how = Validation(37, is_update=False, options={})
    found = how.of_type("", "autoscaling_v2.HorizontalPodAutoscaler", autoscaler, None)
    assert list(map(str, found)) == ["spec.minReplicas: Invalid value: 0: must be greater than or equal to 1"]


def test_a_handwritten_problem_stays_where_the_declared_rule_is_not_reached() -> None:
    content = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "a"}, "handler": "A"}
    label = 'handler: Invalid value: "A": a lowercase RFC 1123 label must consist of'
    created = every_problem(content, None)
    assert [str(one).startswith(label) for one in created] == [True]
    changed = every_problem(content, {**content, "handler": "b"})
    assert [str(one).startswith(label) for one in changed] == [True, False]
    assert str(changed[1]) == "handler: Invalid value: null: field is immutable"


def test_a_version_that_is_gone_is_judged_like_the_preferred_one() -> None:
    content = {"apiVersion": "storage.k8s.io/v1beta1", "kind": "StorageClass", "metadata": {"name": "a"}}
    assert "provisioner: Required value" in [str(one) for one in every_problem(content, None, release="1.20")]


def test_rows_of_unknown_types_are_none() -> None:
    assert rules_of("nothing_v1.Thing", 37) is None
    assert rules_of("", 37) is None


@pytest.mark.parametrize(
    ("type_", "empty", "unset"),
    [("string", "", True), ("*string", "", False), ("int32", 0, True), ("*int32", 0, False), ("[]string", [], True)],
)
def test_a_pointer_to_nothing_is_a_value(type_: str, empty: Any, unset: bool) -> None:
    shape = shape_of(type_)
    assert (not shape.is_set(empty), not shape.is_set(None)) == (unset, True)


TABLE = """
Thing name string required
Thing mode *string optional enum=B|A since=30 until=31
Thing size int32 minimum=1
"""


@pytest.mark.parametrize(
    ("thing", "minor", "found"),
    [
        ({"name": "a", "mode": "A", "size": 1}, 30, []),
        ({"size": 1}, 30, ["at.name: Required value"]),
        ({"name": "a", "mode": "", "size": 1}, 31, ['at.mode: Unsupported value: "": supported values: "B", "A"']),
        ({"name": "a", "mode": "C", "size": 1}, 29, []),
        ({"name": "a", "mode": "C", "size": 1}, 32, []),
        ({"name": "a", "size": 0}, 30, ["at.size: Invalid value: 0: must be greater than or equal to 1"]),
    ],
)
def test_a_table_has_rules_with_eras(thing: dict[str, Any], minor: int, found: list[str]) -> None:
    assert list(map(str, declarative.by_table(TABLE, "Thing", "at", thing, minor=minor))) == found


def test_a_server_may_look_at_some_fields_first() -> None:
    assert list(declarative.by_table(TABLE, "Thing", "", {}, "mode")) == []
    assert len(list(declarative.by_table(TABLE, "Thing", "", {}, "name"))) == 1


LEVEL = "flowcontrol_v1.PriorityLevelConfiguration"
LIMITED = {"nominalConcurrencyShares": 1, "limitResponse": {"type": "Reject"}}
MISSING, NOT_ALLOWED = ["spec.limited: Required value"], ["spec.limited: Forbidden"]


@pytest.mark.parametrize(
    ("spec", "before", "found"),
    [
        ({"type": "Limited"}, None, MISSING),
        ({"type": "Exempt", "limited": LIMITED}, None, NOT_ALLOWED),
        ({"type": "Limited"}, {"metadata": {}}, MISSING),
        ({"type": "Limited"}, {"spec": {"type": "Limited"}}, []),
        ({"type": "Limited"}, {"spec": {"type": "Exempt"}}, MISSING),
        ({"type": "Exempt", "limited": LIMITED}, {"spec": {"type": "Exempt", "limited": LIMITED}}, []),
        ({"type": "Exempt", "limited": LIMITED}, {"spec": {"type": "Limited", "limited": LIMITED}}, NOT_ALLOWED),
        ({"type": "Exempt", "limited": {}}, {"spec": {"type": "Exempt", "limited": LIMITED}}, NOT_ALLOWED),
        ({"type": "Exempt", "limited": LIMITED}, {"spec": {"type": "Exempt"}}, NOT_ALLOWED),
    ],
)
def test_a_field_for_one_mode(spec: dict[str, Any], before: dict[str, Any] | None, found: list[str]) -> None:
    assert problems(LEVEL, {"spec": spec}, before, 37) == found
