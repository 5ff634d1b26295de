"""The in-memory store returns the same results as SQLite, without SQLite."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.errors import Expired
from kubemerge.apiserver.identity import ObjectId
from kubemerge.apiserver.resources import Kinds
from kubemerge.apiserver.storage import pages
from kubemerge.apiserver.storage.memory import MemoryStore
from kubemerge.apiserver.storage.opening import open_store
from kubemerge.apiserver.storage.store import VERSION

if TYPE_CHECKING:
    from kubemerge.apiserver.storage.store import Store

KEYS = [
    ObjectId(group, kind, namespace, name)
    for group, kind in (("", "ConfigMap"), ("apps", "Deployment"))
    for namespace in ("", "a", "b")
    for name in ("x", "y")
]


class Undone(Exception):
    """Rolls back a transaction."""


def content(key: ObjectId, version: int) -> dict[str, Any]:
    """An object that both stores accept."""
    metadata = {"name": key.name, "uid": "u", "resourceVersion": str(version)}
    metadata |= {"namespace": key.namespace} if key.namespace else {}
    return {"apiVersion": "v1", "kind": key.kind, "metadata": metadata}


def write(store: Store, numbers: Random) -> None:
    """One transaction, which may be rolled back."""
    with suppress(Undone), store.writing():
        for _ in range(numbers.randrange(4)):
            key, version = numbers.choice(KEYS), store.next_version()
            if numbers.random() < 0.3:
                store.remove(key, version)
            else:
                store.put(key, content(key, version), version)
        if numbers.random() < 0.2:
            raise Undone


def seen(store: Store) -> list[Any]:
    """The results of all read methods of a store."""
    with store.reading():
        found: list[Any] = [store.release(), store.number(VERSION), store.counts(), list(store.all())]
        found += [(store.get(key), store.get_shared(key)) for key in KEYS]
        for group, kind in (("", "ConfigMap"), ("apps", "Deployment")):
            for namespace in (None, "a", "c"):
                found += [list(store.of_kind(group, kind, namespace)), list(store.keys_of(group, kind, namespace))]
                for after in (None, *(ObjectId(group, kind, one, "x") for one in ("", "a", "b"))):
                    found.append(list(store.of_kind_after(group, kind, namespace, after)))
                    found.append(store.count_after(group, kind, namespace, after))
        return [*found, list(store.keys_in("a")), list(store.with_text('"name":"x"'))]


def after_each(store: Store, numbers: Random) -> list[Any]:
    """The results of all read methods after each of some transactions."""
    found = []
    for _ in range(12):
        write(store, numbers)
        found.append(seen(store))
    return found


def test_it_answers_as_sqlite_does() -> None:
    for seed in range(50):
        stores: list[Store] = [MemoryStore("1.37"), open_store(":memory:", "1.37", "write", lambda _: None)]
        answers = []
        for store in stores:
            numbers = Random(seed)
            answers.append(after_each(store, numbers))
            store.close()
        assert answers[0] == answers[1]


def test_nobody_changes_what_is_stored() -> None:
    store, key = MemoryStore("1.37"), KEYS[0]
    given = content(key, 1)
    store.put(key, given)
    given["metadata"]["name"] = "other"
    found = store.get(key)
    assert found == content(key, 1)
    assert found is not None
    found["metadata"]["name"] = "other"
    assert store.get(key) == content(key, 1)


def test_a_prediction_needs_no_sqlite() -> None:
    program = (
        "import sys; sys.modules['sqlite3'] = None\n"
        "from kubemerge.apiserver import stored\n"
        "config = {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 'a'}, 'stringData': {'b': 'c'}}\n"
        "assert stored(config).object['data'] == {'b': 'Yw=='}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_page_of_a_forgotten_version_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    store, kinds = MemoryStore("1.37"), Kinds("1.37", list)
    resource = kinds.resource("v1", "ConfigMap")
    monkeypatch.setattr(store, "changed_since", lambda *_: None)
    wanted = pages.ListOptions(resource, version=store.number(VERSION) - 1)
    with pytest.raises(Expired, match="The provided continue parameter is too old to display a consistent list result"):
        pages.page(store, kinds, wanted, pages.RemainingCounts())
