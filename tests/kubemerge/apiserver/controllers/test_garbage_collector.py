"""The garbage collector works in the transaction of the deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import NotFound, Reference

from ..conftest import config_map, config_map_ref, crontabs, deployment

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

HOLD = "example.com/hold"


def names(cluster: EmbeddedCluster) -> list[str]:
    return [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap")]


def owned_by(*owners: dict[str, Any], name: str = "owned", block: bool = False, **metadata: Any) -> dict[str, Any]:
    """A ConfigMap with these owners."""
    made = config_map(name)
    references = [
        {
            "apiVersion": one["apiVersion"],
            "kind": one["kind"],
            "name": one["metadata"]["name"],
            "uid": one["metadata"]["uid"],
            **({"blockOwnerDeletion": True} if block else {}),
        }
        for one in owners
    ]
    return {**made, "metadata": {**made["metadata"], "ownerReferences": references, **metadata}}


@pytest.mark.parametrize("propagation", ["Background", "Foreground", None])
def test_what_is_owned_goes_with_its_owner(cluster: EmbeddedCluster, propagation: str | None) -> None:
    owner = cluster.create(config_map("owner"))
    middle = cluster.create(owned_by(owner, name="middle"))
    cluster.create(owned_by(middle, name="last"))
    cluster.delete(config_map_ref("owner"), propagation=propagation)
    assert names(cluster) == []


def test_an_orphan_stays_without_its_owner(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner"))
    cluster.create(owned_by(owner))
    cluster.delete(config_map_ref("owner"), propagation="Orphan")
    assert names(cluster) == ["owned"]
    assert "ownerReferences" not in cluster.get(config_map_ref("owned"))["metadata"]


def test_a_job_leaves_its_pods_unless_it_is_told_otherwise(cluster: EmbeddedCluster) -> None:
    spec = {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "b"}]}}}
    wanted = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": spec}
    for propagation, left in ((None, ["owned"]), ("Background", [])):
        cluster.create(owned_by(cluster.create(wanted)))
        cluster.delete(Reference.of(wanted), propagation=propagation)
        assert names(cluster) == left
        for name in left:
            cluster.delete(config_map_ref(name))


def test_one_of_several_owners_is_enough(cluster: EmbeddedCluster) -> None:
    first, second = cluster.create(config_map("first")), cluster.create(config_map("second"))
    cluster.create(owned_by(first, second))
    cluster.delete(config_map_ref("first"), propagation="Background")
    (reference,) = cluster.get(config_map_ref("owned"))["metadata"]["ownerReferences"]
    assert reference["name"] == "second"
    cluster.delete(config_map_ref("second"), propagation="Background")
    assert names(cluster) == []


def test_an_owner_in_the_foreground_waits_for_what_blocks_it(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner"))
    cluster.create(owned_by(owner, block=True, finalizers=[HOLD]))
    cluster.create(owned_by(owner, name="free"))
    answer = cluster.delete(config_map_ref("owner"), propagation="Foreground")
    assert answer["metadata"]["finalizers"] == ["foregroundDeletion"]
    assert names(cluster) == ["owned", "owner"]
    cluster.patch(config_map_ref("owned"), {"metadata": {"finalizers": None}}, "merge")
    assert names(cluster) == []


def test_an_owner_in_the_foreground_does_not_wait_for_others(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner"))
    cluster.create(owned_by(owner, finalizers=[HOLD]))
    cluster.delete(config_map_ref("owner"), propagation="Foreground")
    assert names(cluster) == ["owned"]


def test_owners_that_wait_for_each_other_go_as_well(cluster: EmbeddedCluster) -> None:
    one = cluster.create(config_map("one"))
    two = cluster.create(owned_by(one, name="two", block=True))
    change = {"metadata": {"ownerReferences": owned_by(two, block=True)["metadata"]["ownerReferences"]}}
    cluster.patch(config_map_ref("one"), change, "merge")
    cluster.delete(config_map_ref("one"), propagation="Foreground")
    assert names(cluster) == []


def test_an_owner_that_is_not_there_is_an_owner_that_has_gone(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner"))
    again = {**owner, "metadata": {**owner["metadata"], "uid": "of-before"}}
    assert cluster.create(owned_by(again))["metadata"]["name"] == "owned"  # the server's response before
    assert names(cluster) == ["owner"]
    stays = cluster.create(owned_by(owner, again))
    assert names(cluster) == ["owned", "owner"]
    assert len(cluster.get(Reference.of(stays))["metadata"]["ownerReferences"]) == 1


def test_owners_of_a_kind_that_nobody_knows_keep_what_they_own(cluster: EmbeddedCluster) -> None:
    unknown = {"apiVersion": "example.com/v1", "kind": "Unknown", "metadata": {"name": "a", "uid": "b"}}
    cluster.create(owned_by(unknown))
    assert names(cluster) == ["owned"]


def test_an_owner_without_a_namespace_may_own_in_all(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(crontabs())
    cluster.create(owned_by(owner))
    cluster.create(owned_by(owner, namespace="kube-system"))
    cluster.delete(Reference.of(owner), propagation="Background")
    assert names(cluster) == []


def test_an_object_without_a_namespace_is_not_owned_by_one_in_a_namespace(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner"))
    reference = owned_by(owner)["metadata"]["ownerReferences"]
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "ownerReferences": reference}}
    cluster.create(node)
    cluster.delete(config_map_ref("owner"), propagation="Background")
    assert cluster.get(Reference.of(node))


def test_an_owner_in_another_namespace_is_none(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner", "kube-system"))
    cluster.create(owned_by(owner))
    assert names(cluster) == ["owner"]


def test_a_dry_run_collects_nothing(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner"))
    cluster.create(owned_by(owner))
    cluster.delete(config_map_ref("owner"), propagation="Foreground", dry_run=True)
    assert names(cluster) == ["owned", "owner"]


def test_what_another_process_wrote_is_collected_too(cluster: EmbeddedCluster) -> None:
    """The index of owners is built again after another process has written."""
    owner = cluster.create(config_map("owner"))
    cluster.delete(Reference.of(cluster.create(deployment())), propagation="Background")  # builds the index
    cluster.load([owned_by(owner, uid="of-a-dump")])
    cluster.delete(config_map_ref("owner"), propagation="Background")
    assert names(cluster) == []


def test_taking_an_owner_away_lets_it_go(cluster: EmbeddedCluster) -> None:
    owner = cluster.create(config_map("owner"))
    cluster.create(owned_by(owner, block=True, finalizers=[HOLD]))
    cluster.delete(config_map_ref("owner"), propagation="Foreground")
    cluster.patch(config_map_ref("owned"), {"metadata": {"ownerReferences": None}}, "merge")
    with pytest.raises(NotFound):
        cluster.get(config_map_ref("owner"))


@pytest.mark.parametrize("version", ["v1", "events.k8s.io/v1"])
def test_an_event_without_its_owner_stays(cluster: EmbeddedCluster, version: str) -> None:
    owner = cluster.create(config_map("owner"))
    event = {**owned_by(owner, name="e"), "apiVersion": version, "kind": "Event"}
    if version == "v1":
        event["involvedObject"] = {"namespace": "default"}
    else:
        times = {"eventTime": "2026-01-01T00:00:00.000000Z", "reportingController": "x.io/y", "reportingInstance": "i"}
        event |= {**times, "action": "a", "reason": "r", "type": "Normal"}
    del event["data"]
    cluster.create(event)
    cluster.delete(config_map_ref("owner"))
    assert [one["metadata"]["name"] for one in cluster.list(version, "Event")] == ["e"]


def test_only_new_owners_are_judged(cluster: EmbeddedCluster) -> None:
    """An imported object may have an owner that is not there. It stays until its owners change."""
    gone = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "gone", "uid": "gone"}}
    cluster.load([owned_by(gone)])
    cluster.patch(config_map_ref("owned"), {"metadata": {"labels": {"a": "b"}}}, "merge")
    assert names(cluster) == ["owned"]
    cluster.patch(config_map_ref("owned"), {"metadata": {"ownerReferences": []}}, "merge")
    assert names(cluster) == ["owned"]
