"""The process that checks objects, one part after the other, until no parts are left."""

from __future__ import annotations

import mmap
import os
import pickle
import queue
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from codegen.credentials import without_credentials
from engine import MergeError

from ..checks.base import error_row
from ..checks.table import Checks
from ..missing import missing_rows
from ..reading.items import items, items_with
from ..results import Tally
from ..rows import LARGEST, MOST, batch
from .messages import IDLE, POSITION, Done, End, Job, receive, send

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rows import Row
    from .messages import MissingJob

_IDLE_SECONDS = 30
"""Seconds without a part after which the process ends."""
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Check parts; the first argument is the file shared with the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides when to end
    _end_with_the_worker()
    with suppress(OSError):  # if memory runs out, the kernel should kill this process, not the worker
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # libraries must not print into the messages
        engine.accelerate()
        _serve(_shared_memory(sys.argv[1]), answers)


def _end_with_the_worker() -> None:
    """Let Linux end this process with the thread that started it. C code that holds the GIL would block `_listen`."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _shared_memory(name: str) -> mmap.mmap:
    with Path(name).open("r+b") as file:
        found = mmap.mmap(file.fileno(), POSITION.size)
    with suppress(OSError):  # Windows cannot remove an open file
        Path(name).unlink()
    return found


def _serve(position: mmap.mmap, answers: Any) -> None:
    jobs: queue.Queue[Job | MissingJob] = queue.Queue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    checks: Checks | None = None
    while True:
        try:
            job = jobs.get(timeout=_IDLE_SECONDS)
        except queue.Empty:
            return
        try:
            if job.spec is not None or checks is None:
                checks = Checks(pickle.loads(job.spec or b""))  # noqa: S301 - sent by our own process
            found = _checked(job, checks, position) if isinstance(job, Job) else _missing(job, checks)
            for done in found:
                send(answers, done)
            end = End()
        except (MergeError, OSError) as error:
            end = End(_problem_text(error))
        except Exception as error:  # its message may contain parts of an object
            end = End(f"processing was aborted ({type(error).__name__})")
        POSITION.pack_into(position, 0, IDLE)
        send(answers, end)


def _problem_text(error: Exception) -> str:
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return without_credentials(why)  # credentials in the source's address


def _listen(jobs: queue.Queue[Job | MissingJob]) -> None:
    """Receive parts; if the worker ends, end immediately."""
    while (job := receive(sys.stdin.buffer)) is not None:
        jobs.put(job)
    os._exit(0)


def _checked(job: Job, checks: Checks, position: mmap.mmap) -> Iterator[Done]:
    pending: list[Row] = []
    size, number, write = 0, -1, POSITION.pack_into
    tally = Tally()
    checks.of(job.part.source.cluster)  # creating it may be slow, which must not count for an object
    write(position, 0, 2 * job.begin)
    found_items = items_with(job.part, checks.mark) if checks.mark else items(job.part)
    for number, item in enumerate(found_items):
        if number < job.begin:
            continue
        if number in job.skipped:
            tally.add({item.cluster: {"": 1}})
            pending.append(error_row(item, job.skipped[number]))
        else:
            check = checks.of(item.cluster)
            check.prepare(item.cluster)
            check.begin()
            write(position, 0, 2 * number + 1)
            found = check.rows(item)
            write(position, 0, 2 * number + 2)
            pending += found
            tally.add({item.cluster: check.kinds}, check.seen)
            size += sum([len(one.before or "") + len(one.after or "") for one in found])
        if job.one_by_one or len(pending) >= MOST or size > LARGEST:
            yield _done(number + 1, pending, tally)
            pending, size, tally = [], 0, Tally()
    yield _done(number + 1, pending, tally)


def _missing(job: MissingJob, checks: Checks) -> Iterator[Done]:
    for rows in missing_rows(checks, job.group):
        if rows:
            yield _done(0, rows, Tally())


def _done(begin: int, pending: list[Row], tally: Tally) -> Done:
    return Done(begin, batch(pending).serialize().to_pybytes(), tally.kinds, tally.seen)
