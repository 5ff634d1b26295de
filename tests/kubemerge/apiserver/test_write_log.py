"""Recorded writes: what their managers own and what they changed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from engine import MergeError
from kubemerge.apiserver.http.line_log import CannotLog
from kubemerge.apiserver.http.listening.running import served
from kubemerge.cluster import Reference, StoreError

from .conftest import config_map, config_map_ref, deployment

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster
    from kubemerge.apiserver.write_log import Write


@pytest.fixture
def writes(cluster: EmbeddedCluster) -> list[Write]:
    found: list[Write] = []
    cluster.on_write = found.append
    return found


def test_a_created_object_is_owned_and_changed(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    cluster.create(deployment("web"), manager="one")
    (write,) = writes
    assert write[:6] == ("one", "create", "deployments", "", "default", "web")
    assert write.group == "apps"
    assert {*write.owned} < {*write.changed}


def test_a_removed_field_is_changed_and_not_owned(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    cluster.create({**config_map("a"), "data": {"x": "1", "y": "2"}}, manager="one")
    cluster.patch(config_map_ref("a"), {"data": {"x": None}}, "merge", manager="two")
    assert (writes[1].verb, writes[1].changed, writes[1].owned) == ("patch", ("data.x",), ())


def test_a_status_belongs_to_its_subresource(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    made = cluster.create(deployment("web"), manager="one")
    cluster.replace({**made, "status": {"replicas": 1}}, manager="one", subresource="status")
    assert (writes[1].subresource, writes[1].owned, writes[1].changed) == (
        "status",
        ("status.replicas",),
        ("status.replicas",),
    )


def test_what_changes_nothing_is_no_write(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    cluster.create(config_map("a"), dry_run=True)
    cluster.create(config_map("a"))
    cluster.patch(config_map_ref("a"), {}, "merge")
    cluster.delete(Reference("v1", "ConfigMap", "a", "default"))
    assert [one.verb for one in writes] == ["create"]


def test_a_rejected_write_is_not_recorded(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    with pytest.raises(MergeError):
        cluster.create(config_map("A"))
    assert writes == []


def test_writes_of_controllers_are_not_recorded(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}, manager="one")
    assert [(one.manager, one.resource) for one in writes] == [("one", "namespaces")]


def test_a_group_is_recorded_when_it_is_stored(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    with cluster.together():
        cluster.create(config_map("a"))
        assert writes == []
    assert len(writes) == 1


def test_a_group_that_fails_is_not_recorded(cluster: EmbeddedCluster, writes: list[Write]) -> None:
    def fails() -> None:
        with cluster.together():
            cluster.create(config_map("a"))
            raise StoreError("c.db", "the disk is full")

    with pytest.raises(StoreError):
        fails()
    cluster.create(config_map("b"))
    assert [one.name for one in writes] == ["b"]


def test_an_object_of_another_version_has_the_paths_of_the_stored_one(
    cluster: EmbeddedCluster, writes: list[Write]
) -> None:
    spec: dict[str, Any] = {
        "maxReplicas": 3,
        "scaleTargetRef": {"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"},
    }
    head = {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "a", "namespace": "default"}}
    cluster.create({"apiVersion": "autoscaling/v1", **head, "spec": spec}, manager="one")
    assert "spec.maxReplicas" in writes[0].owned


def test_a_file_has_one_line_for_each_write(cluster: EmbeddedCluster, tmp_path: Path) -> None:
    file = tmp_path / "writes.jsonl"
    with served(cluster) as serving:
        serving.record_writes(str(file))
        cluster.create({**config_map("a"), "data": {"x": "secret"}}, manager="one")
    (line,) = file.read_text(encoding="utf-8").splitlines()
    found = json.loads(line)
    assert {name: found[name] for name in ("manager", "verb", "resource", "subresource", "namespace", "name")} == {
        "manager": "one",
        "verb": "create",
        "resource": "configmaps",
        "subresource": "",
        "namespace": "default",
        "name": "a",
    }
    assert (found["owned"], found["changed"]) == (["data.x"], ["data.x"])
    assert "secret" not in line
    assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_written_is_an_error(cluster: EmbeddedCluster, tmp_path: Path) -> None:
    said = r"cannot be written \(No such file or directory\). Pass another --record"
    with served(cluster) as serving, pytest.raises(CannotLog, match=said):
        serving.record_writes(str(tmp_path / "none" / "writes.jsonl"))
