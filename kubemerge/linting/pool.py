"""Linting many files in several forked processes, which share the state of this one."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .definitions import first_kind
from .serialization import from_text, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

    from .one_file import FileLinter
    from .report import FileReport

    File = tuple[str, bytes]
    OnProgress = Callable[[str, int, int | None], None]

WORTH_IT = 150
"""Number of files from which several processes are faster than one."""
_PART, _MOST_PARTS = 25, 1000
"""The number of files in a part, and the largest number of parts: their numbers fit into the smallest pipe of Linux."""
_AHEAD = 10
"""Number of files linted before the processes are forked, so that all of them have the imported modules."""
_NUMBER = 4
"""The bytes of a number in the pipe."""
_GROUPS, _LIMITS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
"""Linux: the control groups of this process, and their limits."""


class Done(NamedTuple):
    """A linted file. Another process sends its report as JSON, which the cache stores as it is."""

    report: FileReport
    text: str | None


def reports(linter: FileLinter, files: Sequence[File], jobs: int, on_progress: OnProgress | None = None) -> list[Done]:
    """The reports of the files, in the same order."""
    if len(files) >= WORTH_IT:
        _collect_less()
    order = _by_kind(files)
    done = dict(zip(order, _reports(linter, [files[at] for at in order], jobs, on_progress), strict=True))
    return [done[at] for at in range(len(files))]


def _by_kind(files: Sequence[File]) -> list[int]:
    """The order in which files are linted: one of each kind, so that all modules are imported, then the others by kind.

    Objects of one kind are linted with the same tables and code. These stay in the caches of the processor, which saves
    8 % of the time.
    """
    kinds = [first_kind(data) for _, data in files]
    first: dict[bytes, int] = {}
    for at, kind in enumerate(kinds):
        first.setdefault(kind, at)
    return sorted(range(len(files)), key=lambda at: (first[kinds[at]] != at, kinds[at]))


def _reports(linter: FileLinter, files: Sequence[File], jobs: int, on_progress: OnProgress | None) -> Iterator[Done]:
    alone = jobs < 2 or len(files) < WORTH_IT or not sys.platform.startswith("linux")
    ahead = len(files) if alone else _AHEAD
    for at in range(ahead):
        yield _done(linter, files, at, on_progress)
    if not alone:
        linter.load(files[ahead:])
        yield from _in_processes(linter, files, jobs, on_progress)


def _done(linter: FileLinter, files: Sequence[File], at: int, on_progress: OnProgress | None) -> Done:
    if on_progress is not None:
        on_progress(files[at][0], at, len(files))
    return Done(linter.lint(*files[at]), None)


def _in_processes(
    linter: FileLinter, files: Sequence[File], jobs: int, on_progress: OnProgress | None
) -> Iterator[Done]:
    """The reports of all but the first files. This process lints, too.

    Each process takes the next part as soon as it is done with one. The pipe holds the numbers of all parts, and is
    closed for writing before any process starts, so that its end is the end of the work. If a process is killed or
    fails, its parts are linted here again, which raises its error here.
    """
    count = len(files)
    size = max(_PART, -(-count // _MOST_PARTS))
    parts = [range(at, min(at + size, count)) for at in range(_AHEAD, count, size)]
    numbers, end = os.pipe()
    with os.fdopen(end, "wb") as filled:
        filled.writelines(number.to_bytes(_NUMBER, "little") for number in range(len(parts)))
    with _helpers(jobs - 1, linter, files, parts, numbers) as helpers:
        own = {
            number: [_done(linter, files, at, on_progress) for at in parts[number]] for number in _next_parts(numbers)
        }
        sent = _received(helpers)
    for number, part in enumerate(parts):
        if number in own:
            yield from own[number]
        elif number in sent:
            yield from (Done(from_text(text), text) for text in sent[number])
        else:
            yield from (_done(linter, files, at, on_progress) for at in part)


def _next_parts(numbers: int) -> Iterator[int]:
    """The parts that no process has taken, each when it is needed."""
    while number := os.read(numbers, _NUMBER):
        yield int.from_bytes(number, "little")


@contextmanager
def _helpers(
    count: int, linter: FileLinter, files: Sequence[File], parts: Sequence[range], numbers: int
) -> Iterator[list[Connection]]:
    """Processes that lint, which end with this context."""
    import multiprocessing

    fork = multiprocessing.get_context("fork")
    started: list[tuple[ForkProcess, Connection]] = []
    try:
        with interrupts_blocked():
            for _ in range(count):
                here, there = fork.Pipe(duplex=False)
                process = fork.Process(target=_help, args=(linter, files, parts, numbers, there, os.getpid()))
                process.start()
                there.close()
                started.append((process, here))
        yield [here for _, here in started]
    finally:
        os.close(numbers)
        for process, here in started:
            process.terminate()
            process.join()
            here.close()


def _help(
    linter: FileLinter,
    files: Sequence[File],
    parts: Sequence[range],
    numbers: int,
    there: Connection,
    parent: int,
) -> None:
    """Lint parts, and send all their reports at once: a process that waits for a reader would not lint."""
    done = {}
    with suppress(Exception):
        for number in _next_parts(numbers):
            if os.getppid() != parent:
                return
            done[number] = [to_text(linter.lint(*files[at])) for at in parts[number]]
    with suppress(OSError):
        there.send(done)


def _received(helpers: Sequence[Connection]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for one in helpers:
        with suppress(EOFError, OSError):  # it was killed
            found.update(one.recv())
    return found


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


def _collect_less() -> None:
    """Run the garbage collector less often, because linting creates hardly any reference cycles.

    It leaves out all objects that exist. Otherwise, it would visit those of the modules, and each process would get a
    copy of their pages.
    """
    import gc

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


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
