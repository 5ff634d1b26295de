"""Namespaces: default objects, termination, and their content in the meantime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Forbidden, NotFound, Reference

from ..conftest import config_map, config_map_ref, namespace

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

SHOP = Reference("v1", "Namespace", "shop")
ACCOUNT = Reference("v1", "ServiceAccount", "default", "shop")


def pod(**spec: Any) -> dict[str, Any]:
    containers = [{"name": "a", "image": "b"}]
    metadata = {"name": "p", "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers, **spec}}


def conditions(cluster: EmbeddedCluster) -> dict[str, tuple[str, str]]:
    found = cluster.get(SHOP)["status"].get("conditions", [])
    return {one["type"]: (one["status"], one["message"]) for one in found}


def test_a_namespace_has_a_service_account_that_comes_back(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    first = cluster.get(ACCOUNT)
    cluster.delete(ACCOUNT)
    assert cluster.get(ACCOUNT)["metadata"]["name"] == first["metadata"]["name"]
    cluster.delete(SHOP)
    with pytest.raises(NotFound):
        cluster.get(ACCOUNT)


def test_a_namespace_says_what_it_waits_for(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    for name in ("a", "b"):
        held = config_map(name, "shop")
        held["metadata"]["finalizers"] = ["example.com/hold"]
        cluster.create(held)
    cluster.delete(SHOP)
    said = conditions(cluster)
    remaining = "Some resources are remaining: configmaps. has 2 resource instances"
    assert said["NamespaceContentRemaining"] == ("True", remaining)
    finalizers = "Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances"
    assert said["NamespaceFinalizersRemaining"] == ("True", finalizers)
    entries = cluster.get(SHOP)["metadata"]["managedFields"]
    assert [one["manager"] for one in entries if one.get("subresource") == "status"] == ["kube-controller-manager"]
    for name in ("a", "b"):
        cluster.patch(config_map_ref(name, "shop"), {"metadata": {"finalizers": None}}, "merge")
    with pytest.raises(NotFound):
        cluster.get(SHOP)


def test_nothing_but_pods_goes_while_there_are_pods(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    cluster.create(config_map("a", "shop"))
    cluster.create(pod(nodeName="n"))
    cluster.delete(SHOP)
    assert cluster.get(Reference.of(pod()))["metadata"]["deletionGracePeriodSeconds"] == 30
    assert "deletionTimestamp" not in cluster.get(config_map_ref("a", "shop"))["metadata"]
    cluster.delete(Reference.of(pod()), grace_period=0)
    with pytest.raises(NotFound):
        cluster.get(SHOP)


def test_a_namespace_with_a_finalizer_of_its_own(cluster: EmbeddedCluster) -> None:
    held = namespace()
    held["metadata"]["finalizers"] = ["example.com/hold"]
    cluster.create(held)
    cluster.create(config_map("a", "shop"))
    cluster.delete(SHOP)
    assert list(cluster.list("v1", "ConfigMap", namespace="shop")) == []
    assert cluster.get(SHOP)["spec"] == {}
    with pytest.raises(Forbidden):
        cluster.create(config_map("b", "shop"))
    cluster.patch(SHOP, {"metadata": {"finalizers": None}}, "merge")
    with pytest.raises(NotFound):
        cluster.get(SHOP)


GRACE = [
    # the spec, the requested seconds, the remaining seconds; None for a removed Pod
    ({}, None, None),
    ({"nodeName": "n"}, None, 30),
    ({"nodeName": "n", "terminationGracePeriodSeconds": 90}, None, 90),
    ({"nodeName": "n"}, 5, 5),
    ({"nodeName": "n"}, -1, 1),
    ({"nodeName": "n"}, 0, None),
]


@pytest.mark.parametrize(("spec", "asked", "left"), GRACE)
def test_a_pod_on_a_node_has_time(
    cluster: EmbeddedCluster, spec: dict[str, Any], asked: int | None, left: int | None
) -> None:
    cluster.create(namespace())
    cluster.create(pod(**spec))
    cluster.delete(Reference.of(pod()), grace_period=asked)
    try:
        found = cluster.get(Reference.of(pod()))["metadata"]
    except NotFound:
        assert left is None
    else:
        assert found["deletionGracePeriodSeconds"] == left
        cluster.delete(Reference.of(pod()), grace_period=1000)  # the period can only be shortened
        assert cluster.get(Reference.of(pod()))["metadata"]["deletionGracePeriodSeconds"] == left
