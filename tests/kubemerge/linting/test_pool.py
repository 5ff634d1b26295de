"""Several lint processes: their number, which respects container limits, their work, and interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from kubemerge.linting import pool
from kubemerge.linting.report import FileReport
from kubemerge.linting.serialization import from_text

from ...conftest import ROOT
from ..objects import config_map, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kubemerge.linting.one_file import FileLinter

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="one process lints all")

OLD = "12:memory:/pods/one\n4:cpu,cpuacct:/pods/one\n"
"""The entry of a process in the first version of control groups."""


@pytest.mark.parametrize(
    ("groups", "files", "most"),
    [
        ("0::/\n", {"cpu.max": "200000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "max 100000\n"}, 64),
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "20000 100000\n"}, 1),
        ("0::/\n", {"cpu.max": "9900000 100000\n"}, 64),
        ("0::/\n", {}, 64),
        ("0::/a/b\n", {"a/cpu.max": "300000 100000\n", "a/b/cpu.max": "max 100000\n"}, 3),
        (OLD, {"cpu,cpuacct/cpu.cfs_quota_us": "400000\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n"}, 4),
        (OLD, {"cpu,cpuacct/pods/one/cpu.cfs_quota_us": "-1\n", "cpu,cpuacct/pods/one/cpu.cfs_period_us": "1\n"}, 64),
        (None, {}, 64),
    ],
)
def test_a_container_has_what_its_limits_say(
    groups: str | None, files: dict[str, str], most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if groups is not None:
        (tmp_path / "groups").write_text(groups)
    for name, text in files.items():
        (tmp_path / "limits" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "limits" / name).write_text(text)
    monkeypatch.setattr(pool, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(pool, "_LIMITS", tmp_path / "limits")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)), raising=False)
    assert pool.processors() == most


@on_linux
def test_an_interrupt_is_told_to_all_processes_and_none_of_them_says_anything(tmp_path: Path) -> None:
    for number in range(300):
        write(tmp_path, f"{number}.yaml", config_map(f"m{number}"))
    program = """
import signal, time
from kubemerge import __main__ as entry
from kubemerge.linting import pool, runs
real = pool._done
def slowly(linter, files, at, on_progress):
    if at >= pool._AHEAD:
        time.sleep(60)
    return real(linter, files, at, on_progress)
signal.signal(signal.SIGINT, signal.default_int_handler)
pool._done, runs.processors = slowly, lambda: 3
entry.main()
"""
    there = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with subprocess.Popen(
        [sys.executable, "-c", program, "lint", "."],
        cwd=tmp_path,
        env=there,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        others = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while process.poll() is None and len(others.read_text().split()) < 2:
            time.sleep(0.01)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said.strip()) == (130, b"")


FILES = [(f"{number}.yaml", b"kind: Kind%d" % (number % 3)) for number in range(400)]


class _Linter:
    """Returns reports that name the file and the process. `first` runs before each file."""

    def __init__(self, first: Callable[[str], None] = lambda _: None) -> None:
        self._first = first

    def load(self, _: Sequence[pool.File]) -> None:
        """Nothing is defined."""

    def lint(self, source: str, _: bytes) -> FileReport:
        self._first(source)
        return FileReport([], [], [source], [str(os.getpid())], needs_definitions=False)


def _linted(linter: _Linter, on_progress: pool.OnProgress | None = None) -> list[pool.Done]:
    done = pool.reports(cast("FileLinter", linter), FILES, 3, on_progress)
    assert [one.report.skipped for one in done] == [[source] for source, _ in FILES]
    return done


@on_linux
def test_processes_share_the_files_and_their_reports_keep_the_order() -> None:
    seen: list[tuple[str, int, int | None]] = []
    done = _linted(_Linter(lambda _: time.sleep(0.001)), lambda *words: seen.append(words))
    assert len({one.report.without_schema[0] for one in done}) > 1
    assert all(from_text(one.text) == one.report for one in done if one.text is not None)
    assert {(name, total) for name, _, total in seen} <= {(name, len(FILES)) for name, _ in FILES}
    assert [at for _, at, _ in seen] == sorted({at for _, at, _ in seen})


def test_one_file_of_each_kind_is_linted_first_and_then_the_others_by_kind() -> None:
    seen: list[str] = []
    done = pool.reports(cast("FileLinter", _Linter(seen.append)), FILES[:9], 1)
    assert seen == [f"{number}.yaml" for number in (0, 1, 2, 3, 6, 4, 7, 5, 8)]
    assert [one.report.skipped for one in done] == [[name] for name, _ in FILES[:9]]


@on_linux
def test_files_of_a_killed_process_are_linted_by_this_one() -> None:
    this = os.getpid()

    def killed(_: str) -> None:
        if os.getpid() != this:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.001)

    assert {one.report.without_schema[0] for one in _linted(_Linter(killed))} == {str(this)}


@on_linux
def test_an_error_in_another_process_is_raised_in_this_one() -> None:
    this = os.getpid()

    def failing(source: str) -> None:
        if source == "398.yaml":
            raise RecursionError(source)
        if os.getpid() == this:
            time.sleep(0.005)  # so that another process takes the last part

    with pytest.raises(RecursionError, match=r"^398\.yaml$"):
        _linted(_Linter(failing))


@on_linux
def test_numbers_of_all_parts_fit_into_the_smallest_pipe() -> None:
    assert pool._MOST_PARTS * pool._NUMBER <= 4096
    files = FILES * 100
    done = pool.reports(cast("FileLinter", _Linter()), files, 2)
    assert [one.report.skipped[0] for one in done] == [source for source, _ in files]
