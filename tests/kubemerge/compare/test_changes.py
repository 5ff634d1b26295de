"""Changes of a field, their severity, and their descriptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import codegen
import engine
from kubemerge.compare.chain import Side, at_least, compare
from kubemerge.compare.model import SEVERITIES

from ...codegen.sample_specs import bundle
from ...conftest import read_yaml
from .expanding import findings
from .sides import thing

CASES: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("changes.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_change_of_a_field(case: dict[str, Any]) -> None:
    found = compare([thing("left", case["before"]), thing("right", case["after"])])
    assert [[change.path, list(change.aspects), change.severity, change.effect] for change in found.changes] == case[
        "found"
    ]
    assert {change.key for change in found.changes} <= {("test/v1", "Thing")}


def test_a_rule_has_the_map_type_that_its_type_states() -> None:
    (change,) = [
        change
        for change in compare(
            [Side(one, engine.load(one)) for one in ("1.19", "1.20")], [("apps/v1", "Deployment")]
        ).changes
        if change.path == "spec.selector"
    ]
    assert change.before is not None
    assert change.after is not None
    assert (change.before.map_type, change.after.map_type) == (None, "atomic")
    assert change.place == "apps_v1.DeploymentSpec.selector"


def test_kinds_come_and_go() -> None:
    found = compare([Side("1.15", engine.load("1.15")), Side("1.16", engine.load("1.16"))])
    whole = {(change.key, change.aspects, change.severity) for change in found.changes if not change.path}
    assert (("flowcontrol.apiserver.k8s.io/v1alpha1", "FlowSchema"), ("kind added",), "info") not in whole
    assert (("apiextensions.k8s.io/v1", "CustomResourceDefinition"), ("kind added",), "info") in whole
    (gone,) = compare([thing("a", None), Side("b", engine.load("1.16"))], [("test/v1", "Thing")]).changes
    assert (gone.aspects, gone.severity, gone.before, gone.after) == (("kind removed",), "breaking", None, None)


def test_what_nobody_applies_is_only_information() -> None:
    found = compare([Side(one, engine.load(one)) for one in ("1.8", "1.37")]).changes
    worse = {change.kind for change in found if change.severity != "info"}
    assert {"Deployment", "Service", "ClusterRole", "Event", "CustomResourceDefinition"} & worse
    told = {change.kind for change in found}
    for kind in ("DeleteOptions", "WatchEvent", "Scale", "Status", "TokenReview", "Eviction", "Binding", "PodList"):
        assert (kind in told, kind in worse) == (True, False)
    assert not [kind for kind in worse if kind.endswith("List")]
    (gone,) = [change for change in found if change.key == ("apps/v1beta1", "DeploymentList")]
    assert (gone.aspects, gone.severity) == (("kind removed",), "info")
    assert gone.effect == "the kind was removed, but it is not an object that users apply"


def test_a_custom_resource_is_applied_though_no_list_is_described_and_a_list_of_it_is_not() -> None:
    meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"
    document = bundle(metadata={"$ref": f"#/definitions/{meta}"})
    document["definitions"][meta] = {"type": "object", "properties": {"resourceVersion": {"type": "string"}}}
    lists = Side("a", codegen.read(document))
    for side, severity in ((lists, "info"), (thing("a", None), "breaking")):
        (gone,) = compare([side, Side("b", engine.load("1.16"))], side.kinds()).changes
        assert gone.severity == severity


def test_a_kind_whose_fields_were_unknown() -> None:
    """The kind itself then has another field kind, and its fields are not reported."""
    documents = bundle(), bundle(spec={"type": "object", "properties": {"size": {"type": "integer"}}})
    sides = [Side(str(at), codegen.read(document)) for at, document in enumerate(documents)]
    (change,) = compare(sides).changes
    assert (change.path, change.aspects, change.severity) == ("", ("field kind",), "breaking")


def test_two_kinds_are_compared_with_each_other() -> None:
    old = Side("apps/v1beta1/Deployment@1.12", engine.load("1.12"), ("apps/v1beta1", "Deployment"))
    new = Side("apps/v1/Deployment@1.12", engine.load("1.12"), ("apps/v1", "Deployment"))
    found = compare([old, new])
    assert [(change.key, change.path, change.aspects) for change in found.changes] == [
        (("apps/v1", "Deployment"), "spec.rollbackTo", ("field removed",))
    ]
    assert found.served == {("apps/v1", "Deployment"): {old.name, new.name}}


def test_one_kind_is_compared_with_the_same_of_another_side() -> None:
    old = Side("apps/v1/Deployment@1.12", engine.load("1.12"), ("apps/v1", "Deployment"))
    found = compare([old, Side("1.13", engine.load("1.13"))])
    assert {change.key for change in found.changes} == {("apps/v1", "Deployment")}
    assert found.served == {("apps/v1", "Deployment"): {old.name, "1.13"}}
    assert compare([Side("1.13", engine.load("1.13")), old]).changes


def test_served_says_which_sides_have_a_kind() -> None:
    found = compare([Side(one, engine.load(one)) for one in ("1.16", "1.17", "1.18")])
    assert found.served["apps/v1beta1", "Deployment"] == {"1.16", "1.17"}
    assert found.served["v1", "Pod"] == {"1.16", "1.17", "1.18"}
    assert [(step.left, step.right) for step in found.steps] == [("1.16", "1.17"), ("1.17", "1.18")]


def test_what_is_less_bad_can_be_left_out() -> None:
    whole = compare([Side(one, engine.load(one)) for one in ("1.12", "1.13")])
    counts = [len(at_least(whole, severity).changes) for severity in SEVERITIES]
    assert counts == sorted(counts)
    assert 0 < counts[0] < counts[1] < counts[2] == len(whole.changes)


TYPES = "ABCD"
FORMS: dict[str, Any] = {
    "one": lambda ref: ref,
    "list": lambda ref: {"type": "array", "items": ref},
    "keyed": lambda ref: {
        "type": "array",
        "items": ref,
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "x",
    },
    "map": lambda ref: {"type": "object", "additionalProperties": ref},
    "maps": lambda ref: {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": ref}},
}
NODES = st.dictionaries(
    st.sampled_from([f"to{name}{number}" for name in TYPES for number in range(2)]),
    st.sampled_from(sorted(FORMS)),
    max_size=3,
)


def document(types: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Types that hold each other in any way, each of them a kind."""
    definitions: dict[str, Any] = {}
    for name, fields in types.items():
        properties: dict[str, Any] = {
            field: FORMS[form]({"$ref": f"#/definitions/test.v1.{field[2]}"}) for field, form in fields.items()
        }
        definitions[f"test.v1.{name}"] = {
            "type": "object",
            "properties": {"x": {"type": "string"}, **properties},
            "x-kubernetes-group-version-kind": [{"group": "test", "version": "v1", "kind": name}],
        }
    return {"swagger": "2.0", "definitions": definitions}


@settings(max_examples=75, deadline=None)
@given(*[st.fixed_dictionaries(dict.fromkeys(TYPES, NODES))] * 2)
def test_types_inside_of_themselves(left: dict[str, dict[str, str]], right: dict[str, dict[str, str]]) -> None:
    """Each pair of types is compared once. This makes no difference, wherever the types are used."""
    old, new = document(left), document(right)
    found = compare([Side("left", codegen.read(old)), Side("right", codegen.read(new))])
    assert sorted((*change.key, change.path, change.aspects) for change in found.changes) == sorted(findings(old, new))
