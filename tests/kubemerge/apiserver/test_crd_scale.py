"""Replica counts of custom resources, in the words of an API server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Invalid, Reference

from .conftest import crontab, crontabs

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

SCALE = {
    "specReplicasPath": ".spec.size.count",
    "statusReplicasPath": ".status.count",
    "labelSelectorPath": ".status.selector",
}


@pytest.fixture
def scalable(cluster: EmbeddedCluster) -> EmbeddedCluster:
    definition = crontabs()
    version = definition["spec"]["versions"][0]
    version["schema"]["openAPIV3Schema"] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version["subresources"]["scale"] = SCALE
    cluster.create(definition)
    return cluster


SPEC: list[tuple[Any, str]] = [
    (5, "0: .spec.size.count accessor error: 5 is of the type int64, expected map[string]interface{}"),
    ("x", "0: .spec.size.count accessor error: x is of the type string, expected map[string]interface{}"),
    ([], "0: .spec.size.count accessor error: [] is of the type []interface {}, expected map[string]interface{}"),
    ({"count": "x"}, "0: .spec.size.count accessor error: x is of the type string, expected int64"),
    ({"count": 1.5}, "0: .spec.size.count accessor error: 1.5 is of the type float64, expected int64"),
    ({"count": True}, "0: .spec.size.count accessor error: true is of the type bool, expected int64"),
    ({"count": -1}, "-1: should be a non-negative integer"),
    ({"count": 3000000000}, "3000000000: should be less than or equal to 2147483647"),
]


@pytest.mark.parametrize(("size", "said"), SPEC, ids=str)
def test_what_is_not_a_number_of_replicas(scalable: EmbeddedCluster, size: Any, said: str) -> None:
    at = Reference.of(scalable.create(crontab()))
    with pytest.raises(Invalid) as caught:
        scalable.patch(at, {"spec": {"size": size}}, "merge")
    assert (
        str(caught.value) == f'CronTab.stable.example.com "night" is invalid: .spec.size.count: Invalid value: {said}'
    )


STATUS: list[tuple[dict[str, Any], str]] = [
    ({"count": -1}, ".status.count: Invalid value: -1: should be a non-negative integer"),
    ({"selector": 5}, '.status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64'),
]


@pytest.mark.parametrize(("status", "said"), STATUS)
def test_what_is_not_its_status(scalable: EmbeddedCluster, status: dict[str, Any], said: str) -> None:
    at = Reference.of(scalable.create(crontab()))
    with pytest.raises(Invalid) as caught:
        scalable.patch(at, {"status": status}, "merge", subresource="status")
    assert said in str(caught.value)


@pytest.mark.parametrize("size", [None, {}, {"count": 0}, {"count": 2**31 - 1}])
def test_what_is_one(scalable: EmbeddedCluster, size: Any) -> None:
    scalable.create(crontab(size=size))


def test_a_resource_of_a_kind_that_is_scaled_says_where(scalable: EmbeddedCluster) -> None:
    assert scalable.resource("stable.example.com/v1", "CronTab").scaled_by == "spec.size.count"
    found = {(one.group, one.kind) for one in scalable.resources() if one.built_in and one.scaled_by}
    assert found == {("", "ReplicationController"), *(("apps", kind) for kind in APPS)}


APPS = ("Deployment", "ReplicaSet", "StatefulSet")


BAD: list[tuple[list[dict[str, str] | None], list[str]]] = [
    ([{}], ["spec.subresources.scale.specReplicasPath: Required value", ".statusReplicasPath: Required value"]),
    ([{}, {}], ["spec.subresources.scale.specReplicasPath: Required value"]),
    ([SCALE, {}], ["spec.versions[1].subresources.scale.specReplicasPath: Required value"]),
    ([None, {}], ["spec.versions[1].subresources.scale.statusReplicasPath: Required value"]),
    ([{**SCALE, "specReplicasPath": "x"}], ['"x": must be a simple json path starting with .']),
    ([{**SCALE, "specReplicasPath": ".specx"}], ['".specx": should be a json path under .spec']),
    ([{**SCALE, "statusReplicasPath": ".spec.x"}], ['".spec.x": should be a json path under .status']),
    ([{**SCALE, "labelSelectorPath": ".status"}], ['".status": should be a json path under either .spec or .status']),
]


@pytest.mark.parametrize(("scales", "said"), BAD)
def test_paths_that_lead_nowhere(
    cluster: EmbeddedCluster, scales: list[dict[str, str] | None], said: list[str]
) -> None:
    definition = crontabs(names=tuple(f"v{number}" for number, _ in enumerate(scales, 1)))
    for version, scale in zip(definition["spec"]["versions"], scales, strict=True):
        version["subresources"] = {"scale": scale} if scale is not None else {}
    with pytest.raises(Invalid) as caught:
        cluster.create(definition)
    assert [one for one in said if one not in str(caught.value)] == []
