"""An object that kills or blocks the process that checks it is one error row. All other objects are checked."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from engine import MergeError
from kubemerge.fleet.checks.base import Check
from kubemerge.fleet.checks.table import CheckSpec
from kubemerge.fleet.child_process import process, supervisor
from kubemerge.fleet.child_process.messages import POSITION, Job
from kubemerge.fleet.child_process.supervisor import Limits, StartFailed, rows
from kubemerge.fleet.reading.parts import Part, parts
from kubemerge.fleet.reading.sources import sources
from kubemerge.fleet.results import Tally

from ....conftest import ROOT
from ..test_reading import FORMS, OBJECTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.fleet.rows import Row

pytestmark = pytest.mark.filterwarnings("ignore")
"""Processes that are left to the garbage collector."""
ASKED = CheckSpec("owners", about="test")
FEW = OBJECTS[:12]


@pytest.fixture(autouse=True)
def _poison(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let the names of objects end or stop the process."""
    path = os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("KILLED_ONCE", str(tmp_path / "killed"))
    _end()
    yield
    _end()


def _end() -> None:
    if hasattr(supervisor._local, "process"):
        supervisor._local.process.end()
        del supervisor._local.process


def named(name: str) -> dict[str, Any]:
    text = json.dumps({**FEW[0], "metadata": {**FEW[0]["metadata"], "name": f"poison-{name}"}})
    return dict(json.loads(text))


def found(file: Path, limits: Limits, size: int = 1 << 20) -> tuple[list[dict[str, str]], Tally]:
    tally = Tally()
    told = [
        row
        for part in parts(sources([str(file)]), size)
        for batch in rows(ASKED, part, limits, tally)
        for row in batch.to_pylist()
    ]
    return sorted(told, key=lambda one: (one["source"], one["path"], one["what"])), tally


def without(told: list[dict[str, str]]) -> Counter[str]:
    """The rows that are no errors, by the objects."""
    return Counter(json.dumps({**one, "source": ""}) for one in told if one["severity"] != "error")


DIED = "the object crashed a worker 5 times ({}). Remove it, or increase --memory"
LATE = "processing exceeded 2 seconds and was aborted. Increase --object-timeout"


@pytest.mark.parametrize(
    ("poison", "limits", "said"),
    [
        ("crashes", Limits(), DIED.format("SIGSEGV")),
        ("turns", Limits(2), LATE),
        pytest.param("aborts", Limits(), DIED.format("SIGABRT"), marks=pytest.mark.slow),
        pytest.param("is-killed", Limits(), DIED.format("SIGKILL"), marks=pytest.mark.slow),
        pytest.param("exits", Limits(), DIED.format("exit code 3"), marks=pytest.mark.slow),
        pytest.param("sleeps", Limits(2), LATE, marks=pytest.mark.slow),
        pytest.param("sleeps-in-c", Limits(2), LATE, marks=pytest.mark.slow),
    ],
)
def test_what_kills_a_worker_is_one_row(poison: str, limits: Limits, said: str, tmp_path: Path) -> None:
    is_one_row(poison, limits, said, tmp_path)


@pytest.mark.slow
def test_what_takes_too_much_memory_is_one_row(tmp_path: Path) -> None:
    limit = psutil.Process().memory_info().rss + (400 << 20)  # that of this process counts as well
    said = f"a worker ran out of memory: the object takes more than {limit >> 20} MiB. Increase --memory"
    is_one_row("grows", Limits(30, limit), said, tmp_path)


def is_one_row(poison: str, limits: Limits, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](FEW))
    calm, tally = found(tmp_path / "a.jsonl", Limits())
    assert (tally.objects, tally.killed) == (12, 0)
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"]([*FEW[:7], named(poison), *FEW[7:]]))
    told, tally = found(tmp_path / "a.jsonl", limits)
    assert without(told) == without(calm)
    assert (tally.objects, tally.killed) == (13, 1)
    [bad] = [one for one in told if one["severity"] == "error"]
    assert (bad["what"], bad["cluster"], bad["text"]) == ("unreadable", "a", said)
    start = len(FORMS["a.jsonl"](FEW[:7]))
    assert bad["source"] == f"{tmp_path.name}/a.jsonl:byte {start}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["b.json", "b.yml", "a.parquet", "a.jsonl.gz", "a.yaml.zst"])
def test_in_every_form(name: str, tmp_path: Path) -> None:
    size = 3000
    (tmp_path / name).write_bytes(FORMS[name](FEW))
    calm, _ = found(tmp_path / name, Limits(), size)
    poisoned = [named("exits"), *FEW[:7], named("dies-once"), *FEW[7:], named("exits"), named("exits")]
    (tmp_path / name).write_bytes(FORMS[name](poisoned))
    told, tally = found(tmp_path / name, Limits(), size)
    assert (tally.objects, tally.killed) == (16, 3)
    errors = [one for one in told if one["severity"] == "error"]
    assert len(errors) == len({one["source"] for one in errors}) == 3
    once = without([one for one in told if one["name"] == "poison-dies-once"])
    assert without(told) - once == without(calm)
    assert once


def test_a_process_that_is_killed_for_no_reason_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"]([*FEW[:7], named("dies-once"), *FEW[7:]]))
    told, tally = found(tmp_path / "a.jsonl", Limits())
    assert (tmp_path / "killed").exists()
    assert (tally.objects, tally.killed) == (13, 0)
    assert (told, 13) == (found(tmp_path / "a.jsonl", Limits())[0], tally.objects)


