"""Failures around a run are reported in a sentence, are not in the results, and are repaired by the next run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.files import lock_folder
from engine import MergeError
from kubemerge.fleet import cluster
from kubemerge.fleet import run as fleet_run
from kubemerge.fleet import workers as fleet_workers
from kubemerge.fleet.checks.table import CheckSpec
from kubemerge.fleet.child_process import supervisor
from kubemerge.fleet.reading.parts import Part, parts
from kubemerge.fleet.reading.sources import BadSource, sources, unchanged
from kubemerge.fleet.results import Results, Tally, Written

from .fleets import live, write
from .test_run import rows, scheduler  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..shell import Shell

pytestmark = pytest.mark.filterwarnings("ignore")
"""Dask leaves resources open, which causes warnings."""
CHILD = Path(__file__).parent / "child_process"
"""A folder with code that makes some objects kill the process that checks them."""


def lines(*found: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in found)


def test_two_runs_do_not_write_to_one_folder(shell: Shell, scheduler: str) -> None:  # noqa: F811
    shell.write("a.json", live(1, "a", 0))
    (shell.folder / "out").mkdir()
    shared = ("fleet", "owners", "a.json", "--scheduler", scheduler, "--out", "out")
    with lock_folder(shell.folder / "out"):
        assert shell.run(*shared) == 2
    assert shell.err == "kubemerge: out: another run writes to it. Wait until it finishes, or use another --out\n"
    assert shell.run(*shared) == 0


@pytest.mark.parametrize(
    ("dumps", "out", "refused"),
    [
        ("dumps", "dumps", True),
        ("dumps", "dumps/out", True),
        ("dumps/", "results/../dumps/prod-0.jsonl", True),
        ("dumps", "link/out", True),
        ("dumps/../*/*", "dumps", True),
        ("dumps", "dumps-2", False),
        ("dumps/*.jsonl", "dumps/out", False),
    ],
)
def test_results_among_the_dumps_would_be_dumps(
    dumps: str,
    out: str,
    refused: bool,
    shell: Shell,
    scheduler: str,  # noqa: F811
) -> None:
    write(shell.folder / "dumps", 1, 2)
    (shell.folder / "results").mkdir()
    (shell.folder / "link").symlink_to("dumps")
    assert shell.run("fleet", "owners", dumps, "--scheduler", scheduler, "--out", out) == (2 if refused else 0)
    assert ("it is among the dumps, so the next run would read results as dumps" in shell.err) == refused


def test_files_of_others_are_not_removed_with_results(shell: Shell, scheduler: str) -> None:  # noqa: F811
    write(shell.folder / "dumps", 1, 2)
    theirs = [shell.folder / "out" / name for name in ("part-00000-c000.snappy.parquet", "part-0.parquet", "a.txt")]
    (shell.folder / "out").mkdir()
    for one in theirs:
        one.touch()
    shared = ("fleet", "owners", "dumps", "--scheduler", scheduler, "--out", "out")
    assert shell.run(*shared) == 0
    assert shell.run(*shared, "--manager", "edit", "--replace") == 0
    assert {*theirs} < {*(shell.folder / "out").iterdir()}


def test_a_part_that_was_cut_off_is_looked_at_again(shell: Shell, scheduler: str) -> None:  # noqa: F811
    write(shell.folder / "dumps", 2, 20)
    shared = ("fleet", "owners", "dumps", "--scheduler", scheduler, "--out", "out")
    assert shell.run(*shared) == 0
    before = rows(shell.folder / "out")
    first, second = sorted((shell.folder / "out").iterdir())
    kept = second.stat().st_mtime_ns
    os.truncate(first, first.stat().st_size // 2)
    assert shell.run(*shared) == 0
    assert rows(shell.folder / "out") == before
    assert second.stat().st_mtime_ns == kept


def test_a_part_with_what_killed_workers_is_looked_at_again(
    shell: Shell,
    scheduler: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (shell.folder / "a.jsonl").write_text(lines(live(1, "a", 0), _poison("dies-once"), live(1, "a", 2)))
    shared = ("fleet", "owners", "a.jsonl", "--scheduler", scheduler, "--out", "out", "--no-definitions")
    monkeypatch.setenv("PYTHONPATH", f"{CHILD}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setenv("KILLED_ONCE", str(shell.folder / "killed"))
    monkeypatch.setattr(supervisor, "_MOST_TRIES", 1)
    monkeypatch.setattr(supervisor, "_process", supervisor._Process)  # one from before has another environment
    assert shell.run(*shared) == 2
    assert [one for one in rows(shell.folder / "out") if "the object crashed a worker 1 times (SIGKILL)" in one]
    [file] = (shell.folder / "out").iterdir()
    assert shell.run(*shared) == 0
    assert [*(shell.folder / "out").iterdir()] == [file]
    assert not [one for one in rows(shell.folder / "out") if "unreadable" in one]


def _poison(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(live(1, "a", 1)))
    found["metadata"]["name"] = f"poison-{name}"
    return found


def test_a_dump_that_changes_while_it_is_read_is_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("{}\n")
    [source] = sources([str(file)])
    assert [*unchanged(source, [1, 2])] == [1, 2]
    found = unchanged(source, [1, 2])
    next(found)
    file.write_text("{ }\n")
    with pytest.raises(BadSource, match=r"the file changed while it was read\. Start the run again"):
        list(found)
    with pytest.raises(BadSource):  # before a part of it was begun
        [*unchanged(source, [])]
    [source] = sources([str(file)])
    file.unlink()
    assert [*unchanged(source, [1])] == [1]  # the missing file is reported when it is opened


class Completed:
    """The given futures, as if each were finished at once."""

    def __init__(self, given: Iterable[Any]) -> None:
        self._ready = [*given]

    def add(self, one: Any) -> None:
        self._ready.append(one)

    def is_empty(self) -> bool:
        return not self._ready

    def has_ready(self) -> bool:
        return True

    def __next__(self) -> Any:
        return self._ready.pop(0)


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_a_dump_that_cannot_be_read_is_neither_done_nor_without_definitions(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("{}\n")
    [part] = parts(sources([str(tmp_path / name)]))
    (tmp_path / name).unlink()
    (tmp_path / "out").mkdir()
    with pytest.raises(MergeError, match="No such file or directory"):
        fleet_workers.check_part(CheckSpec("owners"), part, str(tmp_path / "out"), 30)
    assert Results(str(tmp_path / "out")).keys() == set()
    with pytest.raises((MergeError, OSError), match="No such file or directory"):
        fleet_workers.definitions(fleet_workers.SEARCH, part, 30)


def test_a_dump_that_could_not_be_read_is_read_by_the_next_run(
    shell: Shell,
    scheduler: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def taken_away(*given: Any) -> list[Part]:
        found = parts(*given)
        file.rename(shell.folder / "elsewhere")
        return found

    write(shell.folder / "dumps", 2, 5)
    file = shell.folder / "dumps" / "prod-1.jsonl"
    shared = ("fleet", "owners", "dumps", "--scheduler", scheduler, "--out", "out", "--no-definitions")
    with monkeypatch.context() as during:
        during.setattr(fleet_run, "parts", taken_away)
        assert shell.run(*shared) == 2
    assert "dumps/prod-1.jsonl: a part is missing in the results: No such file or directory" in shell.err
    assert {json.loads(one)["cluster"] for one in rows(shell.folder / "out")} == {"prod-0"}
    (shell.folder / "elsewhere").rename(file)
    assert shell.run(*shared) == 0
    assert {json.loads(one)["cluster"] for one in rows(shell.folder / "out")} == {"prod-0", "prod-1"}


def test_a_worker_that_cannot_look_for_definitions_ends_the_run(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    class Client:
        def submit(self, *_: Any, **__: Any) -> Any:
            return Failed()

    class Failed:
        status = "error"

        def exception(self) -> Exception:
            return OSError("nothing there")

        def release(self) -> None:
            pass

    (shell.folder / "a.jsonl").write_text("{}\n")
    found = parts(sources([str(shell.folder / "a.jsonl")]))
    monkeypatch.setattr("distributed.as_completed", Completed)
    said = r"a\.jsonl: its .* nothing there. Start the run again, or ignore definitions with --no-definitions$"
    with pytest.raises(fleet_workers.NoDefinitions, match=said):
        fleet_workers.Workers(Client(), 1).known(found)
    assert fleet_workers.Workers(Client(), 1).run(CheckSpec("lint"), found, "out", lambda *_: None) == [
        (found[0], "nothing there. Start the run again")
    ]


def test_a_result_that_is_lost_with_its_worker_is_waited_for(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    class Client:
        def submit(self, *_: Any, **__: Any) -> Any:
            return Lost()

    class Lost:
        def __init__(self) -> None:
            self._states = ["lost", "pending", "finished"]

        @property
        def status(self) -> str:
            return self._states[0]

        def result(self) -> Written:
            return Written(3, 0, [])

        def release(self) -> None:
            pass

    class Later(Completed):
        def add(self, one: Lost) -> None:
            del one._states[0]
            super().add(one)

    (shell.folder / "a.jsonl").write_text("{}\n")
    found = parts(sources([str(shell.folder / "a.jsonl")]))
    monkeypatch.setattr("distributed.as_completed", Later)
    told: list[int] = []
    workers = fleet_workers.Workers(Client(), 1)
    assert workers.run(CheckSpec("lint"), found, "out", lambda _, objects: told.append(objects)) == []
    assert told == [3]


def test_runs_on_one_scheduler_do_not_share_tasks_as_they_write_elsewhere(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    class Client:
        def submit(self, *_: Any, key: str = "", **__: Any) -> None:
            names.append(key)

    (shell.folder / "a.jsonl").write_text("{}\n")
    found = parts(sources([str(shell.folder / "a.jsonl")]))
    monkeypatch.setattr("distributed.as_completed", lambda _: Completed([]))
    for folder in ("one", "other"):
        fleet_workers.Workers(Client(), 1).run(CheckSpec("lint"), found, folder, lambda *_: None)
    assert len({*filter(None, names)}) == 2


def test_a_part_that_is_there_is_not_done_again(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("nonsense\n")
    [part] = parts(sources([str(tmp_path / "a.jsonl")]))
    asked, tally = CheckSpec("owners"), Tally()
    tally.add({"a": {"Pod": 7}})
    Results(str(tmp_path)).write(fleet_workers.key(asked, part), [], tally)
    assert fleet_workers.check_part(asked, part, str(tmp_path), 1).objects == 7
    tally.killed = 1
    Results(str(tmp_path)).write(fleet_workers.key(asked, part), [], tally)
    assert fleet_workers.check_part(asked, part, str(tmp_path), 30).objects == 1


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ("much", "--memory: 'much' is not a size. Write it as 1GiB or 800MiB"),
        ("1e999", "--memory: '1e999' is not a size. Write it as 1GiB or 800MiB"),
        ("50MiB", "--memory: 50MiB is too little to start a worker. Use at least 192MiB"),
    ],
)
def test_memory_that_cannot_be(memory: str, said: str, shell: Shell) -> None:
    (shell.folder / "a.jsonl").write_text("{}\n")
    assert shell.run("fleet", "lint", "a.jsonl", "--out", "out", "--memory", memory) == 2
    assert shell.err == f"kubemerge: {said}\n"


def test_a_scheduler_without_workers_is_told(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    (shell.folder / "a.jsonl").write_text("{}\n")
    monkeypatch.setattr(cluster, "_FIRST_WORKER_SECONDS", 1)
    empty = distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None, silence_logs=50)
    with empty:
        shared = ("--out", "out", "--scheduler", empty.scheduler_address)
        assert shell.run("fleet", "lint", "a.jsonl", *shared) == 2
    assert "had no workers for 1 seconds. Start workers first" in shell.err


def test_a_run_whose_workers_are_gone_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    monkeypatch.setattr(cluster, "_NEW_WORKER_SECONDS", 0.2)
    monkeypatch.setattr(cluster, "_CHECK_SECONDS", 0.05)
    shared = {"processes": False, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(n_workers=1, **shared) as one, distributed.Client(one) as client:
        first = client.submit(int, "1")
        assert [*cluster.as_completed_by_workers(client, distributed.as_completed([first]))] == [first]
        one.sync(one.workers[0].close)
        left = distributed.as_completed([client.submit(int, "2")])
        with pytest.raises(cluster.NoWorkers, match=r"no workers for 0\.2 seconds\. .* Start the run again\. Fin"):
            [*cluster.as_completed_by_workers(client, left)]


@pytest.mark.parametrize("before", [True, False], ids=["while it waits", "while it fetches"])
def test_a_run_whose_scheduler_is_gone_ends(before: bool, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    shell.write("a.json", live(1, "a", 0))
    shared = {"processes": False, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(n_workers=1, host="127.0.0.1", protocol="tcp", **shared) as one:

        def gone(*_: Any) -> Any:
            if before:
                raise distributed.comm.CommClosedError("Stream is closed")
            return real(*_)

        real = cluster.as_completed_by_workers
        monkeypatch.setattr(fleet_workers, "as_completed_by_workers", gone)
        monkeypatch.setattr("distributed.Future.status", "finished" if before else "cancelled")
        assert shell.run("fleet", "owners", "a.json", "--out", "out", "--scheduler", one.scheduler_address) == 2
    said = "the scheduler stopped, or was restarted. Start the run again. Finished parts are kept"
    assert shell.err == f"kubemerge: {said}\n"


# ---- in separate processes ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("is_own", [True, pytest.param(False, marks=pytest.mark.left_out)])
def test_what_kills_workers_is_one_row_wherever_they_are(
    is_own: bool, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    write(shell.folder / "dumps", 1, 30)
    file = shell.folder / "dumps" / "prod-0.jsonl"
    shell.run("fleet", "owners", "dumps", "--out", "calm", "--workers", 1)
    calm = [{**json.loads(one), "source": ""} for one in rows(shell.folder / "calm")]
    given = file.read_text().splitlines(keepends=True)
    given[9:9], given[20:20] = [lines(_poison("crashes"))], [lines(_poison("turns"))]
    file.write_text("".join(given))
    monkeypatch.setenv("PYTHONPATH", f"{CHILD}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    shared = ("fleet", "owners", "dumps", "--out", "out", "--object-timeout", 3)
    if is_own:
        assert shell.run(*shared, "--workers", 1) == 2
    else:
        with distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50
        ) as other:
            assert shell.run(*shared, "--scheduler", other.scheduler_address) == 2
    found = [{**json.loads(one), "source": ""} for one in rows(shell.folder / "out")]
    errors = [one["text"] for one in found if one["severity"] == "error"]
    assert sorted(one.partition(".")[0] for one in errors) == [
        "processing exceeded 3 seconds and was aborted",
        "the object crashed a worker 5 times (SIGSEGV)",
    ]
    assert [one for one in found if one["severity"] != "error"] == calm


def _begun(folder: Path, *words: object) -> subprocess.Popen[bytes]:
    """Start a run as a terminal does: in a new process group, which receives Ctrl-C."""
    text = [sys.executable, "-m", "kubemerge", "fleet", *map(str, words)]
    return subprocess.Popen(text, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


@pytest.mark.slow
@pytest.mark.parametrize("parts", [0, 1, 20])
def test_an_interrupted_run_leaves_nothing_behind(parts: int, tmp_path: Path) -> None:
    """It is interrupted when there are workers, and so many of about 100 parts."""
    import psutil

    write(tmp_path / "dumps", 2, 1500)
    run = _begun(tmp_path, "lint", "dumps", "--out", "out", "--workers", 2, "--part-size", 50_000)
    while len(there := psutil.Process(run.pid).children(recursive=True)) < 2 or len(_parts(tmp_path / "out")) < parts:
        assert run.poll() is None
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGINT)
    out, said = run.communicate(timeout=60)
    assert (run.returncode, out, said.strip()) == (130, b"", b"")
    _, alive = psutil.wait_procs(there, timeout=10)
    assert alive == []
    assert sorted((tmp_path / "out").glob("*")) == _parts(tmp_path / "out")


def _parts(out: Path) -> list[Path]:
    return sorted(out.glob("part-*"))


@pytest.mark.slow
def test_workers_that_dask_does_not_begin_again_are_replaced() -> None:
    """Dask gives up on a worker that dies while it starts, and closes its supervisor, as here."""
    with cluster.local(cluster.SchedulerLocation(workers=1)) as client:
        first = client.submit(os.getpid).result(timeout=30)
        client.cluster.sync(client.cluster.workers[0].close)
        assert client.submit(os.getpid, pure=False).result(timeout=30) != first
