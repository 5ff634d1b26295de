"""Check a part in a child process: an object that crashes it or takes too long becomes one error row."""

from __future__ import annotations

import mmap
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError

from ...apiserver.text.text import shown
from ..checks.base import error_row
from ..extra import library
from ..reading.items import Item
from ..rows import batch, schema
from .messages import IDLE, POSITION, Done, End, Job, MissingJob, receive, send

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..checks.table import CheckSpec
    from ..missing import ClusterGroup
    from ..reading.parts import Part
    from ..results import Tally

_POLL_SECONDS = 0.2
"""Seconds between two checks of the process."""
_READING_SECONDS = 600
"""Seconds allowed for finding the next object, which may be slow in a remote file."""
_TRIES = {"time": 2, "memory": 2}
_MOST_TRIES = 5
"""Number of processes that an object may crash before it counts as the cause.

Processes are also lost for other reasons, such as a busy machine, or too little memory.
"""
_PROGRAM = "import sys; sys.path[:] = sys.argv[2:]; from kubemerge.fleet.child_process.process import main; main()"
_local = threading.local()
"""The process of this thread, reused for the next parts."""


class StartFailed(MergeError):
    """A process that does not reach its first object."""


class Limits(NamedTuple):
    """Limits for one object."""

    seconds: float = 30
    memory: int | None = None
    """Maximum memory in bytes of this process and the child process together."""


class _ProcessLost(Exception):
    def __init__(self, why: str, about: str) -> None:
        super().__init__(why)
        self.why, self.about = why, about