def test_a_process_is_kept_and_does_not_mix_parts_up(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](OBJECTS))
    [part] = parts(sources([str(tmp_path / "a.jsonl")]))
    first = next(rows(ASKED, part, Limits(), Tally()))
    process = supervisor._local.process
    tally = Tally()
    assert [one.num_rows for one in rows(ASKED, part, Limits(), tally)] == [first.num_rows]
    assert tally.objects == len(OBJECTS)
    assert supervisor._local.process is not process  # the first one was not asked to its end
    process = supervisor._local.process
    found(tmp_path / "a.jsonl", Limits())
    assert supervisor._local.process is process


def test_a_file_that_is_gone_ends_its_part(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](FEW))
    [part] = parts(sources([str(tmp_path / "a.jsonl")]))
    (tmp_path / "a.jsonl").unlink()
    with pytest.raises(MergeError, match=r"^No such file or directory$"):
        list(rows(ASKED, part, Limits(), Tally()))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_each_part_tells_what_it_could_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](FEW))
    pipe = tmp_path / "b.json"
    pipe.touch()
    [source] = sources([str(pipe)])
    pipe.unlink()
    os.mkfifo(pipe)  # who opens it waits
    found(tmp_path / "a.jsonl", Limits())
    monkeypatch.setattr(supervisor, "_READING_SECONDS", 1)
    monkeypatch.setattr(supervisor, "_TRIES", {"time": 1})
    tally = Tally()
    [told] = [
        row for batch in rows(ASKED, Part(source, stripe=1, stripes=2), Limits(), tally) for row in batch.to_pylist()
    ]
    assert (tally.objects, tally.killed, told["severity"]) == (1, 1, "error")
    assert told["text"] == (
        "the rest of the file cannot be read, from object 1 of this part on: "
        "processing exceeded 1 seconds and was aborted"
    )


def test_what_belongs_to_a_cluster_is_read_before_its_object_has_its_time(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](FEW[:2]))
    [part] = parts(sources([str(tmp_path / "a.jsonl")]))
    place, places = bytearray(POSITION.size), list[tuple[str, int]]()

    class Noted(Check):
        def prepare(self, cluster: str) -> None:
            places.append((cluster, *POSITION.unpack_from(place)))

        def about(self, cluster: str, _: Any) -> Iterator[Row]:
            places.append((cluster, *POSITION.unpack_from(place)))
            return iter(())

    class Made:
        mark = b""

        def of(self, _: str) -> Check:
            return Noted()

    assert [*process._checked(Job(None, part, 0, {}, False), Made(), place)]  # type: ignore[arg-type]
    assert places == [("a", 0), ("a", 1), ("a", 2), ("a", 3)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems know nothing like it")
def test_a_process_that_is_stuck_ends_with_its_worker(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"]([named("sleeps-in-c")]))
    run = [sys.executable, "-c", STUCK, str(tmp_path / "a.jsonl")]
    with subprocess.Popen(run, stdout=subprocess.PIPE, cwd=ROOT) as worker:
        stuck = psutil.Process(int(worker.stdout.readline()))  # type: ignore[union-attr]
        worker.kill()
    until = time.monotonic() + 10
    while lives(stuck) and time.monotonic() < until:
        time.sleep(0.05)
    if lives(stuck):
        stuck.kill()
        pytest.fail("it outlives its worker")


def lives(process: psutil.Process) -> bool:
    return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)


STUCK = """
import sys, threading, time
from kubemerge.fleet.child_process import supervisor
from kubemerge.fleet.reading.parts import parts
from kubemerge.fleet.reading.sources import sources
from kubemerge.fleet.results import Tally
from kubemerge.fleet.checks.table import CheckSpec
process = supervisor._process()
def tell():
    while process.position != 1:
        time.sleep(0.05)
    time.sleep(0.5)
    print(process._process.pid, flush=True)
threading.Thread(target=tell, daemon=True).start()
[part] = parts(sources([sys.argv[1]]))
list(supervisor.rows(CheckSpec("owners", about="test"), part, supervisor.Limits(600), Tally()))
"""


def test_too_little_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_local", threading.local())  # no process that is there already,
    monkeypatch.setattr(supervisor, "_POLL_SECONDS", 0.001)  # nor one that has begun before it is looked at
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](FEW))
    with pytest.raises(StartFailed, match=r"^20 MiB is too little memory to start a worker. Increase --memory$"):
        found(tmp_path / "a.jsonl", Limits(30, 20 << 20))


def test_a_process_that_does_not_begin_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](FEW))
    monkeypatch.setattr(supervisor, "_PROGRAM", "raise ValueError('no such thing')")
    with pytest.raises(StartFailed, match="does not start: ValueError: no such thing"):
        found(tmp_path / "a.jsonl", Limits())


def test_a_process_that_ends_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not until its object is collected: that may be much later, and warns then."""
    monkeypatch.setattr(supervisor, "_local", threading.local())
    process = supervisor._process()
    open_ones = [process._stderr, process._process.stdin, process._process.stdout]
    process.end()
    assert [one.closed for one in open_ones if one] == [True, True, True]


def test_a_process_that_cannot_be_begun_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"](FEW))
    (tmp_path / "temporary").mkdir()

    def refused(*_: Any, **__: Any) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(supervisor, "_local", threading.local())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("subprocess.Popen", refused)
    with pytest.raises(StartFailed, match="does not start: Resource temporarily unavailable"):
        found(tmp_path / "a.jsonl", Limits())
    assert [*(tmp_path / "temporary").iterdir()] == []
