"""An apply that is killed: what it said is true, and each object is as it was, or as it was to be."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from kubemerge.cluster import open_cluster

from ..objects import ANNOTATION, config_map, write
from ..processes import started

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import Popen

OBJECTS = 25


@pytest.mark.parametrize("runs", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_killing_an_apply_at_any_moment(tmp_path: Path, runs: int) -> None:
    moments = random.Random(runs)
    before: dict[str, str] = {}
    partly = 0
    for run in range(runs):
        wanted = str(run)
        write(tmp_path, "all.yaml", *(config_map(f"x{number}", {"run": wanted}) for number in range(OBJECTS)))
        with started(tmp_path, "apply", "-f", "all.yaml", "--cluster", "c.db") as process:
            said = killed(process, moments)
        after = stored(tmp_path / "c.db")
        assert all(value in (before.get(name), wanted) for name, value in after.items())
        assert before.keys() <= after.keys()
        assert [name for name in said if after.get(name) != wanted] == []
        partly += 0 < list(after.values()).count(wanted) < OBJECTS
        before = after
    assert partly >= runs // 3, "it is killed too early or too late to tell"


def killed(process: Popen[str], moments: random.Random) -> list[str]:
    """The names of the objects that the process said it had applied."""
    assert process.stdout
    lines = []
    if moments.random() < 0.2:
        time.sleep(moments.random() * 0.2)
    else:
        lines = [process.stdout.readline() for _ in range(moments.randrange(OBJECTS))]
        time.sleep(moments.random() * 0.004)
    process.kill()
    lines += process.stdout.readlines()
    whole = [line for line in lines if line.endswith("\n")]
    return [line.split()[0].partition("/")[2] for line in whole]


def stored(file: Path) -> dict[str, str]:
    """The objects in the file, which is in order, and so is each of them."""
    if not file.exists():
        return {}
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with open_cluster(str(file)) as cluster:
        cluster.check()
        found = {}
        for one in cluster.list("v1", "ConfigMap", namespace="default"):
            assert json.loads(one["metadata"]["annotations"][ANNOTATION])["data"] == one["data"]
            found[one["metadata"]["name"]] = one["data"]["run"]
    return found
