"""Watches of a cluster file, with changes by other processes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.storage import history
from kubemerge.cluster import BadRequest, ClusterError, Reference, Watches, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster

A = Reference("v1", "ConfigMap", "a", "default")


def config_map(name: str, namespace: str = "default", **labels: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace, "labels": labels}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


@pytest.fixture
def clusters(tmp_path: Path) -> Iterator[tuple[EmbeddedCluster, EmbeddedCluster]]:
    """Two clusters that share a file, like two processes."""
    file = str(tmp_path / "cluster.db")
    with open_cluster(file) as one, open_cluster(file) as other:
        yield one, other


def told(events: Iterator[Any], count: int) -> list[tuple[str, str]]:
    return [(event.type, event.object["metadata"]["name"]) for event in islice(events, count)]


def test_what_there_is_and_what_another_process_does(clusters: tuple[EmbeddedCluster, EmbeddedCluster]) -> None:
    one, other = clusters
    assert isinstance(one, Watches)
    other.create(config_map("a"))
    events = one.watch("v1", "ConfigMap", namespace="default")
    assert [next(events), next(events)][1] is None
    other.create(config_map("b"))
    other.create(config_map("c", "kube-system"))
    other.patch(A, {"data": {"x": "1"}}, "merge")
    deleted = other.delete(A)
    assert told(events, 2) == [("ADDED", "b"), ("MODIFIED", "a")]
    last = next(events)
    assert last is not None
    assert (last.type, last.object["data"]) == ("DELETED", {"x": "1"})
    assert last.object["metadata"]["resourceVersion"] > deleted["metadata"]["resourceVersion"]


def test_an_object_comes_and_goes_with_its_labels(clusters: tuple[EmbeddedCluster, EmbeddedCluster]) -> None:
    one, other = clusters
    other.create(config_map("a"))
    events = one.watch("v1", "ConfigMap", selector="app=web")
    assert next(events) is None
    for labels in ({"app": "web"}, {"app": "web", "x": "y"}, {"app": None}):
        other.patch(A, {"metadata": {"labels": labels}}, "merge")
    assert told(events, 3) == [("ADDED", "a"), ("MODIFIED", "a"), ("DELETED", "a")]


def test_one_object(clusters: tuple[EmbeddedCluster, EmbeddedCluster]) -> None:
    one, other = clusters
    events = one.watch("v1", "ConfigMap", namespace="default", fields="metadata.name=b")
    assert next(events) is None
    for name in "abc":
        other.create(config_map(name))
    assert told(events, 1) == [("ADDED", "b")]
    with pytest.raises(BadRequest, match="is not a known field selector"):
        next(one.watch("v1", "ConfigMap", fields="data.x=1"))


def test_who_comes_too_late_is_told(
    clusters: tuple[EmbeddedCluster, EmbeddedCluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "KEPT", 2)
    monkeypatch.setattr(history, "DROPPED_AT_ONCE", 1)
    one, other = clusters
    events = one.watch("v1", "ConfigMap")
    assert next(events) is None
    for number in range(5):
        other.create(config_map(f"c{number}"))
    other.reset()
    with pytest.raises(ClusterError, match="too old resource version"):
        list(events)
