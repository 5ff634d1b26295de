"""Policies for deletions by the garbage collector and of the content of namespaces, as on a 1.37.1 control plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.protocol import Reference
from kubemerge.cluster import NotFound, open_cluster

from .samples import Object, rules, validating

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver import EmbeddedCluster

KEEP = "!has(oldObject.metadata.labels) || !('keep' in oldObject.metadata.labels)"
SECRET = Reference("v1", "Secret", "owner", "default")
BINDING = Reference("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "rule-binding", None)
DENIED = "ValidatingAdmissionPolicy 'rule' with binding 'rule-binding' denied request: failed expression: "


def policy(expression: str = KEEP, **spec: Any) -> list[Object]:
    return validating(expression, matchConstraints=rules("configmaps", operations=("DELETE",)), **spec)


@pytest.fixture
def cluster() -> Iterator[EmbeddedCluster]:
    with open_cluster(":memory:") as found:
        for one in policy():
            found.create(one)
        yield found


def config(name: str, namespace: str = "default", *, keep: bool = False, owner: Object | None = None) -> Object:
    metadata: Object = {"name": name, "namespace": namespace}
    if keep:
        metadata["labels"] = {"keep": "a"}
    if owner is not None:
        uid = owner["metadata"]["uid"]
        reference = {"apiVersion": "v1", "kind": "Secret", "name": "owner", "uid": uid, "blockOwnerDeletion": True}
        metadata["ownerReferences"] = [reference]
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


def owned(cluster: EmbeddedCluster) -> None:
    owner = cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "owner"}})
    cluster.create(config("free", owner=owner))
    cluster.create(config("kept", keep=True, owner=owner))


def names(cluster: EmbeddedCluster, namespace: str = "default") -> list[str]:
    return [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap", namespace=namespace)]


def has(cluster: EmbeddedCluster, reference: Reference) -> bool:
    try:
        cluster.get(reference)
    except NotFound:
        return False
    return True


def test_a_denied_dependent_stays_until_the_policy_is_gone(cluster: EmbeddedCluster) -> None:
    owned(cluster)
    cluster.delete(SECRET)
    assert names(cluster) == ["kept"]
    cluster.delete(BINDING)
    assert names(cluster) == []


def test_a_denied_dependent_is_deleted_once_it_is_changed(cluster: EmbeddedCluster) -> None:
    owned(cluster)
    cluster.delete(SECRET)
    cluster.patch(Reference("v1", "ConfigMap", "kept", "default"), {"metadata": {"labels": {"keep": None}}}, "merge")
    assert names(cluster) == []


def test_foreground_deletion_waits_for_a_denied_dependent(cluster: EmbeddedCluster) -> None:
    owned(cluster)
    cluster.delete(SECRET, propagation="Foreground")
    assert names(cluster) == ["kept"]
    assert cluster.get(SECRET)["metadata"]["finalizers"] == ["foregroundDeletion"]
    cluster.delete(BINDING)
    assert names(cluster) == []
    assert not has(cluster, SECRET)


def test_the_content_of_a_namespace_is_deleted_by_name_until_a_policy_denies_it(cluster: EmbeddedCluster) -> None:
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "gone"}})
    for name in "abcd":
        cluster.create(config(name, "gone", keep=name in "bd"))
    cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "owner", "namespace": "gone"}})
    namespace = Reference("v1", "Namespace", "gone", None)
    cluster.delete(namespace)
    assert names(cluster, "gone") == ["b", "c", "d"]
    assert not has(cluster, Reference("v1", "Secret", "owner", "gone"))
    found = {one["type"]: one for one in cluster.get(namespace)["status"]["conditions"]}
    failure = found["NamespaceDeletionContentFailure"]
    assert (failure["status"], failure["reason"]) == ("True", "ContentDeletionFailed")
    said = f'Failed to delete all resource types, 1 remaining: configmaps "Unknown" is forbidden: {DENIED}{KEEP}'
    assert failure["message"] == said
    assert found["NamespaceContentRemaining"]["status"] == "False"
    cluster.delete(BINDING)
    assert not has(cluster, namespace)


def test_a_policy_sees_the_account_and_the_options_of_the_controller() -> None:
    account = "request.userInfo.username == 'system:serviceaccount:kube-system:generic-garbage-collector'"
    options = "request.options.propagationPolicy == 'Background' && request.options.preconditions.uid != ''"
    with open_cluster(":memory:") as cluster:
        for one in policy(f"!({account} && {options} && request.name == 'kept')"):
            cluster.create(one)
        owned(cluster)
        cluster.delete(SECRET)
        assert names(cluster) == ["kept"]


def test_warnings_have_no_recipient() -> None:
    seen: list[str] = []
    with open_cluster(":memory:") as cluster:
        first, second = policy("false")
        for one in (first, {**second, "spec": {**second["spec"], "validationActions": ["Warn"]}}):
            cluster.create(one)
        owned(cluster)
        cluster.on_warning = seen.append
        cluster.delete(SECRET)
        assert names(cluster) == []
    assert seen == []
