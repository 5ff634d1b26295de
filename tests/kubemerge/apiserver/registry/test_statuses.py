"""Fields that a server sets in a status written by a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Reference, open_cluster
from kubemerge.pytest_plugin import kube_dump, kube_release, kube_store

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

__all__ = ["kube_dump", "kube_release", "kube_store"]

REQUEST = (
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIRk1HNENBUUF3RERFS01BZ0dBMVVFQXd3QmVEQlpNQk1HQnlx"
    "R1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCRnNKQjdQbjJLOVgxakk3TVRkV3Z1NjQ3QnlwUFVaRlhEZFRBaEdJQWY2VFhvL1Yx"
    "K21renk3bTk3ODY0OUF3CjBBN0hNdDhyRU5VNURnWFQ3SVhORjIyZ0FEQUtCZ2dxaGtqT1BRUURBZ05IQURCRUFpQXE2bzEzaE9r"
    "MkxsU1kKb3BpSE1MamtJTFQ3VWtsNWQ3cG5JdVFWNkdoQmlBSWdLTzd6U01DQytBL2IyZVYzVHFYY01ZMXlrSnpRYVhiUwpTYXNa"
    "eXVKNS9uST0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=="
)
"""A CertificateSigningRequest."""
API = "certificates.k8s.io/v1"
LONG_AGO = "2020-01-01T00:00:00Z"


def test_times_that_an_approver_leaves_out_are_those_of_the_server(kube_store: EmbeddedCluster) -> None:
    spec = {"request": REQUEST, "signerName": "example.com/x", "usages": ["client auth"]}
    made = {"apiVersion": API, "kind": "CertificateSigningRequest", "metadata": {"name": "c"}, "spec": spec}
    live = kube_store.create(made)
    decided: dict[str, Any] = {"type": "Approved", "status": "True", "reason": "x", "lastUpdateTime": LONG_AGO}
    with_nothing = {"status": {"conditions": [{**decided, "lastTransitionTime": None}]}}
    (found,) = kube_store.replace({**live, **with_nothing}, subresource="approval")["status"]["conditions"]
    assert found["lastUpdateTime"] == LONG_AGO
    assert found["lastTransitionTime"] > LONG_AGO
    reference = Reference(API, "CertificateSigningRequest", "c", None)
    kept = {"conditions": [{**decided, "lastTransitionTime": LONG_AGO}]}
    kube_store.patch(reference, {"status": kept}, "merge", subresource="approval")
    again = {**kube_store.get(reference), **with_nothing}
    (found,) = kube_store.replace(again, subresource="approval")["status"]["conditions"]
    assert found["lastTransitionTime"] == LONG_AGO


@pytest.mark.parametrize(
    ("release", "phase", "is_stored"),
    [("1.23", "Pending", False), ("1.24", "Bound", True), ("1.28", "Pending", False), ("1.29", "Pending", True)],
)
def test_phase_of_a_new_volume_is_stored_with_the_first_change_until_1_28(
    release: str, phase: str, is_stored: bool
) -> None:
    spec = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}}
    volume = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": spec}
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create({**volume, "status": {"phase": "Bound"}})
        assert made["status"]["phase"] == phase
        same = cluster.patch(Reference.of(made), {}, "merge")
        assert (same["metadata"]["resourceVersion"] == made["metadata"]["resourceVersion"]) is is_stored
        again = cluster.patch(Reference.of(made), {}, "merge")
        assert again["metadata"]["resourceVersion"] == same["metadata"]["resourceVersion"]


@pytest.mark.parametrize(("release", "printed"), [("1.21", False), ("1.22", False), ("1.23", True)])
def test_available_replicas_of_a_set_are_always_printed_since_1_23(release: str, printed: bool) -> None:
    labels = {"a": "b"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"serviceName": "s", "selector": {"matchLabels": labels}, "template": template}
    metadata = {"name": "s", "namespace": "default"}
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": spec})
        assert ("availableReplicas" in made["status"]) is printed
        changed = cluster.patch(Reference.of(made), {"spec": {"replicas": 3}}, "merge")
        assert ("availableReplicas" in changed["status"]) is printed
