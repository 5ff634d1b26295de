"""Deadlines of requests, and CEL rules evaluated outside of the store's transaction.

A transaction locks the store, so long evaluations must not happen inside one. The rules of an object are first
evaluated in place for a short time. If that is not enough, the write is rolled back, the rules are evaluated in another
thread without a lock, and the write is repeated with the result.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.plain import same

from ..cel.meter import DeadlineExceeded, deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..schemas.schemas import Schema

IN_PLACE = 0.05
"""The maximum duration of rules inside a transaction, in seconds. Ordinary rules take microseconds."""
_current: ContextVar[RequestDeadline | None] = ContextVar("patience", default=None)


class Unfinished(Exception):
    """Rules take too long inside a transaction. `finish` evaluates them, in any thread."""

    def __init__(self, finish: Callable[[], None]) -> None:
        super().__init__("rules take long")
        self.finish = finish


class _Verdict(NamedTuple):
    content: Any
    before: Any
    schema: Schema
    result: Any


class RequestDeadline:
    """The deadline of one request, and its rule results from outside of a transaction."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self._verdicts: list[_Verdict] = []

    @contextmanager
    def here(self) -> Iterator[None]:
        """Set the deadline for this context."""
        token = _current.set(self)
        try:
            with deadline(self.left()):
                yield
        finally:
            _current.reset(token)

    def left(self) -> float:
        """The remaining seconds."""
        return self._end - monotonic()

    def judged(self, content: Any, before: Any, schema: Schema, judge: Callable[[], Any]) -> Any:
        """Return the result of `judge`. Raise Unfinished if it takes too long, so that it can run elsewhere."""
        for one in self._verdicts:
            if not same(one.schema.raw, schema.raw):  # a rollback drops definitions, too
                continue
            if _alike(one.content, content) and _alike(one.before, before):
                return one.result
        try:
            with deadline(min(IN_PLACE, self.left())):
                return judge()
        except DeadlineExceeded:
            pass

        def finish() -> None:
            with deadline(self.left()):
                self._verdicts.append(_Verdict(content, before, schema, judge()))

        raise Unfinished(finish)


def evaluate_in_time(content: Any, before: Any, schema: Schema, judge: Callable[[], Any]) -> Any:
    """Return the result of `judge`, within the deadline of the request, if there is one."""
    patience = _current.get()
    return judge() if patience is None else patience.judged(content, before, schema, judge)


GIVEN = ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation")
"""Metadata that a server sets for each attempt, and that no rule can use."""


def _alike(one: Any, other: Any) -> bool:
    return same(_lasting(one), _lasting(other))


def _lasting(content: Any) -> Any:
    """An object without the parts that differ between attempts. A generated name is one of them."""
    metadata = content.get("metadata") if isinstance(content, dict) else None
    if not isinstance(metadata, dict):
        return content
    ignored = {*GIVEN, "name"} if metadata.get("generateName") else {*GIVEN}
    return {**content, "metadata": {key: value for key, value in metadata.items() if key not in ignored}}
