"""The objects of an empty cluster, compared with those of a real API server.

`initial_objects.jsonl` has the objects of kube-apiserver 1.37.1 without uids, versions and times. Its port is 6443.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kubemerge.apiserver.controllers.names import SERVICE_ACCOUNT
from kubemerge.cluster import Reference, open_cluster

Object = dict[str, Any]
REAL: list[Object] = [
    json.loads(line) for line in Path(__file__).with_name("initial_objects.jsonl").read_text().splitlines()
]
DRAWN = ("creationTimestamp", "resourceVersion", "uid")
KUBERNETES = Reference("v1", "Service", "kubernetes", "default")


def fixed(one: Object) -> Object:
    """The object without drawn values and times."""
    metadata = {key: value for key, value in one["metadata"].items() if key not in DRAWN}
    if "managedFields" in metadata:
        metadata["managedFields"] = [
            {key: value for key, value in entry.items() if key != "time"} for entry in metadata["managedFields"]
        ]
    return {**one, "metadata": metadata}


def initial(release: str, api_version: str, kind: str) -> list[Object]:
    with open_cluster(":memory:", release=release) as cluster:
        return [fixed(one) for one in cluster.list(api_version, kind)]


@pytest.mark.parametrize("kind", ["Namespace", "PriorityClass", "Service"])
def test_initial_objects_equal_the_server(kind: str) -> None:
    real = [one for one in REAL if one["kind"] == kind]
    assert initial("1.37", real[0]["apiVersion"], kind) == real


def test_every_write_has_a_time_and_the_creation_has_the_same() -> None:
    with open_cluster(":memory:", release="1.37") as cluster:
        for one in cluster.list("v1", "Service"):
            assert [entry["time"] for entry in one["metadata"]["managedFields"]] == [
                one["metadata"]["creationTimestamp"]
            ]


def test_the_service_account_controller_creates_one_account_in_each_namespace() -> None:
    metadata = [one["metadata"] for one in initial("1.37", "v1", "ServiceAccount")]
    assert [one["namespace"] for one in metadata] == ["default", "kube-node-lease", "kube-public", "kube-system"]
    assert all(one.keys() == {"name", "namespace"} and one["name"] == "default" for one in metadata)
    with open_cluster(":memory:", release="1.37", controllers=f"*,-{SERVICE_ACCOUNT}") as cluster:
        assert list(cluster.list("v1", "ServiceAccount")) == []


NEWER = {
    "1.19": {"clusterIPs", "internalTrafficPolicy", "ipFamilies", "ipFamilyPolicy"},
    "1.20": {"internalTrafficPolicy", "ipFamilies", "ipFamilyPolicy"},
    "1.21": {"internalTrafficPolicy"},
    "1.22": set[str](),
}
"""Fields of the Service that a release does not have."""


@pytest.mark.parametrize("release", NEWER)
def test_a_release_has_fewer_fields_of_the_service(release: str) -> None:
    (newest,) = (one for one in REAL if one["kind"] == "Service")
    (found,) = initial(release, "v1", "Service")
    assert found["spec"] == {key: value for key, value in newest["spec"].items() if key not in NEWER[release]}
    owned = newest["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]
    assert found["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"] == {
        key: value for key, value in owned.items() if key[2:] not in NEWER[release]
    }


@pytest.mark.parametrize(
    ("release", "api_version", "fields"),
    [
        ("1.11", "scheduling.k8s.io/v1beta1", {"value", "description"}),
        ("1.13", "scheduling.k8s.io/v1beta1", {"value", "description"}),
        ("1.14", "scheduling.k8s.io/v1", {"value", "description"}),
        ("1.18", "scheduling.k8s.io/v1", {"value", "description"}),
        ("1.19", "scheduling.k8s.io/v1", {"value", "description", "preemptionPolicy"}),
    ],
)
def test_priority_classes_of_a_release(release: str, api_version: str, fields: set[str]) -> None:
    found = initial(release, api_version, "PriorityClass")
    assert [one["metadata"]["name"] for one in found] == ["system-cluster-critical", "system-node-critical"]
    assert {key for one in found for key in one} == {"apiVersion", "kind", "metadata", *fields}
    entries = [entry for one in found for entry in one["metadata"].get("managedFields", ())]
    owned: Object = {f"f:{field}": {} for field in fields}
    assert [entry["fieldsV1"] for entry in entries] == ([owned, owned] if release >= "1.18" else [])


def test_no_priority_class_before_1_11() -> None:
    assert initial("1.10", "scheduling.k8s.io/v1alpha1", "PriorityClass") == []
