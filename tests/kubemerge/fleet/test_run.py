"""A run writes each part once, even if the run or its workers are killed, and counts the objects."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import parquet

from kubemerge.cli.runs.fleet import _made, progress
from kubemerge.fleet import extra
from kubemerge.fleet import run as fleet_run
from kubemerge.fleet.results import BadFolder, Results, Tally, Written
from kubemerge.fleet.rows import Row, batch

from ...conftest import ROOT
from .fleets import config, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..shell import Shell

pytestmark = pytest.mark.filterwarnings("ignore")
"""Dask leaves resources open, which causes warnings."""
KEY = f"{1:032x}"


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fleet")
    write(folder, 2, 60)
    return folder


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A Dask cluster of one worker in this process."""
    import distributed

    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=50
    )
    with cluster:
        yield cluster.scheduler_address


def rows(folder: Path) -> list[str]:
    found = [one for file in folder.glob("part-*.parquet") for one in parquet.read_table(file).to_pylist()]
    return sorted(json.dumps(one) for one in found)


def test_a_run_and_its_summary(shell: Shell, fleet: Path, scheduler: str) -> None:
    shared = (fleet, "--scheduler", scheduler, "--part-size", 20_000, "-o", "json")
    assert shell.run("fleet", "lint", *shared, "--out", "out", "--ignore", "KM025") == 1
    found = json.loads(shell.out)
    assert found["objects"] == 120
    assert found["rows"] == len(rows(shell.folder / "out")) == sum(one["rows"] for one in found["counts"])
    assert {one["cluster"] for one in found["counts"]} == {"prod-0", "prod-1"}
    assert len([*(shell.folder / "out").iterdir()]) > 5
    assert shell.run("fleet", "lint", *shared, "--out", "out", "--ignore", "KM025", "--exit-zero") == 0
    assert "this run was already finished" in shell.err
    assert json.loads(shell.out) == found


def test_the_page_of_finished_results_is_the_same_and_costs_no_worker(
    shell: Shell, fleet: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = ("fleet", "lint", fleet, "--no-definitions", "--exit-zero", "--select", "KM026", "--out", "out")
    assert shell.run(*shared, "--html", "a.html", "--scheduler", scheduler) == 0
    assert "wrote a.html" in shell.err
    text = (shell.folder / "a.html").read_text(encoding="utf-8")
    for said in ("<h1>2 clusters, 120 objects</h1>", "120 findings; 120 objects have some.", "<dd>KM026</dd>"):
        assert said in text
    assert text.count("<small>60 of 60</small>") == 2
    monkeypatch.setattr(fleet_run, "workers", None)
    assert shell.run(*shared, "--html", "b.html") == 0
    assert (shell.folder / "b.html").read_text(encoding="utf-8") == text
    assert shell.run(*shared, "--html", "-", "-o", "json") == 0
    assert shell.out == f"{text}\n"
    assert shell.run(*shared, "-o", "json", "--html", "b.html") == 0
    assert json.loads(shell.out)["rows"] == 120


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_done(shell: Shell, fleet: Path) -> None:
    assert shell.run("fleet", "owners", fleet, "--out", "out", "--html", "nowhere/page.html") == 2
    assert "nowhere/page.html: No such file or directory. Use a file in a writable folder" in shell.err
    assert not (shell.folder / "out").exists()


def test_how_a_page_was_made_has_no_passwords() -> None:
    options = {"dumps": ["https://me:secret@example.com/a.jsonl", "dumps"], "schema": (), "release": None}
    found = dict(_made(options, {"config": ["clusters/{cluster}"], "by": "argocd", "manager": None, "before": ()}))
    assert found["dumps"].startswith("https://")
    assert "secret" not in found["dumps"]
    assert found["config"] == "clusters/{cluster}"
    assert found["by"] == "argocd"
    assert found.keys() == {"kubemerge", "dumps", "config", "by"}


@pytest.mark.slow
def test_the_page_of_a_million_rows_takes_little_memory_and_is_small(tmp_path: Path) -> None:
    folder, page = str(tmp_path / "rows"), tmp_path / "page.html"
    keys = run_apart(A_MILLION, folder).split()
    memory = int(run_apart(PAGE_OF_A_MILLION, folder, str(page), *keys))
    assert page.stat().st_size < 5_000_000
    assert memory < 400_000_000


def run_apart(program: str, *words: str) -> str:
    """The output of a program in a separate process, so that its memory can be measured."""
    run = [sys.executable, "-c", program, *words]
    return subprocess.run(run, check=True, capture_output=True, text=True, cwd=ROOT).stdout


A_MILLION = """
import sys
from tests.kubemerge.fleet import findings
print(*findings.write(sys.argv[1], 1_000_000))
"""
PAGE_OF_A_MILLION = """
import sys
from pathlib import Path
from kubemerge.fleet.overview import overview
from kubemerge.fleet.results import Results
from kubemerge.fleet.summary import summarized
from kubemerge.html import RunInfo, fleet_page
from tests.memory import peak
results, keys = Results(sys.argv[1]), sys.argv[3:]
found = overview(results, keys, summarized(results, dict.fromkeys(keys, "")))
assert found.summary.rows == 1_000_000
Path(sys.argv[2]).write_text(fleet_page(found, RunInfo("lint", [], "rows")), encoding="utf-8")
print(peak())
"""


def test_what_is_only_good_to_know_fails_no_run_of_lint(shell: Shell, scheduler: str) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "stringData": {"a": "b"}}
    (shell.folder / "a.jsonl").write_text(json.dumps(secret))
    shared = ("a.jsonl", "--scheduler", scheduler, "--select", "KM011")
    assert shell.run("fleet", "lint", *shared, "--out", "out") == 0
    assert "KM011" in shell.out
    assert shell.run("fleet", "lint", *shared, "--out", "asked", "--severity", "info") == 1