def rows(spec: CheckSpec, part: Part, limits: Limits, tally: Tally) -> Iterator[Any]:
    """The rows of a part, as record batches; each object is counted."""
    begin, skipped, one_by_one = 0, dict[int, str](), False
    losses: Counter[int] = Counter()
    while True:
        process, ended = _process(), False
        try:
            for done in process.check(spec, Job(None, part, begin, skipped, one_by_one), limits):
                tally.add(done.kinds, done.seen)
                begin = done.begin
                losses.pop(IDLE, None)
                yield library("pyarrow").ipc.read_record_batch(done.rows, schema())
            ended = True
        except _ProcessLost as lost:
            at, one_by_one = process.position, True
            losses[at] += 1
            if losses[at] < _TRIES.get(lost.why, _MOST_TRIES):
                continue
            if at == IDLE:
                raise StartFailed(_start_problem(lost, limits)) from None
            tally.killed += 1
            if at % 2:
                skipped[at // 2] = _loss_text(lost, losses[at], limits)
                continue
            tally.add({part.source.cluster: {"": 1}})
            yield batch([_unread_rest(part, at // 2, lost, losses[at], limits)])
        finally:
            if not ended:  # its remaining messages are not for the next part
                process.end()
        return


def missing(spec: CheckSpec, group: ClusterGroup, limits: Limits) -> Iterator[Any]:
    """The rows of missing objects, as record batches."""
    process, ended = _process(), False
    try:
        for done in process.check(spec, MissingJob(None, group), limits):
            yield library("pyarrow").ipc.read_record_batch(done.rows, schema())
        ended = True
    except _ProcessLost as lost:
        why = f"over {_size(limits.memory)}" if lost.why == "memory" else lost.about or _timeout_text(_READING_SECONDS)
        raise MergeError(
            f"the search for missing objects was lost ({why}). Increase --memory, or start the run again"
        ) from None
    finally:
        if not ended:
            process.end()


def _unread_rest(part: Part, number: int, lost: _ProcessLost, times: int, limits: Limits) -> Any:
    why = _timeout_text(_READING_SECONDS) if lost.why == "time" else _loss_text(lost, times, limits)
    item = Item(part.source.cluster, b"", shown(part.source.name))
    return error_row(item, f"the rest of the file cannot be read, from object {number + 1} of this part on: {why}")


def _loss_text(lost: _ProcessLost, times: int, limits: Limits) -> str:
    if lost.why == "time":
        return f"{_timeout_text(limits.seconds)}. Increase --object-timeout"
    if lost.why == "memory":
        return f"a worker ran out of memory: the object takes more than {_size(limits.memory)}. Increase --memory"
    return f"the object crashed a worker {times} times ({lost.about}). Remove it, or increase --memory"


def _timeout_text(seconds: float) -> str:
    return f"processing exceeded {seconds:g} seconds and was aborted"


def _start_problem(lost: _ProcessLost, limits: Limits) -> str:
    if lost.why == "memory":
        return f"{_size(limits.memory)} is too little memory to start a worker. Increase --memory"
    if lost.why == "time":
        return f"the worker process does not start: {_timeout_text(_READING_SECONDS)}"
    return f"the worker process does not start: {lost.about}"


def _size(memory: int | None) -> str:
    return f"{(memory or 0) >> 20} MiB"


def _process() -> _Process:
    found: _Process | None = getattr(_local, "process", None)
    if found is None or not found.is_alive():
        try:
            found = _local.process = _Process()
        except OSError as error:
            raise StartFailed(f"the worker process does not start: {error.strerror or error}") from None
    return found


class _Process:
    def __init__(self) -> None:
        file, name = tempfile.mkstemp(".place", "kubemerge-")
        try:
            os.write(file, POSITION.pack(IDLE))
            self._position = mmap.mmap(file, POSITION.size)
        finally:
            os.close(file)
        with ExitStack() as undo:
            undo.callback(_remove, name)
            self._stderr = undo.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, name, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
            )
            files = undo.pop_all()
        self._spec: CheckSpec | None = None
        self._answers: queue.Queue[Any] = queue.Queue(4)
        receiver = threading.Thread(target=_receive_all, args=(self._process.stdout, self._answers), daemon=True)
        receiver.start()
        self.end = weakref.finalize(self, _end, self._process, files, receiver, self._answers)

    @property
    def position(self) -> int:
        """Its current position, or the last one if it has died."""
        return int(POSITION.unpack_from(self._position)[0])

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def check(self, spec: CheckSpec, job: Job | MissingJob, limits: Limits) -> Iterator[Done]:
        """The results for a part."""
        POSITION.pack_into(self._position, 0, IDLE)
        if self._spec is not spec:
            job = job._replace(spec=pickle.dumps(spec, pickle.HIGHEST_PROTOCOL))
        try:
            send(self._process.stdin, job)
        except OSError:
            raise self._lost() from None
        self._spec = spec
        for answer in self._messages(limits):
            if isinstance(answer, End):
                if answer.problem:
                    raise MergeError(answer.problem)
                return
            yield answer

    def _messages(self, limits: Limits) -> Iterator[Any]:
        """Its messages, while it is alive and within its limits."""
        position, since = IDLE, time.monotonic()
        last_look = since
        while True:
            with suppress(queue.Empty):
                answer = self._answers.get(timeout=_POLL_SECONDS)
                if answer is None:
                    raise self._lost()
                yield answer
            now = time.monotonic()
            if now - last_look < _POLL_SECONDS:
                continue
            if now - last_look > 5 * _POLL_SECONDS or self.position != position:  # this process was suspended meanwhile
                position, since = self.position, now
            last_look = now
            if now - since > (limits.seconds if position % 2 and position != IDLE else _READING_SECONDS):
                raise _ProcessLost("time", "")
            if limits.memory and self._memory() > limits.memory:
                raise _ProcessLost("memory", "")

    def _memory(self) -> int:
        psutil = library("psutil")
        try:
            return int(sum(psutil.Process(one).memory_info().rss for one in (self._process.pid, os.getpid())))
        except psutil.Error:
            return 0

    def _lost(self) -> _ProcessLost:
        code = self._process.wait()
        about = f"exit code {code}"
        with suppress(ValueError):
            about = signal.Signals(-code).name
        if self.position == IDLE and code > 0:  # no object was reached, so there is none to report
            self._stderr.seek(0)
            about = shown((self._stderr.read().decode(errors="replace").splitlines() or [about])[-1])
        return _ProcessLost("death", about)


def _receive_all(pipe: Any, answers: queue.Queue[Any]) -> None:
    with suppress(OSError, ValueError):
        while (answer := receive(pipe)) is not None:
            answers.put(answer)
    answers.put(None)


def _end(
    process: subprocess.Popen[bytes], files: ExitStack, receiver: threading.Thread, answers: queue.Queue[Any]
) -> None:
    process.kill()
    process.wait()
    while receiver.is_alive():  # the thread may be waiting for space in the queue
        with suppress(queue.Empty):
            answers.get(timeout=0.01)
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError, AttributeError):
            pipe.close()  # type: ignore[union-attr]
    files.close()


def _remove(name: str) -> None:
    with suppress(OSError):  # already removed, unless the process did not start
        Path(name).unlink()
