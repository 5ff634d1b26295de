"""Pages of lists: the number of remaining objects, and the work of SQLite for them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from kubemerge.apiserver.storage import pages
from kubemerge.apiserver.storage.pages import ListOptions
from kubemerge.apiserver.storage.sqlite import SqliteStore
from kubemerge.cluster import Reference, open_cluster

from ...objects import config_map

if TYPE_CHECKING:
    import pytest

    from kubemerge.apiserver.cluster import EmbeddedCluster


def listed(cluster: EmbeddedCluster, namespace: str | None, limit: int) -> list[pages.Page]:
    """All pages of the ConfigMaps of a namespace, or of all."""
    options = ListOptions(cluster.resource("v1", "ConfigMap"), namespace, limit=limit)
    found = [cluster.page(options)]
    while found[-1].last is not None:
        found.append(cluster.page(options._replace(after=found[-1].last)))
    return found


def filled(names: int) -> EmbeddedCluster:
    cluster = open_cluster(":memory:")
    with cluster.together():
        for number in range(names):
            cluster.create(config_map(f"c{number:05}", {}, namespace="default"))
    return cluster


def steps(cluster: EmbeddedCluster) -> int:
    """Hundreds of steps of SQLite's virtual machine for all pages of a list."""
    count = 0

    def counted() -> int:
        nonlocal count
        count += 1
        return 0

    store = cluster._store
    assert isinstance(store, SqliteStore)
    store._connection.set_progress_handler(counted, 100)
    listed(cluster, "default", 40)
    store._connection.set_progress_handler(None, 0)
    return count


def test_the_work_of_sqlite_grows_with_the_number_of_objects() -> None:
    with filled(400) as few, filled(1_600) as many:
        assert steps(many) < 6 * steps(few)


def test_remaining_objects_are_counted_between_writes() -> None:
    numbers = Random(5)
    with filled(30) as cluster:
        cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other"}})
        for number in range(40):
            namespace = numbers.choice(("default", "other"))
            cluster.create(config_map(f"n{number}", {}, namespace=namespace))
            if number % 3 == 0:
                cluster.delete(Reference("v1", "ConfigMap", f"c{number // 3:05}", "default"))
            for asked in ("default", "other", None):
                found = listed(cluster, asked, numbers.randrange(1, 9))
                sizes = [len(page.items) for page in found]
                assert [page.remaining for page in found[:-1]] == [sum(sizes[at:]) for at in range(1, len(sizes))]


def test_a_page_after_an_object_of_another_namespace() -> None:
    with filled(3) as cluster:
        options = ListOptions(cluster.resource("v1", "ConfigMap"), "default", limit=2)
        key = cluster.page(options).last
        assert key is not None
        afters = [key._replace(namespace=namespace, name="c00000") for namespace in ("a", "default", "z")]
        found = [cluster.page(options._replace(after=after)).items for after in afters]
        names = {
            after.namespace: [one["metadata"]["name"] for one in items]
            for after, items in zip(afters, found, strict=True)
        }
        assert names == {"a": ["c00000", "c00001"], "default": ["c00001", "c00002"], "z": []}


def test_old_counts_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_COUNTS", 3)
    with filled(20) as cluster:
        found = listed(cluster, None, 4)
        total = sum(len(page.items) for page in found)
        assert [page.remaining for page in found[:-1]] == [total - 4 * number for number in range(1, len(found))]
        assert len(cluster._index.counts._counts) <= 3
