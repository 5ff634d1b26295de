"""Prefetching requests in a few daemon threads."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Any

from .transport import CONNECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Future:
    """The result or error of work in another thread."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work, self._done = work, threading.Event()
        self._result: Any = None
        self._error: BaseException | None = None

    def fulfil(self) -> None:
        """Do the work."""
        try:
            self._result = self._work()
        except BaseException as error:
            self._error = error
        self._done.set()

    def result(self) -> Any:
        """Wait for the result, and return it or raise its error. An interrupt ends the wait."""
        while not self._done.wait(0.5):
            pass
        if self._error is not None:
            raise self._error
        return self._result


class WorkQueue:
    """A few threads that process a queue of work in order."""

    def __init__(self, threads: int = CONNECTIONS) -> None:
        self._threads, self._started = threads, 0
        self._queue: queue.SimpleQueue[Future | None] = queue.SimpleQueue()

    def promise(self, work: Callable[[], Any]) -> Future:
        """Queue some work."""
        found = Future(work)
        self._queue.put(found)
        if self._started < self._threads:
            self._started += 1
            threading.Thread(target=self._run, daemon=True).start()
        return found

    def all(self, works: Sequence[Callable[[], Any]]) -> list[Any]:
        """Return the results of several works, in their order."""
        return [one.result() for one in [self.promise(work) for work in works]]

    def close(self) -> None:
        """End the threads."""
        for _ in range(self._started):
            self._queue.put(None)
        self._started = 0

    def _run(self) -> None:
        while (one := self._queue.get()) is not None:
            one.fulfil()
