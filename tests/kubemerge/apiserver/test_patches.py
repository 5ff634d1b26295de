"""The three patch types, as on the API server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.apiserver.errors import UnknownReason
from kubemerge.cluster import (
    BadRequest,
    ClusterError,
    Conflict,
    Invalid,
    NotFound,
    Reference,
    UnsupportedMediaType,
    open_cluster,
)

from .conftest import NOW, config_map, config_map_ref, crontab, crontabs, deployment, origins, version_of

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

WEB = Reference("apps/v1", "Deployment", "web")
SIDECAR = {"spec": {"template": {"spec": {"containers": [{"name": "sidecar", "image": "envoy:1"}]}}}}


def containers(content: dict[str, Any]) -> list[str]:
    return [one["name"] for one in content["spec"]["template"]["spec"]["containers"]]


def test_a_strategic_patch_merges_lists_and_a_merge_patch_replaces_them(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment())
    assert containers(cluster.patch(WEB, SIDECAR, "strategic")) == ["sidecar", "main"]
    assert containers(cluster.patch(WEB, SIDECAR, "merge")) == ["sidecar"]


def test_a_patch_is_applied_by_the_rules_of_the_release() -> None:
    """`retainKeys` of the strategy was added in 1.13. Before, rollingUpdate stays after the change of type."""
    left = {}
    for release in ("1.12", "1.31"):
        with open_cluster(":memory:", release=release) as cluster:
            made = cluster.create(deployment(strategy={"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}))
            config = deployment(strategy={"type": "Recreate"})
            schema = cluster.schema("apps/v1", "Deployment")
            patch = engine.three_way_patch(config, config, made, schema)
            left[release] = "rollingUpdate" in engine.apply_patch(made, patch, schema)["spec"]["strategy"]
            if not left[release]:
                assert cluster.patch(WEB, patch, "strategic")["spec"]["strategy"] == {"type": "Recreate"}
    assert left == {"1.12": True, "1.31": False}


@pytest.mark.parametrize(
    ("patch", "patch_type"),
    [
        ({"spec": {"minReadySeconds": 1.0}}, "merge"),
        ([{"op": "add", "path": "/spec/minReadySeconds", "value": 1.0}], "json"),
    ],
)
def test_no_integer_of_a_patch_in_json_has_a_fraction(cluster: EmbeddedCluster, patch: Any, patch_type: str) -> None:
    cluster.create(deployment())
    with pytest.raises(
        Invalid, match=r"number 1\.0 into Go struct field DeploymentSpec\.spec\.minReadySeconds of type int32"
    ):
        cluster.patch(WEB, patch, patch_type)
    assert cluster.patch(WEB, {"spec": {"minReadySeconds": 1.0}}, "strategic")["spec"]["minReadySeconds"] == 1


def test_json_operations_are_done_in_order(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map(a="1", b="2"))
    after = cluster.patch(
        config_map_ref(),
        [
            {"op": "test", "path": "/data/a", "value": "1"},
            {"op": "move", "from": "/data/a", "path": "/data/c"},
            {"op": "replace", "path": "/data/b", "value": "3"},
            {"op": "add", "path": "/metadata/labels", "value": {"a/b": "x"}},
            {"op": "remove", "path": "/metadata/labels/a~1b"},
        ],
        "json",
    )
    assert after["data"] == {"b": "3", "c": "1"}
    assert "labels" not in after["metadata"]


REJECTED = "the server rejected our request due to an error in our request; "
NOT_READ = '": '
"""The end of the message, after the patch."""
UNNAMED = "the name of the object (settings based on URL) was undeterminable: name must be provided"
NOT_DECODED = "error decoding patch: json: cannot unmarshal "
ELSEWHERE = "the provided object does not match the namespace sent on the request; it is b, and not default"

BAD: list[tuple[Any, str, type[ClusterError], str]] = [
    ({}, "yaml", UnsupportedMediaType, "send one of the types apply, json, merge, strategic"),
    ({}, "apply", BadRequest, "apiVersion: an object requires it"),
    (config_map("b"), "apply", BadRequest, "the name of the object (b) does not match the name on the URL"),
    (config_map(namespace="b"), "apply", BadRequest, ELSEWHERE),
    (
        {**config_map(), "kind": "Secret"},
        "apply",
        BadRequest,
        "invalid object type: /v1, Kind=Secret",
    ),
    # invalid patches of a type
    (
        [],
        "merge",
        BadRequest,
        f"{NOT_DECODED}array into Go value of type map[string]interface {{}}; a patch of the type",
    ),
    (
        [],
        "strategic",
        BadRequest,
        "json: cannot unmarshal array into Go value of type map[string]interface {}; a patch",
    ),
    (None, "merge", BadRequest, "Invalid JSON Patch"),
    ({}, "json", BadRequest, f"{NOT_DECODED}object into Go value of type []handlers.jsonPatchOp; a patch of the type"),
    (
        [{}, 5],
        "json",
        BadRequest,
        f"{NOT_DECODED}number into Go value of type handlers.jsonPatchOp; look at",
    ),
    ([{"op": "add", "path": 5}], "json", BadRequest, f"{NOT_DECODED}number into Go struct field jsonPatchOp.path of"),
    # operations that fail
    ([None], "json", Invalid, f"{REJECTED}operation 1 is null"),
    ([{"op": "jump", "path": "/a"}], "json", Invalid, f"{REJECTED}operation 1 has the op 'jump'"),
    ([{"op": "append", "path": "/data/a", "value": "1"}], "json", Invalid, f"{REJECTED}operation 1 has the op"),
    ([{"op": "add", "value": 1}], "json", Invalid, f"{REJECTED}operation 1 (add) has no path"),
    ([{"op": "add", "path": "data", "value": 1}], "json", Invalid, f"{REJECTED}operation 1 (add) has the path 'data'"),
    (
        [{"op": "remove", "path": "/data/z"}],
        "json",
        Invalid,
        f"{REJECTED}operation 1 (remove /data/z): there is nothing",
    ),
    ([{"op": "add", "path": "/data/a/b/c"}], "json", Invalid, f"{REJECTED}operation 1 (add /data/a/b/c): "),
    (
        [{"op": "test", "path": "/data/a", "value": "2"}],
        "json",
        Invalid,
        "(test /data/a): the test fails: another",
    ),
    ([{"op": "test", "path": "/data/b", "value": 0}], "json", Invalid, "the test fails: another value is there"),
    ([{"op": "add", "path": "", "value": 1}], "json", Invalid, "the whole object can be replaced only"),
    ([{"op": "replace", "path": "", "value": 1}], "json", Invalid, "they make the whole object into an integer"),
    # results that cannot be decoded
    ([{"op": "replace", "path": "/metadata", "value": 1}], "json", Invalid, f"{NOT_READ}json: cannot unmarshal number"),
    (
        {"metadata": {"labels": 5}},
        "merge",
        Invalid,
        f"{NOT_READ}json: cannot unmarshal number into Go struct field",
    ),
    ({"data": {"a": 5}}, "strategic", Invalid, "cannot convert int64 to string; look at data.a"),
    ({"kind": 5}, "merge", Invalid, f"{NOT_READ}json: cannot unmarshal number into Go struct field ConfigMap.kind"),
    # changed identity
    ({"kind": "Secret"}, "merge", Invalid, f"{NOT_READ}converting (v1.Secret) to (core.ConfigMap): unknown conversion"),
    ({"apiVersion": "v2"}, "merge", Invalid, f'{NOT_READ}no kind "ConfigMap" is registered for version "v2"'),
    ({"apiVersion": None}, "merge", BadRequest, UNNAMED),
    ([{"op": "remove", "path": "/metadata"}], "json", BadRequest, UNNAMED),
    ({"metadata": {"name": None}}, "merge", BadRequest, UNNAMED),
    ({"metadata": {"name": "b"}}, "merge", BadRequest, "the name of the object (b) does not match the name on the URL"),
    ({"metadata": {"namespace": "b"}}, "merge", BadRequest, ELSEWHERE),
    ({"metadata": {"uid": "b"}}, "merge", Invalid, 'metadata.uid: Invalid value: "b": field is immutable'),
    ({"metadata": {"resourceVersion": "1"}}, "merge", Conflict, "the object has been modified"),
    ({"metadata": {"resourceVersion": "x"}}, "merge", UnknownReason, 'strconv.ParseUint: parsing "x": invalid syntax'),
    ({"metadata": {"deletionTimestamp": NOW}}, "merge", Invalid, "metadata.deletionTimestamp: Invalid value:"),
    ({"metadata": {"deletionGracePeriodSeconds": 5}}, "merge", Invalid, "Invalid value: 5: field is immutable"),
]


@pytest.mark.parametrize(("patch", "patch_type", "error", "said"), BAD, ids=[f"{case[1]} {case[0]}" for case in BAD])
def test_what_a_patch_cannot_do(
    cluster: EmbeddedCluster, patch: Any, patch_type: str, error: type[ClusterError], said: str
) -> None:
    made = cluster.create(config_map(a="1", b=""))
    with pytest.raises(error) as caught:
        cluster.patch(config_map_ref(), patch, patch_type)
    assert said in str(caught.value)
    assert type(caught.value) is error
    assert cluster.get(config_map_ref()) == made


IGNORED: list[tuple[Any, str]] = [
    (None, "json"),
    (None, "strategic"),
    ([], "json"),
    ([{"op": "test", "path": "/data/z", "value": None}], "json"),
    ([{"op": "remove", "path": "/kind"}], "json"),
    ([{"op": "remove", "path": "/metadata/uid"}], "json"),
    ([{"op": "remove", "path": "/metadata/namespace"}], "json"),
    ([{"op": "remove", "path": "/metadata/resourceVersion"}], "json"),
    ({"kind": None}, "merge"),
    ({"kind": "Secret", "apiVersion": None}, "strategic"),
    ({"apiVersion": "v2"}, "strategic"),
    ({"metadata": {"uid": "", "namespace": "", "resourceVersion": "0"}}, "merge"),
    ({"metadata": {"creationTimestamp": None, "generation": 9, "selfLink": "/x"}}, "merge"),
]


@pytest.mark.parametrize(("patch", "patch_type"), IGNORED, ids=str)
def test_what_a_patch_may_say_and_is_not_listened_to(cluster: EmbeddedCluster, patch: Any, patch_type: str) -> None:
    made = cluster.create(config_map(a="1"))
    assert cluster.patch(config_map_ref(), patch, patch_type) == made


LENIENT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"op": "replace", "path": "/data/z", "value": "2"}, {"a": "1", "z": "2"}),
    ({"op": "add", "path": "/data/z", "value": "2"}, {"a": "1", "z": "2"}),
]


@pytest.mark.parametrize(("operation", "data"), LENIENT)
def test_operations_that_kubernetes_does_though_the_standard_does_not(
    cluster: EmbeddedCluster, operation: dict[str, Any], data: dict[str, Any]
) -> None:
    cluster.create(config_map(a="1"))
    assert cluster.patch(config_map_ref(), [operation], "json")["data"] == data


CUSTOM: list[tuple[Any, type[ClusterError], str]] = [
    ({"kind": "X"}, Invalid, 'X.stable.example.com "night" is invalid: kind: Invalid value: "X": must be CronTab'),
    ({"apiVersion": "v2"}, Invalid, 'CronTab "night" is invalid: apiVersion: Invalid value: "v2": must be stable.exa'),
    ({"kind": None}, Invalid, f"{NOT_READ}Object 'Kind' is missing"),
    ({"kind": 5}, Invalid, "cannot unmarshal number into Go struct field .kind of type string"),
    ({"apiVersion": ""}, ClusterError, "Internal error occurred: Object 'apiVersion' is missing"),
    ({"metadata": 5}, Invalid, f"{NOT_READ}json: cannot unmarshal number into Go value of type v1.ObjectMeta"),
    ({"metadata": {"resourceVersion": None}}, Invalid, "metadata.resourceVersion: Invalid value: 0: must be specified"),
]


@pytest.mark.parametrize(("patch", "error", "said"), CUSTOM, ids=str)
def test_what_a_patch_of_a_custom_resource_cannot_do(
    cluster: EmbeddedCluster, patch: Any, error: type[ClusterError], said: str
) -> None:
    cluster.create(crontabs())
    made = cluster.create(crontab(cron="* * * * *"))
    with pytest.raises(error) as caught:
        cluster.patch(Reference.of(made), patch, "merge")
    assert said in str(caught.value)
    assert cluster.get(Reference.of(made)) == made


def test_some_built_in_kinds_need_a_resource_version(cluster: EmbeddedCluster) -> None:
    made = cluster.create({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"}})
    with pytest.raises(Invalid, match=r'^leases\.coordination\.k8s\.io "a" is invalid: metadata\.resourceVersion: '):
        cluster.patch(Reference.of(made), {"metadata": {"resourceVersion": "0"}}, "merge")


def test_a_broken_strategic_patch_is_refused_in_the_words_of_a_server(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment())
    with pytest.raises(UnknownReason, match=r"map\[image:x\] does not contain declared merge key: name"):
        cluster.patch(WEB, {"spec": {"template": {"spec": {"containers": [{"image": "x"}]}}}}, "strategic")


def test_a_strategic_patch_at_which_a_server_crashes_is_refused(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment())
    with pytest.raises(UnknownReason, match="dict values cannot identify elements"):
        cluster.patch(WEB, {"spec": {"template": {"spec": {"containers": [{"name": {"a": "x"}}]}}}}, "strategic")


def test_the_resource_version_in_a_patch_is_a_precondition(cluster: EmbeddedCluster) -> None:
    made = cluster.create(config_map(a="1"))
    patch = {"metadata": {"resourceVersion": made["metadata"]["resourceVersion"]}, "data": {"a": "2"}}
    after = cluster.patch(config_map_ref(), patch, "merge")
    assert after["data"] == {"a": "2"}
    with pytest.raises(Conflict):
        cluster.patch(config_map_ref(), patch, "merge")


def test_a_patch_that_changes_nothing_writes_nothing(cluster: EmbeddedCluster) -> None:
    made = cluster.create(config_map(a="1"))
    assert cluster.patch(config_map_ref(), {"data": {"a": "1", "b": None}}, "merge") == made
    later = cluster.create(config_map("other"))
    assert version_of(later) == version_of(made) + 1


def test_there_must_be_something_to_patch(cluster: EmbeddedCluster) -> None:
    with pytest.raises(NotFound, match=r'^configmaps "settings" not found$'):
        cluster.patch(config_map_ref(), {}, "merge")


def test_a_custom_resource_takes_no_strategic_patch(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    cluster.create(crontab(cron="* * * * *"))
    night = Reference.of(crontab())
    with pytest.raises(UnsupportedMediaType, match=r"crontabs\.stable\.example\.com do not take a patch") as caught:
        cluster.patch(night, {"spec": {"cron": "0 * * * *"}}, "strategic")
    assert (caught.value.code, caught.value.taken) == (415, ("apply", "json", "merge"))
    assert cluster.patch(night, {"spec": {"cron": "0 * * * *"}}, "merge")["spec"] == {"cron": "0 * * * *"}
    operation = [{"op": "remove", "path": "/spec/cron"}]
    assert cluster.patch(night, operation, "json")["spec"] == {}


@pytest.mark.parametrize("release", ["1.7", "1.20", "1.37"])
def test_an_apply_by_the_engine_ends_unchanged(release: str) -> None:
    with open_cluster(":memory:", release=release, origins=origins()) as cluster:
        api_version = "apps/v1" if release != "1.7" else "apps/v1beta1"
        results = []
        for config in (deployment(image="a"), deployment(image="b", replicas=3), deployment(image="b", replicas=3)):
            config["apiVersion"] = api_version
            reference = Reference.of(config)
            try:
                live = cluster.get(reference)
            except NotFound:
                live = None
            outcome = engine.apply(config, live, cluster.schema(api_version, "Deployment"))
            results.append(outcome.result)
            if outcome.patch_type == "create":
                cluster.create(outcome.patch)
            elif outcome.patch_type != "none":
                cluster.patch(reference, outcome.patch, outcome.patch_type)
        assert results == ["created", "configured", "unchanged"]
        assert cluster.get(reference)["spec"]["replicas"] == 3


def test_a_dry_run_shows_a_self_link_and_the_store_drops_it(cluster: EmbeddedCluster) -> None:
    content = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "selfLink": "/x"}}
    assert "selfLink" not in cluster.create(content, dry_run=True)["metadata"]
    at = Reference.of(cluster.create(content))
    patch = {"metadata": {"selfLink": "/x"}, "data": {"a": "b"}}
    assert cluster.patch(at, patch, "merge", dry_run=True)["metadata"]["selfLink"] == "/x"
    assert "selfLink" not in cluster.patch(at, {"metadata": {"selfLink": ""}}, "merge", dry_run=True)["metadata"]
    assert "selfLink" not in cluster.patch(at, patch, "merge")["metadata"]
    assert "selfLink" not in cluster.get(at)["metadata"]
