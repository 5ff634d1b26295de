"""A transaction interrupted before its block began is rolled back when its file is closed."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import open_cluster

from ....conftest import python
from ..conftest import config_map

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("kind", ["together", "writing", "reading"])
def test_it_leaves_nothing_and_says_nothing(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    with open_cluster(str(tmp_path / "c.db")) as cluster:
        store = cluster._store
        cluster.create(config_map("a"))
        abandoned = getattr(store, kind)()
        abandoned.__enter__()
        store.clear()
    del abandoned
    gc.collect()
    assert not [str(one.exc_value) for one in said]
    with open_cluster(str(tmp_path / "c.db"), mode="read") as other:
        assert [one["metadata"]["name"] for one in other.list("v1", "ConfigMap")] == ["a"]


def test_a_file_that_nobody_closed_has_none_of_sqlite_beside_it(tmp_path: Path) -> None:
    """An interrupt can come between opening a cluster and the `with` that closes it."""
    cluster = open_cluster(str(tmp_path / "c.db"))
    assert len(list(tmp_path.iterdir())) > 1
    del cluster
    assert [one.name for one in tmp_path.iterdir()] == ["c.db"]


def test_nor_where_an_error_still_holds_it_when_the_program_ends(tmp_path: Path) -> None:
    """Reference cycles, such as an error and its frames, are not collected at the end of a command."""
    program = """
import atexit, gc
from kubemerge.cluster import open_cluster
atexit.register(gc.freeze)
held = [open_cluster("c.db")]
held.append(held)
del held
"""
    python(program, cwd=tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["c.db"]
