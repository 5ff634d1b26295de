"""Patches of the three types, as the API server takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import engine
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

from .conftest import config_map, config_map_ref, crontab, crontabs, deployment, origins, version_of

if TYPE_CHECKING:
    from kubemerge.cluster.embedded import EmbeddedCluster

WEB = Reference("apps/v1", "Deployment", "web")
SIDECAR = {"spec": {"template": {"spec": {"containers": [{"name": "sidecar", "image": "envoy:1"}]}}}}


def containers(content: dict[str, Any]) -> list[str]:
    return [one["name"] for one in content["spec"]["template"]["spec"]["containers"]]


def test_a_strategic_patch_merges_lists_and_a_merge_patch_replaces_them(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment())
    assert containers(cluster.patch(WEB, SIDECAR, "strategic")) == ["sidecar", "main"]
    assert containers(cluster.patch(WEB, SIDECAR, "merge")) == ["sidecar"]


def test_a_patch_is_applied_by_the_rules_of_the_release() -> None:
    """`retainKeys` of the strategy came with 1.13; before, the switch leaves rollingUpdate behind."""
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


BAD: list[tuple[Any, str, type[ClusterError], str]] = [
    ([], "merge", BadRequest, "a patch of the type 'merge' is a map, not a list"),
    ({}, "json", BadRequest, "a patch of the type 'json' is a list of operations, not an object"),
    ({}, "apply", UnsupportedMediaType, "send one of the types json, merge, strategic"),
    ([{"op": "jump", "path": "/a"}], "json", BadRequest, "the JSON patch is not in order"),
    ([{"op": "append", "path": "/data/a", "value": "1"}], "json", BadRequest, "the JSON patch is not in order"),
    ([{"op": "add", "value": 1}], "json", BadRequest, "the JSON patch is not in order"),
    ([{"op": "add", "path": "data", "value": 1}], "json", BadRequest, "the JSON patch is not in order"),
    ([5], "json", BadRequest, "the JSON patch is not in order"),
    ([{"op": "add", "path": 5, "value": 1}], "json", BadRequest, "the JSON patch is not in order"),
    ([{"op": "remove", "path": "/data/zz"}], "json", Invalid, "is not as the JSON patch expects it"),
    ([{"op": "add", "path": "/data/a/b/c", "value": 1}], "json", Invalid, "is not as the JSON patch expects it"),
    ([{"op": "test", "path": "/data/a", "value": "2"}], "json", Invalid, "the test of /data/a failed"),
    ([{"op": "test", "path": "/immutable", "value": 0}], "json", Invalid, "the test of /immutable failed"),
    ([{"op": "add", "path": "", "value": 1}], "json", BadRequest, "leave it a map"),
    ([{"op": "remove", "path": "/metadata"}], "json", BadRequest, "does not match the name on the URL"),
    ([{"op": "replace", "path": "/metadata", "value": 1}], "json", BadRequest, "metadata: this is a map"),
    ({"kind": "Secret"}, "merge", BadRequest, "the kind in the data (Secret) does not match the expected kind"),
    ({"apiVersion": "v2"}, "merge", BadRequest, "the apiVersion in the data (v2) does not match"),
    ({"metadata": {"name": "b"}}, "merge", BadRequest, "the name of the object (b) does not match the name on the URL"),
    ({"metadata": {"namespace": "b"}}, "merge", BadRequest, "the namespace of the object (b) does not match"),
    ({"metadata": {"uid": "b"}}, "merge", Conflict, "UID in precondition: b"),
    ({"metadata": {"resourceVersion": "1"}}, "merge", Conflict, "the object has been modified"),
    ({"metadata": {"labels": 5}}, "merge", BadRequest, "metadata.labels: this is an object, not an integer"),
]


@pytest.mark.parametrize(("patch", "patch_type", "error", "said"), BAD, ids=[str(case[0])[:60] for case in BAD])
def test_what_a_patch_cannot_do(
    cluster: EmbeddedCluster, patch: Any, patch_type: str, error: type[ClusterError], said: str
) -> None:
    made = cluster.create({**config_map(a="1"), "immutable": False})
    with pytest.raises(error) as caught:
        cluster.patch(config_map_ref(), patch, patch_type)
    assert said in str(caught.value)
    assert cluster.get(config_map_ref()) == made


def test_a_broken_strategic_patch_is_told_by_the_engine(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment())
    with pytest.raises(engine.MissingMergeKey) as caught:
        cluster.patch(WEB, {"spec": {"template": {"spec": {"containers": [{"image": "x"}]}}}}, "strategic")
    assert caught.value.path == "spec.template.spec.containers"


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
    assert (caught.value.code, caught.value.taken) == (415, ("json", "merge"))
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
