"""The cost of one evaluation, its limit, and the deadline of a request."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_COST = 1_000_000
"""The maximum cost of one expression."""
DEADLINE_INTERVAL = 1_000
"""The cost between two checks of the deadline."""
MAX_CHARACTERS = 64 * 1024 * 1024
"""The maximum number of characters that one expression may create. A server has no such limit, and runs out of memory
instead.
"""
MAX_VALUES = 2_000_000
"""The maximum number of values in a list that an expression concatenates, or nests in itself where each one is visited.
A server has no such limit.
"""
_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


class Cancelled(Exception):
    """The end of an evaluation. No part of the expression can catch it."""


class TooExpensive(Cancelled):
    """An expression above the cost limit."""

    def __init__(self) -> None:
        super().__init__("operation cancelled: actual cost limit exceeded")


class Panic(Cancelled):
    """An expression that makes the evaluator of a server panic."""


class DeadlineExceeded(Exception):
    """The deadline of a request has passed. This is no verdict about the object."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Set a deadline for evaluations in this context."""
    token = _deadline.set(monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def check_deadline() -> None:
    """Raise DeadlineExceeded if the deadline of this context has passed."""
    end = _deadline.get()
    if end is not None and monotonic() > end:
        raise DeadlineExceeded


class Meter:
    """The remaining cost. `spend` is inlined where it is called most often."""

    __slots__ = ("_characters_left", "_end", "left", "limit", "stop")

    def __init__(self, limit: int = MAX_COST) -> None:
        self.left = self.limit = limit
        self._characters_left = MAX_CHARACTERS
        self._end = _deadline.get()
        self.stop = limit - DEADLINE_INTERVAL if self._end is not None else 0

    @property
    def spent(self) -> int:
        """The cost so far."""
        return self.limit - self.left

    def spend(self, cost: int) -> None:
        """Add to the cost. Raise TooExpensive or DeadlineExceeded."""
        self.left -= cost
        if self.left < self.stop:
            self.check()

    def check(self) -> None:
        """Check the cost limit and the deadline."""
        if self.left < 0:
            raise TooExpensive
        if self._end is not None:
            if monotonic() > self._end:
                raise DeadlineExceeded
            self.stop = max(0, self.left - DEADLINE_INTERVAL)

    def reserve(self, characters: int) -> None:
        """Subtract the characters of a text before it is created. Raise TooExpensive if too few are left."""
        self._characters_left -= characters
        if self._characters_left < 0:
            self.left = -1
            raise TooExpensive
