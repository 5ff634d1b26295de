"""Running a check over the parts of a fleet on Dask: each part once, even if workers are lost."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from engine import MergeError

from ..apiserver.text.text import shown
from .checks.definitions import MARK, Known, known
from .checks.table import CheckSpec
from .child_process.supervisor import Limits, StartFailed, rows
from .cluster import SchedulerLocation, attended, own, scheduled
from .extra import library
from .reading.items import may_hold
from .reading.sources import unchanged
from .results import BadFolder, Results, Tally, Written
from .rows import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .reading.parts import Part

    OnProgress = Callable[[Part | None, int], None]

_TURNS = 3
"""Number of attempts for a part that Dask gives up: other schedulers allow fewer lost workers."""
_AGAIN = {"lost", "pending"}
"""The states of a result that is lost with its worker: Dask computes it again."""
_RETRIES = 2
"""Number of retries of a part after an error, such as a network error."""
_ADVICE = "start the run again"
SEARCH = CheckSpec("definitions", about="definitions")
"""The search for definitions, identical for all checks."""


class NoDefinitions(MergeError):
    """A dump whose definitions could not be read."""


def do(spec: CheckSpec, part: Part, folder: str, seconds: float) -> Written:
    """Check one part, and write the results."""
    tally, results, name = Tally(), Results(folder), key(spec, part)
    done = results.done(name)
    if done is not None and not done.killed:  # Dask repeats a task if its worker is lost after it finished
        return done
    tally.request = request(spec, part)
    found = unchanged(part.source, rows(spec, part, Limits(seconds, _memory()), tally))
    return results.write(name, found, tally)


def key(spec: CheckSpec, part: Part) -> str:
    """The key of a part's result."""
    return part.key(spec.about_of(whose(part)))


def request(spec: CheckSpec, part: Part) -> str:
    """The key of a request to check a part with whatever definitions are found; empty if none are searched for."""
    return part.key(f"{spec.about} by definitions") if spec.searched else ""


def whose(part: Part) -> str | None:
    """The cluster of a part; None if a column may name another cluster for each object."""
    return None if part.source.form == "parquet" else part.source.cluster


def definitions(spec: CheckSpec, part: Part, seconds: float) -> list[tuple[str, str, str]]:
    """The definitions in a part, each with its cluster, name and text.

    If reading itself was given up, the next run may find more, so this is an error. Damaged data and objects that are
    no definitions stay the same, and are reported when the part is checked.
    """
    if not may_hold(part, MARK):
        return []
    tally = Tally()
    found = rows(spec, part, Limits(seconds, _memory()), tally)
    read = [row for batch in found for row in batch.to_pylist()]
    rest = next((one for one in read if one["what"] == UNREADABLE and one["source"] == shown(part.source.name)), None)
    if rest and tally.killed:
        raise NoDefinitions(rest["text"])
    return [(one["cluster"], one["name"], one["after"]) for one in read if one["what"] == "definition"]


def _memory() -> int | None:
    """The memory limit for this worker thread; None if there is no limit."""
    try:
        worker = library("distributed").get_worker()
    except ValueError:
        return None
    limit = worker.memory_manager.memory_limit
    return limit // worker.state.nthreads if limit else None


class Workers:
    """The workers of a run."""

    def __init__(self, client: Any, seconds: float) -> None:
        self._client, self._seconds = client, seconds
        self._run = uuid4().hex
        """A name that keeps this run's tasks apart from other runs on the scheduler, which may write elsewhere."""

    def run(
        self, spec: CheckSpec, parts: Sequence[Part], folder: str, on_progress: OnProgress
    ) -> list[tuple[Part, str]]:
        """Run a check on these parts, and return the parts that could not be finished, each with the reason.

        `on_progress` is called for each finished part, with the number of its objects.
        """
        failed = []
        for part, done in self._each(do, spec, parts, folder, self._seconds):
            on_progress(part, done.objects if isinstance(done, Written) else 0)
            if isinstance(done, str):
                failed.append((part, done))
        return failed

    def known(self, parts: Sequence[Part]) -> Known:
        """The definitions in these parts. If one part's are unknown, results of other parts would be wrong too."""
        found = list[tuple[str, str, str]]()
        for part, done in self._each(definitions, SEARCH, parts, self._seconds):
            if isinstance(done, str):
                raise NoDefinitions(
                    f"{shown(part.source.name)}: its CustomResourceDefinitions are unknown: {done}, or "
                    "ignore definitions with --no-definitions"
                )
            found += done
        return known(found)

    def _each(
        self, does: Callable[..., Any], spec: CheckSpec, parts: Sequence[Part], *more: Any
    ) -> Iterator[tuple[Part, Any]]:
        """Yield each part with its result or the reason for its failure. Raise errors that affect all parts."""
        given = self._client.submit(_same, spec, pure=False)  # computed again if its worker dies

        def begun(part: Part, turn: int) -> Any:
            name = f"fleet-{does.__name__}-{key(spec, part)}-{turn}-{self._run}"
            return self._client.submit(does, given, part, *more, key=name, pure=False, retries=_RETRIES)

        futures = {begun(part, 1): (part, 1) for part in parts}
        finished = library("distributed").as_completed(futures)
        for future in attended(self._client, finished):
            if future.status in _AGAIN:
                finished.add(future)
                continue
            part, turn = futures.pop(future)
            error = future.exception() if future.status == "error" else None
            if isinstance(error, (BadFolder, StartFailed)):
                raise error
            if _lost_workers(error) and turn < _TURNS:
                again = begun(part, turn + 1)
                futures[again] = part, turn + 1
                finished.add(again)
            else:
                yield part, future.result() if future.status == "finished" else _why(error, future.status)
            future.release()


def _same(spec: CheckSpec) -> CheckSpec:
    return spec


def _lost_workers(error: BaseException | None) -> bool:
    return type(error).__name__ == "KilledWorker"


def _why(error: BaseException | None, status: str) -> str:
    """The reason for a part's failure, with the fix: the next run does only the missing parts."""
    if _lost_workers(error):
        return f"its workers crashed repeatedly, with any object. Check their logs, and {_ADVICE}"
    name = type(error).__name__ if error else status
    why = (str(error) or name) if isinstance(error, (MergeError, OSError)) else f"processing was aborted ({name})"
    return why if _ADVICE in why.lower() else f"{why}. {_ADVICE.capitalize()}"


@contextmanager
def workers(where: SchedulerLocation) -> Iterator[Workers]:
    """The workers for a run; local ones are stopped afterwards."""
    with scheduled(where) if where.scheduler else own(where) as client:
        yield Workers(client, where.seconds)
