"""The number of processes: the processors of the machine, within the limits of a container."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kubemerge.linting import pool

from ...conftest import ROOT
from ..objects import config_map, write

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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="one process lints all")
def test_an_interrupt_is_told_to_all_processes_and_none_of_them_says_anything(tmp_path: Path) -> None:
    for number in range(300):
        write(tmp_path, f"{number}.yaml", config_map(f"m{number}"))
    program = """
import signal, time
from kubemerge import __main__ as entry
from kubemerge.linting import pool, runs
def slowly(at):
    time.sleep(60)
signal.signal(signal.SIGINT, signal.default_int_handler)
pool._lint, runs.processors = slowly, lambda: 2
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
