"""Linting many files in several forked processes, which share the state of this one."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .serialization import from_text, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .one_file import FileLinter
    from .report import FileReport

WORTH_IT = 150
"""Number of files from which several processes are faster than one."""
_PART = 25
_AHEAD = 10
"""Number of files linted before the processes are forked, so that all of them have the imported modules."""
_GROUPS, _LIMITS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
"""Linux: the control groups of this process, and their limits."""
_linter: FileLinter | None = None
_files: Sequence[tuple[str, bytes]] = ()


def reports(linter: FileLinter, files: Sequence[tuple[str, bytes]], jobs: int) -> Iterator[FileReport]:
    """The reports of the files, in the same order."""
    if jobs < 2 or len(files) < WORTH_IT or not sys.platform.startswith("linux"):
        for source, data in files:
            yield linter.lint(source, data)
        return
    import multiprocessing

    global _linter, _files
    yield from (linter.lint(source, data) for source, data in files[:_AHEAD])
    linter.load(files[_AHEAD:])
    _linter, _files = linter, files[_AHEAD:]
    try:
        with interrupts_blocked():
            pool = multiprocessing.get_context("fork").Pool(jobs, _begin)
        with pool:
            for text in pool.imap(_lint, range(len(_files)), chunksize=_PART):
                yield from_text(text)
    finally:
        _linter, _files = None, ()


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C in the threads started in this context, and in all processes that these start.

    A terminal sends it to all processes. This process ends the others, which would otherwise print tracebacks.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Run the garbage collector less often, because linting creates hardly any reference cycles."""
    import gc

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _lint(at: int) -> str:
    if _linter is None:
        raise AssertionError
    return to_text(_linter.lint(*_files[at]))


def processors() -> int:
    """The number of processes that can run at once, limited by the quota of a container."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min([there, *_quotas()])


def _quotas() -> Iterator[int]:
    """The number of processors that each control group of this process may use, for cgroups v1 and v2; at least one."""
    with suppress(OSError):
        for line in _GROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers or "cpu" in controllers.split(","):
                group = _LIMITS / controllers / path.lstrip("/")  # a container may see only a parent group
                for one in (group, *group.parents):
                    yield from _quota(one)


def _quota(group: Path) -> Iterator[int]:
    for names in (["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]):
        with suppress(OSError, ValueError):  # no such file, or "max" instead of a number
            time, period = [int(one) for name in names for one in (group / name).read_text(encoding="utf-8").split()]
            if time > 0:
                yield -(-time // period)
