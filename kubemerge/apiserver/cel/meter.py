"""The cost of one evaluation, its limit, and the time at which a request must end."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 1_000_000
"""The cost of one expression, at most."""
STEP = 1_000
"""Cost between two looks at the clock."""
ROOM = 64 * 1024 * 1024
"""Characters that one expression may make. A server has no such limit and runs out of memory instead."""
_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


class Cancelled(Exception):
    """The evaluation ends; no part of the expression can catch it."""


class TooExpensive(Cancelled):
    """An expression costs more than a server allows."""

    def __init__(self) -> None:
        super().__init__("operation cancelled: actual cost limit exceeded")


class Panic(Cancelled):
    """An expression that makes the evaluation itself fail on a server."""


class DeadlineExceeded(Exception):
    """The time of a request is over. It is no part of a verdict."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let everything that is evaluated in this context end after some time."""
    token = _deadline.set(monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def check_deadline() -> None:
    """Raise DeadlineExceeded if the time of this context is over."""
    end = _deadline.get()
    if end is not None and monotonic() > end:
        raise DeadlineExceeded


class Meter:
    """What is left of the limit. `spend` is written out where it is called most often."""

    __slots__ = ("_end", "_room", "left", "most", "stop")

    def __init__(self, most: int = MOST) -> None:
        self.left = self.most = most
        self._room = ROOM
        self._end = _deadline.get()
        self.stop = most - STEP if self._end is not None else 0

    @property
    def spent(self) -> int:
        """The cost so far."""
        return self.most - self.left

    def spend(self, cost: int) -> None:
        """Add to the cost. Raises TooExpensive or DeadlineExceeded."""
        self.left -= cost
        if self.left < self.stop:
            self.reached()

    def reached(self) -> None:
        """Look at the limit and at the clock."""
        if self.left < 0:
            raise TooExpensive
        if self._end is not None:
            if monotonic() > self._end:
                raise DeadlineExceeded
            self.stop = max(0, self.left - STEP)

    def take(self, characters: int) -> None:
        """Count characters before a text is made. Raises TooExpensive."""
        self._room -= characters
        if self._room < 0:
            self.left = -1
            raise TooExpensive
