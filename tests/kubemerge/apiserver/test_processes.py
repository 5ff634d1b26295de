"""Several processes on one file, and killed processes: no acknowledged write is lost, no write is partial."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import open_cluster

from ...conftest import ROOT
from . import workers
from .conftest import config_map, config_map_ref, origins

if TYPE_CHECKING:
    from pathlib import Path


def started(*words: object) -> subprocess.Popen[str]:
    """Start a process with this work."""
    return subprocess.Popen(
        [sys.executable, "-m", workers.__name__, *map(str, words)],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(*processes: subprocess.Popen[str]) -> list[list[str]]:
    """The final output of each process, one list of words for a line. None may print errors."""
    found = [process.communicate(timeout=120) for process in processes]
    assert [complaint for _, complaint in found] == [""] * len(found)
    return [line.split() for said, _ in found for line in said.splitlines()]


def killed(file: Path, run: int, source: random.Random) -> set[str]:
    """The objects acknowledged by a run before it was killed at a random moment."""
    process = started("apply", file, f"run{run}")
    assert process.stdout is not None
    if source.random() < 0.8:
        process.stdout.readline()  # or it may be killed while it opens or creates the file
    time.sleep(source.random() * (0.12 if run else 0.4))
    process.kill()
    said, _ = process.communicate()
    return {line for line in said.splitlines() if line != "ready"}


def runs(file: Path) -> dict[str, str]:
    """The run of every object. The file must be intact, without partial writes."""
    with open_cluster(str(file)) as cluster:
        cluster.check()
        return {one["metadata"]["name"]: workers.run_of(one) for one in cluster.list("v1", "ConfigMap")}


@pytest.mark.parametrize("times", [6, pytest.param(80, marks=(pytest.mark.slow, pytest.mark.left_out))])
def test_a_killed_process_leaves_every_object_as_before_or_as_after(tmp_path: Path, times: int) -> None:
    source = random.Random(times)
    before: dict[str, str] = {}
    for run in range(times):
        file = tmp_path / f"{run // 10}.db"  # each begins with a missing file
        if run % 10 == 0:
            before = {}
        acknowledged = killed(file, run, source)
        after = runs(file)
        for name in acknowledged:
            assert after[name] == f"run{run}", "it was acknowledged"
        for name, found in after.items():
            assert found in (before.get(name), f"run{run}")
        assert set(before) <= set(after)
        before = after


def test_processes_create_at_once_and_no_update_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    with open_cluster(str(file)) as cluster:
        cluster.create(config_map("counter", count="0"))
    assert lines(*(started("create_and_count", file, who, 200) for who in "ab")) == [["done"]] * 2
    with open_cluster(str(file)) as cluster:
        cluster.check()
        names = {one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap")}
        assert names == {"counter", *(f"{who}-{number}" for who in "ab" for number in range(200))}
        assert cluster.get(config_map_ref("counter"))["data"] == {"count": "400"}
        versions = [one["metadata"]["resourceVersion"] for one in cluster.list("v1", "ConfigMap")]
        assert len(set(versions)) == len(versions)


def test_processes_may_begin_one_file_at_once(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.db" for number in range(40)]
    start = time.time() + 0.5  # so that all of them are ready
    lines(*(started("begin", start, *files) for _ in range(4)))
    for file in files:
        with open_cluster(str(file)) as cluster:
            kinds = [one["kind"] for one in cluster.dump()]
            assert [kinds.count(one) for one in ("Namespace", "ServiceAccount", "Service")] == [4, 4, 1]


def test_processes_may_apply_the_same_at_once(tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    lines(*(started("apply", file, "same") for _ in range(3)))
    assert runs(file) == {f"m{number}": "same" for number in range(workers.OBJECTS)}


def shown(content: dict[str, Any]) -> tuple[Any, ...]:
    """The visible part of an object."""
    return content["spec"], content["metadata"].get("labels"), content["metadata"].get("annotations")


@pytest.mark.parametrize("times", [30, pytest.param(120, marks=pytest.mark.slow)])
def test_two_appliers_and_a_scaler_end_as_if_one_came_after_the_other(tmp_path: Path, times: int) -> None:
    """Repeated one by one in the order of resourceVersions, the writes have the same result."""
    file = tmp_path / "c.db"
    with open_cluster(str(file)) as cluster, open_cluster(":memory:", origins=origins()) as serial:
        cluster.create(workers.config_of("first"))
        serial.create(workers.config_of("first"))
        said = lines(
            started("apply_again_and_again", file, "one", times),
            started("apply_again_and_again", file, "two", times),
            started("scale", file, times),
        )
        assert len(said) == 3 * times
        for _, what, value in sorted(said, key=lambda words: int(words[0])):
            if what == "apply":
                assert workers.applied(serial, value)
            else:
                serial.patch(workers.WEB, {"spec": {"replicas": int(value)}}, "strategic")
        assert shown(cluster.get(workers.WEB)) == shown(serial.get(workers.WEB))


def test_a_second_look_at_an_open_file_does_not_give_its_locks_away(tmp_path: Path) -> None:
    """On POSIX, a process that closes a file loses all its locks on it. Another process would then remove the log."""
    file = tmp_path / "cluster.db"
    with open_cluster(str(file)) as first:
        open_cluster(str(file)).close()
        program = f"from kubemerge.cluster import open_cluster\nopen_cluster({str(file)!r}).close()"
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
        assert (tmp_path / "cluster.db-wal").exists()
        first.create(config_map("later"))
    with open_cluster(str(file)) as again:
        assert again.get(config_map_ref("later"))
