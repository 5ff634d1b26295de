"""The protection controllers, beyond the scenarios of tests/apiserver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import NotFound, Reference

from ..conftest import namespace

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

CLAIM = Reference("v1", "PersistentVolumeClaim", "p-scratch", "shop")
POD = Reference("v1", "Pod", "p", "shop")


def claim(**metadata: Any) -> dict[str, Any]:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    named = {"name": CLAIM.name, "namespace": "shop", **metadata}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": named, "spec": spec}


def pod(volume: dict[str, Any]) -> dict[str, Any]:
    spec = {
        "nodeName": "worker",
        "containers": [{"name": "c", "image": "i"}],
        "volumes": [{"name": "scratch"} | volume],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "shop"}, "spec": spec}


def owner(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": found["metadata"]["uid"], "controller": True}]


NAMED = {"persistentVolumeClaim": {"claimName": CLAIM.name}}
EPHEMERAL = {"ephemeral": {"volumeClaimTemplate": {"spec": claim()["spec"]}}}


def is_there(cluster: EmbeddedCluster) -> bool:
    try:
        cluster.get(CLAIM)
    except NotFound:
        return False
    return True


@pytest.mark.parametrize(
    ("volume", "owned", "stays"), [(NAMED, False, True), (EPHEMERAL, True, True), (EPHEMERAL, False, False)]
)
def test_a_claim_stays_while_a_pod_uses_it(
    cluster: EmbeddedCluster, volume: dict[str, Any], owned: bool, stays: bool
) -> None:
    cluster.create(namespace())
    user = cluster.create(pod(volume))
    cluster.create(claim(**({"ownerReferences": owner(user)} if owned else {})))
    cluster.delete(CLAIM)
    assert is_there(cluster) is stays
    cluster.delete(POD, grace_period=0)
    assert not is_there(cluster)


def test_a_dry_run_releases_nothing(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    cluster.create(claim())
    cluster.delete(CLAIM, dry_run=True)
    assert "deletionTimestamp" not in cluster.get(CLAIM)["metadata"]


def test_other_finalizers_keep_a_claim(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    cluster.create(claim(finalizers=["example.com/hold"]))
    cluster.delete(CLAIM)
    found = cluster.get(CLAIM)["metadata"]
    assert found["finalizers"] == ["example.com/hold"]
    cluster.patch(CLAIM, {"metadata": {"finalizers": None}}, "merge")
    assert not is_there(cluster)


def test_a_namespace_goes_with_its_claims(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    cluster.create(claim())
    cluster.delete(Reference("v1", "Namespace", "shop"))
    with pytest.raises(NotFound):
        cluster.get(Reference("v1", "Namespace", "shop"))
