"""Checking a part in another process: an object that crashes it or does not end becomes one error row."""

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
from ..extra import library
from ..reading.items import Item
from ..rows import batch, schema
from ..works.base import poisoned
from .messages import IDLE, PLACE, Done, End, Job, received, send

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..reading.parts import Part
    from ..results import Tally
    from ..works.table import Asked

_OFTEN = 0.2
"""Seconds between two checks of the process."""
_READING = 600
"""Seconds allowed for finding the next object, which may be slow in a remote file."""
_TRIES = {"time": 2, "memory": 2}
_MOST_TRIES = 5
"""Number of processes that an object may crash before it counts as the cause.

Processes are also lost for other reasons, such as a busy machine, or too little memory.
"""
_BEGIN = "import sys; sys.path[:] = sys.argv[2:]; from kubemerge.fleet.apart.process import main; main()"
_here = threading.local()
"""The process of this thread, reused for the next parts."""


class NotBegun(MergeError):
    """A process that does not reach its first object."""


class Limits(NamedTuple):
    """Limits for one object."""

    seconds: float = 30
    memory: int | None = None
    """Maximum memory in bytes of this process and the other one together."""


class _Death(Exception):
    def __init__(self, why: str, about: str) -> None:
        super().__init__(why)
        self.why, self.about = why, about


def rows(asked: Asked, part: Part, limits: Limits, tally: Tally) -> Iterator[Any]:
    """The rows of a part, as record batches; each object is counted."""
    begin, dead, singly = 0, dict[int, str](), False
    deaths: Counter[int] = Counter()
    while True:
        process, ended = _process(), False
        try:
            for done in process.looked_at(asked, Job(None, part, begin, dead, singly), limits):
                tally.add(done.kinds, done.seen)
                begin = done.begin
                deaths.pop(IDLE, None)
                yield library("pyarrow").ipc.read_record_batch(done.rows, schema())
            ended = True
        except _Death as death:
            at, singly = process.place, True
            deaths[at] += 1
            if deaths[at] < _TRIES.get(death.why, _MOST_TRIES):
                continue
            if at == IDLE:
                raise NotBegun(_not_begun(death, limits)) from None
            tally.killed += 1
            if at % 2:
                dead[at // 2] = _killed(death, deaths[at], limits)
                continue
            tally.add({part.source.cluster: {"": 1}})
            yield batch([_cut_off(part, at // 2, death, deaths[at], limits)])
        finally:
            if not ended:  # its remaining messages are not for the next part
                process.end()
        return


def _cut_off(part: Part, number: int, death: _Death, times: int, limits: Limits) -> Any:
    why = _late(_READING) if death.why == "time" else _killed(death, times, limits)
    item = Item(part.source.cluster, b"", shown(part.source.name))
    return poisoned(item, f"the rest of the file cannot be read, from object {number + 1} of this part on: {why}")


def _killed(death: _Death, times: int, limits: Limits) -> str:
    if death.why == "time":
        return f"{_late(limits.seconds)}. Increase --object-timeout"
    if death.why == "memory":
        return f"a worker ran out of memory: the object takes more than {_size(limits.memory)}. Increase --memory"
    return f"the object crashed a worker {times} times ({death.about}). Remove it, or increase --memory"


def _late(seconds: float) -> str:
    return f"processing exceeded {seconds:g} seconds and was aborted"


def _not_begun(death: _Death, limits: Limits) -> str:
    if death.why == "memory":
        return f"{_size(limits.memory)} is too little memory to start a worker. Increase --memory"
    if death.why == "time":
        return f"the worker process does not start: {_late(_READING)}"
    return f"the worker process does not start: {death.about}"


def _size(memory: int | None) -> str:
    return f"{(memory or 0) >> 20} MiB"


def _process() -> _Process:
    found: _Process | None = getattr(_here, "process", None)
    if found is None or not found.lives():
        try:
            found = _here.process = _Process()
        except OSError as error:
            raise NotBegun(f"the worker process does not start: {error.strerror or error}") from None
    return found


class _Process:
    def __init__(self) -> None:
        file, name = tempfile.mkstemp(".place", "kubemerge-")
        try:
            os.write(file, PLACE.pack(IDLE))
            self._place = mmap.mmap(file, PLACE.size)
        finally:
            os.close(file)
        with ExitStack() as undo:
            undo.callback(_remove, name)
            self._said = undo.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BEGIN, name, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
            )
            files = undo.pop_all()
        self._asked: Asked | None = None
        self._answers: queue.Queue[Any] = queue.Queue(4)
        hearing = threading.Thread(target=_hear, args=(self._process.stdout, self._answers), daemon=True)
        hearing.start()
        self.end = weakref.finalize(self, _end, self._process, files, hearing, self._answers)

    @property
    def place(self) -> int:
        """Its current position, or the last one if it has died."""
        return int(PLACE.unpack_from(self._place)[0])

    def lives(self) -> bool:
        return self._process.poll() is None

    def looked_at(self, asked: Asked, job: Job, limits: Limits) -> Iterator[Done]:
        """The results for a part."""
        PLACE.pack_into(self._place, 0, IDLE)
        if self._asked is not asked:
            job = job._replace(asked=pickle.dumps(asked, pickle.HIGHEST_PROTOCOL))
        try:
            send(self._process.stdin, job)
        except OSError:
            raise self._death() from None
        self._asked = asked
        for answer in self._watched(limits):
            if isinstance(answer, End):
                if answer.problem:
                    raise MergeError(answer.problem)
                return
            yield answer

    def _watched(self, limits: Limits) -> Iterator[Any]:
        """Its messages, while it is alive and within its limits."""
        place, since = IDLE, time.monotonic()
        looked = since
        while True:
            with suppress(queue.Empty):
                answer = self._answers.get(timeout=_OFTEN)
                if answer is None:
                    raise self._death()
                yield answer
            now = time.monotonic()
            if now - looked < _OFTEN:
                continue
            if now - looked > 5 * _OFTEN or self.place != place:  # this process was suspended meanwhile
                place, since = self.place, now
            looked = now
            if now - since > (limits.seconds if place % 2 and place != IDLE else _READING):
                raise _Death("time", "")
            if limits.memory and self._memory() > limits.memory:
                raise _Death("memory", "")

    def _memory(self) -> int:
        psutil = library("psutil")
        try:
            return int(sum(psutil.Process(one).memory_info().rss for one in (self._process.pid, os.getpid())))
        except psutil.Error:
            return 0

    def _death(self) -> _Death:
        code = self._process.wait()
        about = f"exit code {code}"
        with suppress(ValueError):
            about = signal.Signals(-code).name
        if self.place == IDLE and code > 0:  # no object was reached, so there is none to report
            self._said.seek(0)
            about = shown((self._said.read().decode(errors="replace").splitlines() or [about])[-1])
        return _Death("death", about)


def _hear(pipe: Any, answers: queue.Queue[Any]) -> None:
    with suppress(OSError, ValueError):
        while (answer := received(pipe)) is not None:
            answers.put(answer)
    answers.put(None)


def _end(
    process: subprocess.Popen[bytes], files: ExitStack, hearing: threading.Thread, answers: queue.Queue[Any]
) -> None:
    process.kill()
    process.wait()
    while hearing.is_alive():  # the thread may be waiting for space in the queue
        with suppress(queue.Empty):
            answers.get(timeout=0.01)
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError, AttributeError):
            pipe.close()  # type: ignore[union-attr]
    files.close()


def _remove(name: str) -> None:
    with suppress(OSError):  # already removed, unless the process did not start
        Path(name).unlink()
