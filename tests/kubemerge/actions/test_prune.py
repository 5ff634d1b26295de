"""Pruning: allowed kinds, visited namespaces, and objects that were applied and are no longer in the configs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.actions.apply import apply
from kubemerge.actions.delete import DeletionTarget
from kubemerge.actions.prune import ALLOWED, BadAllowlist, allowed, delete, unneeded
from kubemerge.cluster import Conflict, NoMatch, Reference, open_cluster

from ..apiserver.conftest import crontab, crontabs
from ..objects import config_map

if TYPE_CHECKING:
    from kubemerge.cluster import Cluster

KINDS = """
    core/v1/ConfigMap core/v1/Endpoints core/v1/PersistentVolumeClaim core/v1/Pod core/v1/ReplicationController
    core/v1/Secret core/v1/Service batch/v1/Job batch/v1/CronJob networking.k8s.io/v1/Ingress apps/v1/DaemonSet
    apps/v1/Deployment apps/v1/ReplicaSet apps/v1/StatefulSet core/v1/Namespace core/v1/PersistentVolume
"""


def put(cluster: Cluster, name: str, namespace: str = "default", **labels: str) -> str:
    """Apply a ConfigMap, and return its uid."""
    uid: str = apply(cluster, config_map(name, namespace=namespace, labels=labels)).content["metadata"]["uid"]
    return uid


def namespace(cluster: Cluster, name: str) -> str:
    config = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    uid: str = apply(cluster, config).content["metadata"]["uid"]
    return uid


def names(cluster: Cluster, namespaces: set[str], visited: set[str], selector: str = "", *kinds: str) -> list[str]:
    found = unneeded(cluster, allowed(cluster, kinds), namespaces, selector, visited)
    return [one["metadata"]["name"] for one in found]


def test_the_list_is_that_of_kubectl(cluster: Cluster) -> None:
    found = allowed(cluster, ())
    assert {f"{one.group or 'core'}/{one.version}/{one.kind}" for one in found} == set(KINDS.split())
    assert [(one.group, one.kind) for one in found] == list(ALLOWED)


def test_a_release_that_lacks_a_version_has_the_kind_in_another() -> None:
    with open_cluster(":memory:", release="1.15") as cluster:
        found = {one.kind: one.api_version for one in allowed(cluster, ())}
    assert found["CronJob"] == "batch/v1beta1"
    assert found["Ingress"] == "networking.k8s.io/v1beta1"


def test_what_was_applied_and_not_visited_is_pruned(cluster: Cluster) -> None:
    kept = put(cluster, "kept")
    put(cluster, "old")
    cluster.create(config_map("never-applied", namespace="default"))
    assert names(cluster, {"default"}, {kept}) == ["old"]


def test_only_namespaces_that_were_visited_are_looked_into(cluster: Cluster) -> None:
    visited = {namespace(cluster, "a"), namespace(cluster, "b")}
    put(cluster, "in-a", "a")
    put(cluster, "in-b", "b")
    put(cluster, "in-default")
    assert names(cluster, {"b", "a"}, visited) == ["in-a", "in-b"]


def test_what_is_in_no_namespace_is_pruned_last_and_once(cluster: Cluster) -> None:
    visited = {namespace(cluster, "a")}
    namespace(cluster, "old")
    put(cluster, "in-a", "a")
    assert names(cluster, {"a", "default"}, visited) == ["in-a", "old"]


def test_the_selector_holds_for_pruning_too(cluster: Cluster) -> None:
    put(cluster, "web", app="web")
    put(cluster, "other", app="other")
    assert names(cluster, {"default"}, set(), "app=web") == ["web"]


def test_a_given_list_replaces_all_of_the_usual_one(cluster: Cluster) -> None:
    put(cluster, "settings")
    namespace(cluster, "old")
    assert names(cluster, {"default"}, set(), "", "core/v1/Namespace", "apps/v1/Deployment") == ["old"]


@pytest.mark.parametrize("text", ["ConfigMap", "v1/ConfigMap", "core/v1/", "a/b/c/d", ""])
def test_a_kind_that_cannot_be_read(cluster: Cluster, text: str) -> None:
    with pytest.raises(BadAllowlist, match="group/version/Kind"):
        allowed(cluster, [text])


def test_a_kind_that_is_not_served(cluster: Cluster) -> None:
    with pytest.raises(NoMatch):
        allowed(cluster, ["core/v1/ConfigMop"])


def test_deleting(cluster: Cluster) -> None:
    put(cluster, "old")
    live = cluster.get(Reference("v1", "ConfigMap", "old"))
    for dry_run in ("client", "server"):
        delete(cluster, DeletionTarget.of(live), dry_run)
    assert cluster.get(Reference("v1", "ConfigMap", "old")) == live
    delete(cluster, DeletionTarget.of(live), "none")
    delete(cluster, DeletionTarget.of(live), "none")  # another client may have deleted it already
    assert list(cluster.list("v1", "ConfigMap", namespace="default")) == []


def test_an_object_that_is_another_one_by_now_is_not_deleted(cluster: Cluster) -> None:
    put(cluster, "old")
    old = DeletionTarget.of(cluster.get(Reference("v1", "ConfigMap", "old")))
    delete(cluster, old, "none")
    put(cluster, "old")
    with pytest.raises(Conflict, match="UID"):
        delete(cluster, old, "none")


def test_an_object_whose_kind_is_gone_is_gone(cluster: Cluster) -> None:
    cluster.create(crontabs())
    old = DeletionTarget.of(cluster.create(crontab()))
    cluster.delete(Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", "crontabs.stable.example.com"))
    delete(cluster, old, "none")
