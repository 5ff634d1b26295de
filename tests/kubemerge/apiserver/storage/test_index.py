"""The indexes of owners and of addresses are read again after changes of another process."""

from __future__ import annotations

from typing import Any

from kubemerge.apiserver.identity import ObjectId
from kubemerge.apiserver.storage.index import Index
from kubemerge.apiserver.storage.memory import MemoryStore
from kubemerge.apiserver.storage.store import VERSION

OWNED = ObjectId("", "ConfigMap", "default", "a")
SERVICE = ObjectId("", "Service", "default", "s")


def owned() -> dict[str, Any]:
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "b", "uid": "u"}
    metadata = {"name": "a", "namespace": "default", "ownerReferences": [owner]}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


def service() -> dict[str, Any]:
    metadata = {"name": "s", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"clusterIP": "10.0.0.9"}}


def store_with_both() -> MemoryStore:
    store = MemoryStore("1.37")
    store.put(OWNED, owned())
    store.put(SERVICE, service())
    store.set(VERSION, 5)
    return store


def test_objects_that_another_process_removed_are_forgotten() -> None:
    store, index = store_with_both(), Index()
    assert index.dependents(store, "u") == [OWNED]
    assert index.taken(store) == {"10.0.0.9": SERVICE}
    store.remove(OWNED, 6)
    store.remove(SERVICE, 7)
    store.set(VERSION, 7)
    assert index.dependents(store, "u") == []
    assert index.taken(store) == {}


def test_changes_of_this_process_are_noted() -> None:
    store, index = store_with_both(), Index()
    assert (index.dependents(store, "u"), index.taken(store)) == ([OWNED], {"10.0.0.9": SERVICE})
    index.note(6, OWNED, owned(), None)
    index.note(7, SERVICE, service(), {**service(), "spec": {"clusterIP": "10.0.0.8"}})
    store.set(VERSION, 7)
    assert (index.dependents(store, "u"), index.taken(store)) == ([], {"10.0.0.8": SERVICE})