def test_a_run_that_was_interrupted_goes_on(
    shell: Shell, fleet: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = ("fleet", "owners", fleet, "--scheduler", scheduler, "--part-size", 20_000)
    shell.run(*shared, "--out", "whole")
    shell.run(*shared, "--out", "other")
    files = sorted((shell.folder / "other").iterdir())
    kept = files[0].stat().st_mtime_ns
    for one in files[1:]:
        one.unlink()
    (shell.folder / "other" / f".{files[1].name}-abc.tmp").write_bytes(b"half of it")
    assert shell.run(*shared, "--out", "other") == 0
    assert rows(shell.folder / "other") == rows(shell.folder / "whole")
    assert sorted((shell.folder / "other").iterdir()) == files
    assert files[0].stat().st_mtime_ns == kept


def test_results_of_another_run_are_not_mixed_in(shell: Shell, fleet: Path, scheduler: str) -> None:
    shared = ("fleet", "owners", fleet, "--scheduler", scheduler, "--out", "out")
    shell.run(*shared)
    before = rows(shell.folder / "out")
    assert shell.run(*shared, "--manager", "edit") == 2
    assert "of another run" in shell.err
    assert rows(shell.folder / "out") == before
    assert shell.run(*shared, "--manager", "edit", "--replace") == 0
    assert 0 < len(rows(shell.folder / "out")) < len(before)


def test_drift_tells_what_is_missing(shell: Shell, fleet: Path, scheduler: str) -> None:
    shell.write("config.json", *(config(1, number) for number in range(62)))
    code = shell.run("fleet", "drift", fleet, "-f", "config.json", "--scheduler", scheduler, "--out", "out")
    found = [json.loads(one) for one in rows(shell.folder / "out")]
    missing = sorted((one["cluster"], one["name"]) for one in found if one["what"] == "missing")
    assert missing == [(cluster, f"app-{at}") for cluster in ("prod-0", "prod-1") for at in (60, 61)]
    assert code == 1
    assert {one["what"] for one in found} >= {"missing", "changed"}


def test_each_cluster_may_have_its_own_config(shell: Shell, fleet: Path, scheduler: str) -> None:
    for number in (0, 1):
        (shell.folder / "clusters" / f"prod-{number}" / "apps").mkdir(parents=True)
        shell.write(f"clusters/prod-{number}/apps/c.json", *(config(1, at) for at in range(59 + 2 * number)))
    path = "clusters/{cluster}/apps"
    shell.run("fleet", "drift", fleet, "-f", path, "--scheduler", scheduler, "--out", "out")
    found = [json.loads(one) for one in rows(shell.folder / "out")]
    assert [(one["cluster"], one["name"]) for one in found if one["what"] == "missing"] == [("prod-1", "app-60")]


def test_a_poisoned_object_ends_with_2(shell: Shell, scheduler: str) -> None:
    text = '{"apiVersion": "v1"\n{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}\n'
    (shell.folder / "a.jsonl").write_text(text)
    shared = ("--scheduler", scheduler, "--out", "out")
    assert shell.run("fleet", "upgrade", "1.36..1.37", "a.jsonl", *shared) == 2
    assert "unreadable" in shell.out
    assert len(rows(shell.folder / "out")) == 1


def test_bad_words_are_refused_before_anything_is_done(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for words, said in {
        ("lint", "nowhere", "--out", "out"): "no such file or folder",
        ("lint", ".", "--out", "out", "--select", "XX1"): "unknown code 'XX1'",
        ("upgrade", "1.31", ".", "--out", "out"): "is not a range of releases",
        ("upgrade", "dumps", "--out", "out"): "'dumps' is not a range of releases",
        ("drift", ".", "--out", "out"): "pass the config with -f",
        ("lint", "a.jsonl", "--out", "out", "--scheduler", "nonsense"): "does not respond",
    }.items():
        (shell.folder / "a.jsonl").write_text("{}")
        assert shell.run("fleet", *words) == 2
        assert said in shell.err
        assert rows(shell.folder / "out") == []

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(extra, "import_module", missing)
    assert shell.run("fleet", "lint", ".", "--out", "out") == 2
    assert "pyarrow is not installed. Run: pip install 'kubemerge[fleet]'" in shell.err


def test_results_may_be_on_object_storage() -> None:
    tally = Tally()
    tally.add({"a": {"Pod": 3}}, {"a": {"x"}})
    results = Results("memory://results/run")
    results.prepare()
    results.write(KEY, [batch([Row("a", what="b")])], tally)
    assert results.keys() == {KEY}
    assert results.about(KEY) == Written(3, 1, ["a"], kinds={"a": {"Pod": 3}})
    assert results.seen(KEY) == {"a": ["x"]}
    assert results.read(KEY, ["what"]).to_pylist() == [{"what": "b"}]


def test_results_on_object_storage_leave_no_file_behind_when_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def named() -> Iterator[Any]:
        assert [*tmp_path.iterdir()] == []  # while it is written
        yield batch([Row("a", what="b")])
        assert [*tmp_path.iterdir()] == []

    results = Results("memory://results/killed")
    results.write(KEY, named(), Tally())
    assert results.read(KEY, ["what"]).to_pylist() == [{"what": "b"}]


def test_the_address_of_other_results_is_told_without_its_password(shell: Shell) -> None:
    address = "memory://me:secret@results/run"
    Results(address).write(KEY, [], Tally())
    shell.write("a.json", config(1, 0))
    assert shell.run("fleet", "owners", "a.json", "--no-definitions", "--out", address) == 2
    assert "memory://***@results/run contains 1 part of another run" in shell.err


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        OSError(f"Error writing bytes to file. Detail: [errno {errno.ENOSPC}] ..."),  # Arrow's message
    ],
)
def test_a_part_that_cannot_be_written_leaves_nothing(error: OSError, tmp_path: Path) -> None:
    def broken() -> Iterator[Any]:
        yield batch([Row("a")])
        raise error

    with pytest.raises(BadFolder, match=r"No space left on device\. The results cannot be written"):
        Results(str(tmp_path)).write(KEY, broken(), Tally())
    assert [*tmp_path.iterdir()] == []


