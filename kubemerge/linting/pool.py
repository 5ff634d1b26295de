"""Linting many files in several processes, where they can be split off; what they know is what this one knows."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .kept import from_text, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .one_file import FileLinter
    from .report import FileReport

WORTH_IT = 150
"""How many files are linted faster by several processes than by one."""
_PART = 25
_AHEAD = 10
"""Files that are linted before there are several processes, so that what they import is there in all of them."""
_GROUPS, _LIMITS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
"""Linux: of which control groups this process is, and what they may use."""
_linter: FileLinter | None = None
_files: Sequence[tuple[str, bytes]] = ()


def reports(linter: FileLinter, files: Sequence[tuple[str, bytes]], jobs: int) -> Iterator[FileReport]:
    """The report of each file, in their order."""
    if jobs < 2 or len(files) < WORTH_IT or not sys.platform.startswith("linux"):
        for source, data in files:
            yield linter.lint(source, data)
        return
    import multiprocessing

    global _linter, _files
    yield from (linter.lint(source, data) for source, data in files[:_AHEAD])
    _linter, _files = linter, files[_AHEAD:]
    try:
        with deaf():
            pool = multiprocessing.get_context("fork").Pool(jobs, _begin)
        with pool:
            for text in pool.imap(_lint, range(len(_files)), chunksize=_PART):
                yield from_text(text)
    finally:
        _linter, _files = None, ()


@contextmanager
def deaf() -> Iterator[None]:
    """A context whose threads, and the processes that these begin at any time, do not hear of Ctrl-C.

    A terminal tells it to all processes; this one ends the others, which would print where they were.
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
    """Spend less time on looking for circles of objects, which hardly anything here makes."""
    import gc

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _lint(at: int) -> str:
    if _linter is None:
        raise AssertionError
    return to_text(_linter.lint(*_files[at]))


def processors() -> int:
    """How many processes can run at once: no more than a container may, whose machine has more processors."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min([there, *_quotas()])


def _quotas() -> Iterator[int]:
    """How many processors each of our control groups may use, in both versions of these; at least one."""
    with suppress(OSError):
        for line in _GROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers or "cpu" in controllers.split(","):
                group = _LIMITS / controllers / path.lstrip("/")  # which a container may not see, but what is above it
                for one in (group, *group.parents):
                    yield from _quota(one)


def _quota(group: Path) -> Iterator[int]:
    for names in (["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]):
        with suppress(OSError, ValueError):  # there is none, or it is no number but "max"
            time, period = [int(one) for name in names for one in (group / name).read_text(encoding="utf-8").split()]
            if time > 0:
                yield -(-time // period)
