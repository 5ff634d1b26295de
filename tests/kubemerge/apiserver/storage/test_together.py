"""Grouped requests reach the disk at once, and each succeeds or fails independently."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from kubemerge.apiserver.identity import ObjectId
from kubemerge.apiserver.storage.sqlite import SqliteStore
from kubemerge.cluster import AlreadyExists, NotFound, StoreError, open_cluster

from ..conftest import config_map, config_map_ref

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster


def test_one_that_fails_leaves_the_others(tmp_path: Path) -> None:
    with open_cluster(str(tmp_path / "c.db")) as cluster:
        with cluster.together():
            cluster.create(config_map("a"))
            with pytest.raises(AlreadyExists):
                cluster.create(config_map("a"))
            cluster.create(config_map("b"), dry_run=True)
            cluster.create(config_map("c"))
            assert cluster.get(config_map_ref("a")), "it is seen by those that come with it"
        with open_cluster(str(tmp_path / "c.db"), mode="read") as other:
            assert [one["metadata"]["name"] for one in other.list("v1", "ConfigMap")] == ["a", "c"]
        _, changes = cluster.changes_since(cluster.version() - 2)
        assert [change.key.name for change in changes or ()] == ["a", "c"]


def test_nobody_else_sees_them_before_the_end(tmp_path: Path) -> None:
    with open_cluster(str(tmp_path / "c.db")) as cluster, open_cluster(str(tmp_path / "c.db"), mode="read") as other:
        with cluster.together():
            cluster.create(config_map("a"))
            with pytest.raises(NotFound):
                other.get(config_map_ref("a"))
        assert other.get(config_map_ref("a"))


def test_none_is_kept_if_the_end_fails(tmp_path: Path) -> None:
    with open_cluster(str(tmp_path / "c.db")) as cluster:

        def interrupted() -> None:
            with cluster.together():
                cluster.create(config_map("a"))
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            interrupted()
        with pytest.raises(NotFound):
            cluster.get(config_map_ref("a"))
        assert cluster.create(config_map("a"))


def test_an_error_that_undoes_all_is_told_to_all(tmp_path: Path) -> None:
    """SQLite rolls back a transaction by itself when the disk is full, with the requests before."""
    with open_cluster(str(tmp_path / "c.db")) as cluster:
        store = cluster._store
        assert isinstance(store, SqliteStore)

        def full() -> None:
            with store.writing():
                store._connection.execute("ROLLBACK")
                raise sqlite3.OperationalError("database or disk is full")

        def together() -> None:
            with cluster.together():
                cluster.create(config_map("a"))
                with suppress(StoreError):
                    full()

        with pytest.raises(StoreError, match="rolled back"):
            together()
        with pytest.raises(NotFound):
            cluster.get(config_map_ref("a"))


def test_a_shared_object_is_current_after_a_write_and_after_its_rollback() -> None:
    key = ObjectId("", "Namespace", "", "default")

    def labels(cluster: EmbeddedCluster) -> object:
        return (cluster._store.get_shared(key) or {})["metadata"]["labels"].get("a")

    def labelled(cluster: EmbeddedCluster, value: str) -> None:
        found = cluster._store.get(key) or {}
        metadata = {**found["metadata"], "labels": {"a": value}}
        cluster._store.put(key, {**found, "metadata": metadata})

    with open_cluster(":memory:") as cluster, cluster.together():
        with cluster._store.writing():
            found = [labels(cluster)]
            labelled(cluster, "b")
            found.append(labels(cluster))
        with suppress(ZeroDivisionError), cluster._store.writing():
            labelled(cluster, "c")
            found.append(labels(cluster))
            raise ZeroDivisionError
        found.append(labels(cluster))
    assert found == [None, "b", "c", "b"]