def test_progress_tells_what_is_left() -> None:
    assert progress(50, 100, 300, 0, 10).endswith(" 50% 300 objects, 30 per second, 10 s left")
    assert progress(60, 100, 100, 50, 60).endswith(" 60% 100 objects, 2 per second, 4 min left")


def _kill_some(stop: threading.Event, killed: list[int]) -> None:
    """Kill the processes of workers now and then, until `stop` is set."""
    import psutil

    while not stop.wait(1.5):
        for one in psutil.Process().children(recursive=True):
            try:
                words = " ".join(one.cmdline())
                if "spawn_main" in words and one.num_threads() > 3 and len(killed) < 4:
                    os.kill(one.pid, signal.SIGKILL)
                    killed.append(one.pid)
                    break
            except psutil.Error:
                continue


@pytest.mark.slow
def test_workers_that_are_killed_change_nothing(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path / "dumps", 3, 400)
    shared = ("fleet", "lint", tmp_path / "dumps", "--workers", 2, "--part-size", 30_000)
    shell.run(*shared, "--out", "calm")
    killed: list[int] = []
    stop = threading.Event()
    killer = threading.Thread(target=_kill_some, args=(stop, killed))
    killer.start()
    try:
        assert shell.run(*shared, "--out", "disturbed") == 1
    finally:
        stop.set()
        killer.join()
    assert killed
    assert rows(shell.folder / "disturbed") == rows(shell.folder / "calm")
    assert [one.name for one in sorted((shell.folder / "disturbed").iterdir())] == [
        one.name for one in sorted((shell.folder / "calm").iterdir())
    ]
