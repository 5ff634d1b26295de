"""Checks that only older releases have, or that changed in one of them."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.cluster import Invalid, Reference, open_cluster

NODE = Reference("storage.k8s.io/v1", "CSINode", "n")


def node(labels: Any = None, **driver: Any) -> dict[str, Any]:
    drivers = [{"name": "d.example", "nodeID": "n", "allocatable": {"count": 5}, "topologyKeys": None, **driver}]
    metadata = {"name": "n", "labels": labels or {}}
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": metadata, "spec": {"drivers": drivers}}


def is_accepted(release: str, changed: dict[str, Any]) -> bool:
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(node())
        try:
            version = made["metadata"]["resourceVersion"]
            cluster.replace({**changed, "metadata": {**changed["metadata"], "resourceVersion": version}})
        except Invalid:
            return False
        return True


@pytest.mark.parametrize(("release", "counts"), [("1.17", False), ("1.33", False), ("1.35", True), ("1.37", True)])
def test_a_driver_of_a_node_is_immutable_except_for_its_count(release: str, counts: bool) -> None:
    assert is_accepted(release, node(labels={"a": "b"}))
    assert is_accepted(release, node(topologyKeys=[]))
    assert is_accepted(release, node(allocatable={"count": 6})) is counts
    assert not is_accepted(release, node(nodeID="m"))
    assert not is_accepted(release, node(topologyKeys=["a"]))


def controller(kind: str, replicas: int, disk: dict[str, Any]) -> dict[str, Any]:
    labels = {"a": "b"}
    spec = {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "gcePersistentDisk": disk}]}
    selector = labels if kind == "ReplicationController" else {"matchLabels": labels}
    template = {"metadata": {"labels": labels}, "spec": spec}
    return {
        "apiVersion": "v1" if kind == "ReplicationController" else "apps/v1",
        "kind": kind,
        "metadata": {"name": "r", "namespace": "default"},
        "spec": {"replicas": replicas, "selector": selector, "template": template},
    }


@pytest.mark.parametrize("kind", ["ReplicationController", "ReplicaSet", "Deployment"])
@pytest.mark.parametrize(
    ("replicas", "disk", "refused"),
    [(1, {"pdName": "p"}, False), (2, {"pdName": "p"}, True), (2, {"pdName": "p", "readOnly": True}, False)],
)
def test_replicas_share_no_disk_for_writing(kind: str, replicas: int, disk: dict[str, Any], refused: bool) -> None:
    with open_cluster(":memory:", release="1.20") as cluster:
        if not refused:
            cluster.create(controller(kind, replicas, disk))
            return
        with pytest.raises(Invalid, match="must be true for replicated pods > 1"):
            cluster.create(controller(kind, replicas, disk))
