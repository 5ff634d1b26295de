"""engine.apply has the same effect on one object as `kubectl apply`."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import engine
from engine.clientside.last_applied import SentConfig, read_last_applied
from engine.clientside.method import is_compiled_in, takes_strategic
from engine.values.plain import same

from ..any_values import parts

ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
DEPLOYMENT = engine.load("1.37").schema("apps/v1", "Deployment")
CONFIG_MAP = engine.load("1.37").schema("v1", "ConfigMap")
CRD = engine.load("1.37").schema("apiextensions.k8s.io/v1", "CustomResourceDefinition")


def config_map(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, **fields}


def applied(config: dict[str, Any]) -> dict[str, Any]:
    """A live object after the first apply of a config."""
    return engine.apply(config, None, CONFIG_MAP).merged


STORED_TEXTS = {
    "annotations are written back even if there are none": (
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "default"}},
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"x","namespace":"default"}}\n',
    ),
    "an older annotation is not kept inside of the new one": (
        {"kind": "A", "metadata": {"annotations": {"a": "b", ANNOTATION: "old"}}},
        '{"kind":"A","metadata":{"annotations":{"a":"b"}}}\n',
    ),
    "letters are escaped as Go does": (
        {"data": {"a": "<b>&\u2028é\x01\b\f\x7f"}, "metadata": {}},
        '{"data":{"a":"\\u003cb\\u003e\\u0026\\u2028é\\u0001\\b\\f\x7f"},"metadata":{"annotations":{}}}\n',
    ),
    "nulls stay, and numbers are in Go's form": (
        {"a": None, "b": 1.0, "c": 1e21, "d": 1e-7, "metadata": {}},
        '{"a":null,"b":1,"c":1e+21,"d":1e-7,"metadata":{"annotations":{}}}\n',
    ),
    "an annotation that is null is an empty text": (
        {"metadata": {"annotations": {"a": None, "c": "d"}}},
        '{"metadata":{"annotations":{"a":"","c":"d"}}}\n',
    ),
    "one annotation that is no text makes kubectl drop all": (
        {"metadata": {"annotations": {"a": "b", "c": 1}}},
        '{"metadata":{"annotations":{}}}\n',
    ),
}


@pytest.mark.parametrize(("config", "text"), STORED_TEXTS.values(), ids=list(STORED_TEXTS))
def test_stored_text(config: dict[str, Any], text: str) -> None:
    before = copy.deepcopy(config)
    assert engine.last_applied_text(config) == text
    assert config == before


def test_without_a_live_object_the_config_is_created_without_nulls_but_remembered_with_them() -> None:
    outcome = engine.apply(config_map(data={"a": None, "b": "1", "c": None}), None, CONFIG_MAP)
    assert (outcome.result, outcome.patch_type) == ("created", "create")
    assert outcome.merged["data"] == {"b": "1"}
    assert json.loads(outcome.merged["metadata"]["annotations"][ANNOTATION])["data"] == {"a": None, "b": "1", "c": None}
    assert outcome.patch == outcome.merged
    assert outcome.patch is not outcome.merged


def test_the_same_config_again_changes_nothing() -> None:
    config = config_map(data={"a": "1"})
    outcome = engine.apply(config, applied(config), CONFIG_MAP)
    assert (outcome.result, outcome.patch_type, outcome.patch, outcome.warnings) == ("unchanged", "none", {}, ())
    assert outcome.merged == applied(config)


def test_dropped_fields_are_cleared_and_fields_of_others_are_kept() -> None:
    live = applied(config_map(data={"a": "1", "b": "2"}))
    live["data"]["c"] = "by somebody"
    outcome = engine.apply(config_map(data={"a": "1"}), live, CONFIG_MAP)
    assert outcome.result == "configured"
    assert outcome.merged["data"] == {"a": "1", "c": "by somebody"}
    assert json.loads(outcome.merged["metadata"]["annotations"][ANNOTATION])["data"] == {"a": "1"}


def test_an_object_that_was_never_applied_loses_nothing_and_gets_the_annotation() -> None:
    outcome = engine.apply(config_map(data={"a": "1"}), config_map(data={"b": "2"}), CONFIG_MAP)
    assert outcome.merged["data"] == {"a": "1", "b": "2"}
    assert ANNOTATION in outcome.merged["metadata"]["annotations"]
    assert [ANNOTATION in warning for warning in outcome.warnings] == [True]


@pytest.mark.parametrize("given", [config_map(data={"b": "2"}), json.dumps(config_map(data={"b": "2"}))])
def test_last_applied_can_be_passed(given: Any) -> None:
    outcome = engine.apply(config_map(), config_map(data={"b": "2", "c": "3"}), CONFIG_MAP, last_applied=given)
    assert "data" not in outcome.merged  # the config dropped the whole map
    assert outcome.warnings == ()


def test_none_means_never_applied() -> None:
    live = applied(config_map(data={"b": "2"}))
    outcome = engine.apply(config_map(), live, CONFIG_MAP, last_applied=None)
    assert outcome.merged["data"] == {"b": "2"}


def test_an_empty_annotation_is_an_empty_document() -> None:
    live = config_map(data={"b": "2"})
    live["metadata"]["annotations"] = {ANNOTATION: ""}
    assert engine.apply(config_map(), live, CONFIG_MAP).merged["data"] == {"b": "2"}


@pytest.mark.parametrize("text", ["{", "[1]", "nonsense", 7])
def test_unreadable_annotation_is_an_error(text: Any) -> None:
    live = config_map()
    live["metadata"]["annotations"] = {ANNOTATION: text}
    with pytest.raises(engine.BadAnnotation, match="last-applied-configuration"):
        engine.apply(config_map(), live, CONFIG_MAP)


def test_custom_resource_gets_a_merge_patch_that_replaces_lists() -> None:
    config = {"apiVersion": "e.com/v1", "kind": "C", "metadata": {"name": "x"}, "spec": {"items": [{"name": "a"}]}}
    live = engine.apply(config, None, None).merged
    live["spec"]["items"].append({"name": "b"})
    outcome = engine.apply(config, live, None)
    assert outcome.patch_type == "merge"
    assert outcome.patch == {"spec": {"items": [{"name": "a"}]}}
    assert outcome.merged["spec"]["items"] == [{"name": "a"}]


def test_merge_patch_must_not_change_identity() -> None:
    config = {"apiVersion": "e.com/v2", "kind": "C", "metadata": {"name": "x"}}
    with pytest.raises(engine.PreconditionFailed, match="apiVersion"):
        engine.apply(config, {**config, "apiVersion": "e.com/v1"}, None)


def test_custom_resource_definition_is_built_in() -> None:
    config = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"}}
    outcome = engine.apply({**config, "spec": {"scope": "Cluster"}}, config, CRD)
    assert outcome.patch_type == "strategic"


def test_whole_floats_become_integers() -> None:
    config = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x"}, "spec": {"replicas": 2.0}}
    live = engine.apply({**config, "spec": {"replicas": 2}}, None, DEPLOYMENT).merged
    assert engine.apply(config, live, DEPLOYMENT).result == "unchanged"


def test_without_overwrite_all_conflicts_are_listed_including_the_annotation() -> None:
    live = applied(config_map(data={"a": "1", "b": "1"}))
    live["data"] = {"a": "theirs", "b": "theirs"}
    config = config_map(data={"a": "ours", "b": "ours"})
    with pytest.raises(engine.ConflictError) as caught:
        engine.apply(config, live, CONFIG_MAP, False)
    found = [(conflict.path, conflict.ours, conflict.theirs) for conflict in caught.value.conflicts]
    assert found[:2] == [("data.a", "ours", "theirs"), ("data.b", "ours", "theirs")]
    # Only live has the annotation, and the patch changes it: a conflict like any other in the reference.
    assert found[2][0] == f'metadata.annotations["{ANNOTATION}"]'
    assert len(found) == 3


@pytest.mark.parametrize(
    ("live_data", "config_data", "said"),
    [
        ({"a": "theirs"}, {"a": "ours"}, "also changed by another writer: data.a. Overwrite them"),
        ({"a": "theirs"}, {"a": "1"}, "also changed by another writer: data.a. Use the new values, or overwrite"),
        ({"a": "1"}, {"a": "ours"}, "no other writer changed these fields, but apply without overwriting rejects"),
    ],
)
def test_apply_annotation_causes_no_warning(live_data: dict[str, str], config_data: dict[str, str], said: str) -> None:
    live = {**applied(config_map(data={"a": "1"})), "data": live_data}
    with pytest.raises(engine.ConflictError) as caught:
        engine.apply(config_map(data=config_data), live, CONFIG_MAP, False)
    assert str(caught.value).startswith(said)
    assert ANNOTATION not in str(caught.value)


def test_a_generated_name_cannot_be_applied() -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "x-"}}
    for live in (None, config_map()):
        with pytest.raises(engine.GeneratedName, match="x-"):
            engine.apply(config, live, CONFIG_MAP)


def test_object_being_deleted_causes_a_warning() -> None:
    live = applied(config_map())
    live["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert any("being deleted" in warning for warning in engine.apply(config_map(), live, CONFIG_MAP).warnings)


@pytest.mark.parametrize(
    ("config", "live"),
    [
        ([], None),
        (None, {}),
        ("x", {}),
        ({}, []),
        ({"a": {1, 2}}, {}),
        ({1: 2}, None),
        ({}, {"a": object()}),
        ({"metadata": None}, {}),
        ({"metadata": "x"}, None),
        ({"a": float("nan")}, None),
    ],
)
@pytest.mark.parametrize("schema", [None, CONFIG_MAP], ids=["no-schema", "schema"])
def test_non_object_is_rejected_in_one_sentence(config: Any, live: Any, schema: engine.Schema | None) -> None:
    with pytest.raises(engine.MergeError) as caught:
        engine.apply(config, live, schema)
    assert str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_mutable_is_shared_and_nothing_is_changed() -> None:
    config = config_map(data={"a": "1"}, list=[{"x": 1}])
    live = applied(config_map(data={"b": "1"}))
    texts = json.dumps(config), json.dumps(live)
    outcome = engine.apply(config, live, CONFIG_MAP, last_applied=config_map(data={"b": "1"}))
    assert {id(part) for part in parts(outcome.merged)}.isdisjoint(
        {id(part) for part in [*parts(config), *parts(live)]}
    )
    config["data"]["a"] = live["data"]["b"] = "changed afterwards"
    assert outcome.merged["data"] == {"a": "1"}
    reasons = {change.path: change.after for change in outcome.changes}
    assert reasons["data.a"] == "1"
    config["data"]["a"], live["data"]["b"] = "1", "1"
    assert (json.dumps(config), json.dumps(live)) == texts


def test_unchanged_outcome_has_its_own_copy_of_live() -> None:
    config = config_map(data={"a": "b", "c": 1.0})
    live = applied(config)
    before = copy.deepcopy(live)
    outcome, again = engine.apply(config, live, CONFIG_MAP), engine.apply(config, live, CONFIG_MAP)
    live["data"]["a"] = "changed later"
    assert outcome.result == "unchanged"
    assert outcome.merged == before
    outcome.merged["data"]["a"] = "mine"
    assert again.merged == before


@pytest.mark.parametrize("number", [1, 1.0, 1.5, 1 << 63, 1e300], ids=repr)
def test_last_applied_equals_the_annotation(number: float) -> None:
    sent = SentConfig(config_map(metadata={"name": "x", "annotations": {"b": "c", "a": None}}, data={"n": number}))
    assert same(read_last_applied(sent.annotated, sent), read_last_applied(sent.annotated))


def test_non_string_key_is_found_beside_a_changed_number() -> None:
    with pytest.raises(engine.NotJson, match="keys must be strings"):
        engine.apply(config_map(data={1: "a", "b": 1.5}), None, CONFIG_MAP)


API_SERVICE = engine.load("1.37").schema("apiregistration.k8s.io/v1", "APIService")


def api_service(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "x"}, **fields}


def test_conflict_of_a_kind_not_compiled_in_falls_back_to_a_json_merge_patch() -> None:
    last, config, live = (api_service(spec={"version": version}) for version in ("v1", "v2", "v3"))
    outcome = engine.apply(config, live, API_SERVICE, overwrite=False, last_applied=last)
    assert (outcome.patch_type, outcome.patch["spec"]) == ("merge", {"version": "v2"})
    (warning,) = outcome.warnings
    assert "spec.version" in warning
    assert "JSON merge patch" in warning
    with pytest.raises(engine.ConflictError):
        engine.apply(config, live, API_SERVICE, overwrite=False, last_applied=last, safe=True)


def test_fallback_for_a_kind_not_compiled_in_replaces_lists() -> None:
    config = api_service(unknown={"a": 1})
    config["metadata"]["finalizers"] = ["x.io/a"]
    live = api_service(unknown={"a": 2})
    live["metadata"]["finalizers"] = ["x.io/b"]
    outcome = engine.apply(config, live, API_SERVICE, last_applied=None)
    assert (outcome.patch_type, outcome.merged["metadata"]["finalizers"]) == ("merge", ["x.io/a"])
    (change,) = [one for one in outcome.changes if one.path == "metadata.finalizers"]
    assert change.reason == "list replaced: a JSON merge patch replaces lists"
    with pytest.raises(engine.PreconditionFailed):
        engine.apply({**config, "metadata": {"name": "y"}}, live, API_SERVICE, last_applied=None)
    del config["unknown"]
    assert engine.apply(config, live, API_SERVICE, last_applied=None).merged["metadata"]["finalizers"] == [
        "x.io/a",
        "x.io/b",
    ]


@pytest.mark.parametrize("owners", [[None], [{"uid": {}}]])
def test_no_fallback_where_kubectl_crashes(owners: list[Any]) -> None:
    live = {**api_service(), "metadata": {"name": "x", "ownerReferences": owners}}
    config = {**api_service(), "metadata": {"name": "x", "ownerReferences": [{"uid": {}}]}}
    with pytest.raises((engine.MixedElements, engine.BadMergeKey)):
        engine.apply(config, live, API_SERVICE, last_applied=None)


SERVER_KINDS = (
    ("apiregistration.k8s.io/v1", "APIService"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    ("apiregistration.k8s.io/v1beta1", "APIService"),
    ("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"),
)


@pytest.mark.parametrize("release", engine.releases())
def test_before_1_26_kubectl_does_not_read_merge_rules_from_the_server(release: str) -> None:
    tables = engine.load(release)
    for key in SERVER_KINDS:
        if key in tables:
            schema = tables.schema(*key)
            assert takes_strategic(schema) == (int(release.partition(".")[2]) >= 26)
            assert not is_compiled_in(schema)
    for key in (("v1", "Pod"), ("v1", "ConfigMap")):
        assert takes_strategic(tables.schema(*key))
        assert is_compiled_in(tables.schema(*key))
