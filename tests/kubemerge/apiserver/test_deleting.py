"""Deletion: preconditions, finalizers, and the content of namespaces and definitions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.storage.sqlite import SqliteStore
from kubemerge.cluster import BadRequest, Conflict, Forbidden, Invalid, NoMatch, NotFound, Reference, open_cluster

from .conftest import NOW, config_map, config_map_ref, crontab, crontabs, deployment, namespace

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

SHOP = Reference("v1", "Namespace", "shop")
DEFINITION = Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", "crontabs.stable.example.com")


def held(content: dict[str, Any]) -> dict[str, Any]:
    """The object with a finalizer, which keeps it after a deletion."""
    return {**content, "metadata": {**content["metadata"], "finalizers": ["example.com/wait"]}}


def release(cluster: EmbeddedCluster, reference: Reference) -> None:
    cluster.patch(reference, {"metadata": {"finalizers": None}}, "merge")


def test_a_deleted_object_is_gone(cluster: EmbeddedCluster) -> None:
    made = cluster.create(config_map())
    assert cluster.delete(config_map_ref()) == made
    with pytest.raises(NotFound):
        cluster.get(config_map_ref())
    assert cluster.create(config_map())["metadata"]["uid"] != made["metadata"]["uid"]


@pytest.mark.parametrize(
    ("precondition", "said"),
    [
        ({"uid": "other"}, "the UID in the precondition .other. does not match"),
        ({"resource_version": "1"}, "The object might have been modified"),
    ],
)
def test_a_precondition_must_hold(cluster: EmbeddedCluster, precondition: dict[str, str], said: str) -> None:
    made = cluster.create(config_map())
    with pytest.raises(Conflict, match=said):
        cluster.delete(config_map_ref(), **precondition)  # type: ignore[arg-type]
    said_now = made["metadata"]
    cluster.delete(config_map_ref(), uid=said_now["uid"], resource_version=said_now["resourceVersion"])


def test_an_object_waits_for_its_finalizers(cluster: EmbeddedCluster) -> None:
    cluster.create(held(deployment()))
    web = Reference.of(deployment())
    marked = cluster.delete(web)
    assert marked["metadata"]["deletionTimestamp"] == NOW
    assert marked["metadata"]["generation"] == 2
    assert cluster.delete(web) == marked, "it is on its way already"
    with pytest.raises(Invalid, match="no new finalizers can be added"):
        cluster.patch(web, {"metadata": {"finalizers": ["example.com/wait", "b"]}}, "merge")
    release(cluster, web)
    with pytest.raises(NotFound):
        cluster.get(web)


def test_a_deletion_is_not_taken_back(cluster: EmbeddedCluster) -> None:
    cluster.create(held(config_map()))
    cluster.delete(config_map_ref())
    after = cluster.patch(config_map_ref(), {"metadata": {"deletionTimestamp": None}, "data": {"a": "1"}}, "merge")
    assert after["metadata"]["deletionTimestamp"] == NOW


def test_a_namespace_takes_along_what_is_in_it(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    cluster.create(config_map(namespace="shop"))
    cluster.create(config_map(namespace="default"))
    cluster.delete(SHOP)
    assert [one["metadata"]["namespace"] for one in cluster.list("v1", "ConfigMap")] == ["default"]
    with pytest.raises(NotFound):
        cluster.get(SHOP)


def test_a_namespace_waits_for_what_is_in_it(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    cluster.create(held(config_map(namespace="shop")))
    cluster.create(config_map("free", "shop"))
    assert cluster.delete(SHOP)["status"]["phase"] == "Terminating"
    (left,) = cluster.list("v1", "ConfigMap", namespace="shop")
    assert left["metadata"]["deletionTimestamp"] == NOW
    with pytest.raises(Forbidden, match=r'^secrets "a" is forbidden: unable to create new content in namespace shop'):
        cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "shop"}})
    release(cluster, config_map_ref(namespace="shop"))
    with pytest.raises(NotFound):
        cluster.get(SHOP)


@pytest.mark.parametrize("name", ["default", "kube-system", "kube-public"])
def test_some_namespaces_stay(cluster: EmbeddedCluster, name: str) -> None:
    with pytest.raises(Forbidden, match="this namespace may not be deleted"):
        cluster.delete(Reference("v1", "Namespace", name))


def test_a_definition_takes_along_its_objects(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    cluster.create(crontab())
    cluster.delete(DEFINITION)
    with pytest.raises(NoMatch):
        cluster.get(Reference.of(crontab()))
    cluster.create(crontabs())
    assert list(cluster.list("stable.example.com/v1", "CronTab")) == []


def test_a_definition_waits_for_its_objects(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    cluster.create(held(crontab()))
    cluster.delete(DEFINITION)
    assert cluster.get(DEFINITION)["metadata"]["deletionTimestamp"] == NOW
    release(cluster, Reference.of(crontab()))
    with pytest.raises(NotFound):
        cluster.get(DEFINITION)
    with pytest.raises(NoMatch):
        cluster.resource("stable.example.com/v1", "CronTab")


def test_a_dry_run_of_a_namespace_takes_nothing_along(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace())
    cluster.create(held(config_map(namespace="shop")))
    before = list(cluster.dump())
    assert cluster.delete(SHOP, dry_run=True)["metadata"]["deletionTimestamp"] == NOW
    assert list(cluster.dump()) == before


def test_a_propagation_is_one_of_three(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map())
    with pytest.raises(BadRequest, match="Background, Foreground or Orphan"):
        cluster.delete(config_map_ref(), propagation="Sideways")
    cluster.delete(config_map_ref(), propagation="Foreground")


# ---- deleting and creating as one step -------------------------------------------------------------------------------


def test_an_object_is_deleted_and_created_as_one_step(cluster: EmbeddedCluster) -> None:
    before = cluster.create(config_map(a="1"))
    after = cluster.recreate(config_map(a="2"), uid=before["metadata"]["uid"])
    assert after == cluster.get(config_map_ref())
    assert after is not None
    assert after["data"] == {"a": "2"}
    assert after["metadata"]["uid"] != before["metadata"]["uid"]


def test_what_cannot_be_created_again_is_not_deleted(cluster: EmbeddedCluster) -> None:
    before = cluster.create(deployment())
    with pytest.raises(Invalid):
        cluster.recreate(deployment(replicas=-1))
    with pytest.raises(Conflict):
        cluster.recreate(deployment(), uid="another")
    assert cluster.get(Reference.of(before)) == before


def test_what_has_finalizers_is_only_marked_to_go(cluster: EmbeddedCluster) -> None:
    cluster.create(held(config_map()))
    assert cluster.recreate(config_map(a="2")) is None
    live = cluster.get(config_map_ref())
    assert "deletionTimestamp" in live["metadata"]
    assert "data" not in live


def test_a_definition_made_again_takes_its_objects_along(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    night = cluster.create(crontab())
    assert cluster.recreate(crontabs())
    with pytest.raises(NotFound):
        cluster.get(Reference.of(night))
    assert cluster.create(crontab())


def steps_to_let_go(count: int) -> int:
    """The number of SQLite steps that finish the deletion of a namespace's objects."""
    with open_cluster(":memory:") as cluster:
        cluster.create(namespace("shop"))
        waiting = [held(config_map(f"m{number}", "shop")) for number in range(count)]
        for one in waiting:
            cluster.create(one)
        cluster.delete(SHOP)
        steps = 0

        def stepped() -> int:
            nonlocal steps
            steps += 1
            return 0

        assert isinstance(cluster._store, SqliteStore)
        cluster._store._connection.set_progress_handler(stepped, 1)
        for one in waiting:
            release(cluster, Reference.of(one))
        with pytest.raises(NotFound):
            cluster.get(SHOP)
        return steps


def test_letting_go_of_an_object_does_not_look_at_all_others() -> None:
    assert steps_to_let_go(200) < 6 * steps_to_let_go(50)


def test_many_finalizers_are_compared_at_once() -> None:
    """Those of a terminating object, where a new one is rejected."""
    names = [f"example.com/f{number}" for number in range(20_000)]
    with open_cluster(":memory:") as cluster:
        cluster.create({**config_map(), "metadata": {"name": "settings", "finalizers": names}})
        cluster.delete(Reference.of(config_map()))
        begun = time.thread_time()
        with pytest.raises(Invalid, match="no new finalizers can be added"):
            cluster.patch(Reference.of(config_map()), {"metadata": {"finalizers": [*names, "a.b/c"]}}, "merge")
        assert time.thread_time() - begun < 2.5
