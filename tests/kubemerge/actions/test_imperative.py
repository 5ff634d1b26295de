"""Imperative commands on objects that change in the meantime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.actions.delete import DeletionTarget, StillThere, delete, wait_until_gone, waits_for
from kubemerge.actions.replace import NotRestored, create_anew
from kubemerge.actions.requests import sent
from kubemerge.actions.scale import Scaling, scaled
from kubemerge.cluster import BadRequest, Conflict, Invalid, NotFound, Reference

from ..apiserver.conftest import config_map, config_map_ref, crontab, crontabs, deployment
from .conftest import TwoSteps

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster


# ---- scaling -------------------------------------------------------------------------------------------------------


def test_what_is_expected_still_holds_when_it_is_written(cluster: EmbeddedCluster) -> None:
    stale = cluster.create(deployment(replicas=3))
    cluster.patch(Reference.of(stale), {"spec": {"replicas": 9}}, "merge")
    with pytest.raises(Conflict):
        scaled(cluster, stale, Scaling(2, current=3), "none")
    assert scaled(cluster, stale, Scaling(2), "none")["spec"]["replicas"] == 2


# ---- sending -------------------------------------------------------------------------------------------------------

PATCHES: list[tuple[str, Any]] = [
    ("strategic", {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "nginx:2"}]}}}}),
    ("merge", {"spec": {"replicas": 4}}),
    ("json", [{"op": "add", "path": "/spec/replicas", "value": 4}]),
]


@pytest.mark.parametrize(("patch_type", "patch"), PATCHES)
def test_every_dry_run_says_what_the_real_one_does(cluster: EmbeddedCluster, patch_type: str, patch: Any) -> None:
    live = cluster.create(deployment())
    rehearsed = [sent(cluster, live, patch, patch_type, mode)["spec"] for mode in ("client", "server")]
    assert cluster.get(Reference.of(live)) == live
    assert rehearsed == [sent(cluster, live, patch, patch_type, "none")["spec"]] * 2


def test_a_dry_run_where_nobody_knows_the_rules(cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    live = cluster.create(deployment())
    monkeypatch.setattr(cluster, "schema", lambda *_: None)
    with pytest.raises(BadRequest, match="--dry-run=server"):
        sent(cluster, live, {}, "strategic", "client")


# ---- deleting ------------------------------------------------------------------------------------------------------


def test_what_went_along_with_its_definition_is_deleted(cluster: EmbeddedCluster) -> None:
    definition, night = cluster.create(crontabs()), cluster.create(crontab())
    for one in (definition, night):
        delete(cluster, DeletionTarget.of(one), "background", "none")
    with pytest.raises(NotFound):
        cluster.get(Reference.of(definition))


def test_another_object_of_the_same_name_is_not_waited_for(cluster: EmbeddedCluster) -> None:
    old = DeletionTarget.of(cluster.create(config_map()))
    cluster.delete(config_map_ref())
    cluster.create(config_map())
    pauses: list[float] = []
    wait_until_gone(cluster, old, 1, sleep=pauses.append)
    assert pauses == []
    assert waits_for(cluster, old) == []


def test_waiting_ends_when_it_is_gone_and_when_the_time_is_over(cluster: EmbeddedCluster) -> None:
    held = config_map()
    held["metadata"]["finalizers"] = ["example.com/a"]
    doomed = DeletionTarget.of(cluster.create(held))
    delete(cluster, doomed, "orphan", "none")
    pauses: list[float] = []
    with pytest.raises(StillThere, match=r"kept by its finalizers \(example\.com/a\)"):
        wait_until_gone(cluster, doomed, 2, sleep=pauses.append)
    assert sum(pauses) == 2

    def let_go(_: float) -> None:
        cluster.patch(config_map_ref(), {"metadata": {"finalizers": None}}, "merge")

    wait_until_gone(cluster, doomed, 2, sleep=let_go)


# ---- recreating ----------------------------------------------------------------------------------------------------


def test_what_cannot_be_created_is_reported(cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster.create(config_map(a="1"))
    create = cluster.create

    def refusing(content: dict[str, Any], *, dry_run: bool = False, **settings: Any) -> dict[str, Any]:
        if not dry_run:
            raise Invalid("somebody forbids it")
        return create(content, dry_run=True, **settings)

    monkeypatch.setattr(cluster, "create", refusing)
    with pytest.raises(NotRestored, match="the object was deleted and could not be recreated: somebody forbids it"):
        create_anew(TwoSteps(cluster), config_map(a="2"), "background", 1)


@pytest.mark.parametrize("as_one", [True, False])
def test_an_object_in_place_of_another(cluster: EmbeddedCluster, as_one: bool) -> None:
    before = cluster.create(config_map(a="1"))
    found: Any = cluster if as_one else TwoSteps(cluster)
    after, was_there = create_anew(found, config_map(a="2"), "background", 1)
    assert was_there
    assert after == cluster.get(config_map_ref())
    assert (after["data"], after["metadata"]["uid"] != before["metadata"]["uid"]) == ({"a": "2"}, True)


def test_an_object_that_somebody_deletes_first_is_only_created(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.create(config_map(a="1"))
    get = cluster.get

    def quicker(reference: Reference) -> dict[str, Any]:
        cluster.delete(reference)
        return get(reference)

    monkeypatch.setattr(cluster, "get", quicker)
    after, was_there = create_anew(cluster, config_map(a="2"), "background", 1)
    assert (after["data"], was_there) == ({"a": "2"}, False)
