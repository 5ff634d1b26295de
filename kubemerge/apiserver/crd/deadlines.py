"""Deadlines of requests, and work outside of the store's transaction: long CEL rules, and calls of webhooks.

A transaction locks the store, so long work must not happen inside one. The rules of an object are first evaluated in
place for a short time. If that is not enough, the write is rolled back, the rules are evaluated in another thread
without a lock, and the write is repeated with the result. Webhooks are called in the same way, without a try in place.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from engine.values.plain import same

from ..cel.meter import DeadlineExceeded, deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..schemas.schemas import Schema

    Convert = Callable[[dict[str, Any], dict[str, Any], str, "RequestDeadline"], dict[str, Any]]
    """A function of an object, its definition, the wanted apiVersion and the request."""

T = TypeVar("T")
IN_PLACE = 0.05
"""The maximum duration of rules inside a transaction, in seconds. Ordinary rules take microseconds."""
_current: ContextVar[RequestDeadline | None] = ContextVar("patience", default=None)


class Unfinished(Exception):
    """A request needs work that takes too long inside a transaction. `finish` does it, in any thread."""

    def __init__(self, finish: Callable[[], None], *, waits: bool = False) -> None:
        super().__init__("a request needs work outside of its transaction")
        self.finish = finish
        self.waits = waits
        """Whether the work waits for other programs, and does not compute."""


class _Verdict(NamedTuple):
    content: Any
    before: Any
    schema: Schema
    result: Any


class RequestDeadline:
    """The deadline of one request, and the results of its work from outside of a transaction."""

    def __init__(
        self, seconds: float, options: Callable[[], dict[str, Any]] = dict, convert: Convert | None = None
    ) -> None:
        self._end = monotonic() + seconds
        self._verdicts: list[_Verdict] = []
        self.options = options
        """Returns the options of the request, such as CreateOptions, that policies and webhooks see."""
        self.convert = convert
        """Converts a custom resource with the webhook of its definition. None if no webhook is called."""
        self.outcomes: dict[str, Any] = {}
        """The results of webhook calls."""
        self.kept: dict[str, Any] = {}
        """Other values that the next attempt needs, by name."""
        self._drawn: dict[str, list[Any]] = {}
        self._origins: Any = None

    def origins(self, source: T) -> T:
        """Return `metadata.Origins` for this attempt. Its times, uids and names are those of the attempts before."""
        if self._origins is not None:
            return self._origins  # type: ignore[no-any-return]
        given = {name: iter(list(values)) for name, values in self._drawn.items()}

        def draw(name: str, make: Callable[[], Any]) -> Any:
            for value in given.get(name, ()):
                return value
            made = make()
            self._drawn.setdefault(name, []).append(made)
            return made

        made: Any = source
        now = draw("clock", made.clock)
        uid, suffix = (lambda: draw("uid", made.uid)), (lambda: draw("suffix", made.suffix))
        self._origins = type(made)(lambda: now, uid, suffix)
        return self._origins  # type: ignore[no-any-return]

    @contextmanager
    def here(self) -> Iterator[None]:
        """Set the deadline for this context."""
        token = _current.set(self)
        self._origins = None
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


def current_request() -> RequestDeadline | None:
    """Return the current request, None outside of requests to a server."""
    return _current.get()


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
