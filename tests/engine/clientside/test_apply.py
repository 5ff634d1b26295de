"""engine.apply does to one object what `kubectl apply` does."""

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
    """A live object as the first apply of a config leaves it."""
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


def test_what_config_dropped_is_cleared_and_what_others_set_is_kept() -> None:
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
def test_what_was_applied_last_may_be_given(given: Any) -> None:
    outcome = engine.apply(config_map(), config_map(data={"b": "2", "c": "3"}), CONFIG_MAP, last_applied=given)
    assert "data" not in outcome.merged  # the whole map was dropped from config
    assert outcome.warnings == ()


def test_none_given_means_that_nothing_was_applied_before() -> None:
    live = applied(config_map(data={"b": "2"}))
    outcome = engine.apply(config_map(), live, CONFIG_MAP, last_applied=None)
    assert outcome.merged["data"] == {"b": "2"}


def test_an_empty_annotation_is_an_empty_document() -> None:
    live = config_map(data={"b": "2"})
    live["metadata"]["annotations"] = {ANNOTATION: ""}
    assert engine.apply(config_map(), live, CONFIG_MAP).merged["data"] == {"b": "2"}


@pytest.mark.parametrize("text", ["{", "[1]", "nonsense", 7])
def test_an_annotation_that_cannot_be_read_is_an_error_that_says_so(text: Any) -> None:
    live = config_map()
    live["metadata"]["annotations"] = {ANNOTATION: text}
    with pytest.raises(engine.BadAnnotation, match="last-applied-configuration"):
        engine.apply(config_map(), live, CONFIG_MAP)


def test_a_custom_resource_is_sent_a_merge_patch_that_replaces_lists() -> None:
    config = {"apiVersion": "e.com/v1", "kind": "C", "metadata": {"name": "x"}, "spec": {"items": [{"name": "a"}]}}
    live = engine.apply(config, None, None).merged
    live["spec"]["items"].append({"name": "b"})
    outcome = engine.apply(config, live, None)
    assert outcome.patch_type == "merge"
    assert outcome.patch == {"spec": {"items": [{"name": "a"}]}}
    assert outcome.merged["spec"]["items"] == [{"name": "a"}]


def test_a_merge_patch_must_not_make_it_another_object() -> None:
    config = {"apiVersion": "e.com/v2", "kind": "C", "metadata": {"name": "x"}}
    with pytest.raises(engine.PreconditionFailed, match="apiVersion"):
        engine.apply(config, {**config, "apiVersion": "e.com/v1"}, None)


def test_the_definition_of_a_custom_resource_is_itself_built_in() -> None:
    config = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"}}
    outcome = engine.apply({**config, "spec": {"scope": "Cluster"}}, config, CRD)
    assert outcome.patch_type == "strategic"


def test_a_number_that_is_whole_is_an_integer_to_everybody() -> None:
    config = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x"}, "spec": {"replicas": 2.0}}
    live = engine.apply({**config, "spec": {"replicas": 2}}, None, DEPLOYMENT).merged
    assert engine.apply(config, live, DEPLOYMENT).result == "unchanged"


def test_conflicts_are_all_listed_when_config_must_not_win_and_so_is_the_annotation_itself() -> None:
    live = applied(config_map(data={"a": "1", "b": "1"}))
    live["data"] = {"a": "theirs", "b": "theirs"}
    config = config_map(data={"a": "ours", "b": "ours"})
    with pytest.raises(engine.ConflictError) as caught:
        engine.apply(config, live, CONFIG_MAP, False)
    found = [(conflict.path, conflict.ours, conflict.theirs) for conflict in caught.value.conflicts]
    assert found[:2] == [("data.a", "ours", "theirs"), ("data.b", "ours", "theirs")]
    # Only live has the annotation, and the patch changes it: to the reference that is a conflict like any other.
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
def test_nobody_is_blamed_for_the_annotation_of_apply(
    live_data: dict[str, str], config_data: dict[str, str], said: str
) -> None:
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


def test_an_object_on_its_way_out_is_warned_of() -> None:
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
def test_what_is_no_object_is_refused_in_one_sentence(config: Any, live: Any, schema: engine.Schema | None) -> None:
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


def test_what_is_unchanged_is_live_as_it_was_then_and_nobody_elses() -> None:
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
def test_what_is_known_to_be_applied_last_is_what_the_annotation_says(number: float) -> None:
    sent = SentConfig(config_map(metadata={"name": "x", "annotations": {"b": "c", "a": None}}, data={"n": number}))
    assert same(read_last_applied(sent.annotated, sent), read_last_applied(sent.annotated))


def test_a_key_that_is_no_text_is_found_beside_a_number_that_changes() -> None:
    with pytest.raises(engine.NotJson, match="keys must be strings"):
        engine.apply(config_map(data={1: "a", "b": 1.5}), None, CONFIG_MAP)


API_SERVICE = engine.load("1.37").schema("apiregistration.k8s.io/v1", "APIService")


def api_service(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "x"}, **fields}


def test_a_conflict_of_a_kind_that_kubectl_has_not_compiled_in_becomes_a_json_merge_patch() -> None:
    last, config, live = (api_service(spec={"version": version}) for version in ("v1", "v2", "v3"))
    outcome = engine.apply(config, live, API_SERVICE, overwrite=False, last_applied=last)
    assert (outcome.patch_type, outcome.patch["spec"]) == ("merge", {"version": "v2"})
    (warning,) = outcome.warnings
    assert "spec.version" in warning
    assert "JSON merge patch" in warning
    with pytest.raises(engine.ConflictError):
        engine.apply(config, live, API_SERVICE, overwrite=False, last_applied=last, safe=True)


def test_what_kubectl_cannot_merge_of_such_a_kind_replaces_its_lists() -> None:
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
def test_where_kubectl_crashes_it_sends_nothing_else(owners: list[Any]) -> None:
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
def test_before_1_26_kubectl_does_not_ask_the_server_how_a_kind_merges(release: str) -> None:
    tables = engine.load(release)
    for key in SERVER_KINDS:
        if key in tables:
            schema = tables.schema(*key)
            assert takes_strategic(schema) == (int(release.partition(".")[2]) >= 26)
            assert not is_compiled_in(schema)
    for key in (("v1", "Pod"), ("v1", "ConfigMap")):
        assert takes_strategic(tables.schema(*key))
        assert is_compiled_in(tables.schema(*key))
