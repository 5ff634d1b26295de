"""An apply that is killed: its output is true, and each object has its old or its new state."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from kubemerge.cluster import open_cluster

from ...objects import ANNOTATION, config_map, deployment, write
from ...processes import started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import Popen
    from typing import Any

    Object = dict[str, Any]

OBJECTS = 25


@pytest.mark.parametrize("runs", [8, pytest.param(80, marks=(pytest.mark.slow, pytest.mark.left_out))])
def test_killing_an_apply_at_any_moment(tmp_path: Path, runs: int) -> None:
    def config(number: int, wanted: str) -> Object:
        return config_map(f"x{number}", {"run": wanted})

    kill_applies(tmp_path, runs, config, lambda live: live["data"])


@pytest.mark.parametrize("runs", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_killing_an_apply_by_force_loses_no_object(tmp_path: Path, runs: int) -> None:
    """Each object has to be deleted and created, since selectors cannot change."""

    def config(number: int, wanted: str) -> Object:
        found = deployment(f"x{number}", selector={"matchLabels": {"run": wanted}})
        found["spec"]["template"]["metadata"]["labels"] = {"run": wanted}
        return found

    kill_applies(tmp_path, runs, config, lambda live: live["spec"]["selector"]["matchLabels"], "--force")


def kill_applies(
    folder: Path,
    runs: int,
    config: Callable[[int, str], Object],
    told: Callable[[Object], Object],
    *words: str,
) -> None:
    """Kill one apply after the other. The values in each object (see `told`) come from one of its last two applies."""
    moments = random.Random(runs)
    before: dict[str, str] = {}
    partly = 0
    kind = config(0, "")
    for run in range(runs):
        wanted = str(run)
        write(folder, "all.yaml", *(config(number, wanted) for number in range(OBJECTS)))
        with started(folder, "apply", "-f", "all.yaml", "--cluster", "c.db", *words) as process:
            said = killed(process, moments)
        after = stored(folder / "c.db", kind, told)
        assert all(value in (before.get(name), wanted) for name, value in after.items())
        assert before.keys() <= after.keys()
        assert [name for name in said if after.get(name) != wanted] == []
        partly += 0 < list(after.values()).count(wanted) < OBJECTS
        before = after
    assert partly >= runs // 3, "it is killed too early or too late to tell"


def killed(process: Popen[str], moments: random.Random) -> list[str]:
    """The names of the objects that the process reported as applied."""
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


def stored(file: Path, kind: Object, told: Callable[[Object], Object]) -> dict[str, str]:
    """The objects in the file. The file and every object have to be intact."""
    if not file.exists():
        return {}
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with open_cluster(str(file)) as cluster:
        cluster.check()
        found = {}
        for one in cluster.list(kind["apiVersion"], kind["kind"], namespace="default"):
            assert told(json.loads(one["metadata"]["annotations"][ANNOTATION])) == told(one)
            found[one["metadata"]["name"]] = str(told(one)["run"])
    return found
