"""Run a check over the parts of a fleet on Dask: each part once, even if workers are lost."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from engine import MergeError

from ..apiserver.text.text import shown
from .checks.definitions import MARK, Known, known
from .checks.table import CheckSpec
from .child_process.supervisor import Limits, StartFailed, rows
from .child_process.supervisor import missing as missing_rows
from .cluster import SchedulerLocation, as_completed_by_workers, local, scheduled
from .extra import library
from .reading.items import may_hold
from .reading.sources import unchanged
from .results import BadFolder, Results, Tally, Written
from .rows import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .missing import ClusterGroup
    from .reading.parts import Part

    OnProgress = Callable[[Part | None, int], None]

T = TypeVar("T")
_ATTEMPTS = 3
"""Number of attempts for a part that Dask gives up. Existing schedulers may allow fewer lost workers than ours."""
_RECOMPUTED = {"lost", "pending"}
"""The states of a result that was lost with its worker, and that Dask computes again."""
_SEARCH_BYTES = 64 << 20
"""Approximate bytes of the dumps that one task searches for definitions: it takes less than a second."""
_RETRIES = 2
"""Number of retries of a part after an error, such as a network error."""
_ADVICE = "start the run again"
SEARCH = CheckSpec("definitions", about="definitions")
"""The search for definitions, identical for all checks."""


class MissingUnknown(MergeError):
    """Missing objects that could not be searched for."""


class NoDefinitions(MergeError):
    """A dump whose definitions could not be read."""


def check_part(spec: CheckSpec, part: Part, folder: str, seconds: float) -> Written:
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
    return part.key(spec.about_of(cluster_of(part)))


def request(spec: CheckSpec, part: Part) -> str:
    """The key of a request to check a part, whatever its definitions are; empty if definitions are not searched for."""
    return part.key(f"{spec.about} by definitions") if spec.searched else ""


def cluster_of(part: Part) -> str | None:
    """The cluster of a part; None if a column may name another cluster for each object."""
    return None if part.source.form == "parquet" else part.source.cluster


def definitions(spec: CheckSpec, part: Part, seconds: float) -> list[tuple[str, str, str]]:
    """The definitions in a part, each with its cluster, name and text.

    It is an error if the process was lost while it was reading, because the next run may find more. Damaged data and
    other objects do not change, and are reported when the part is checked.
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


def missing(spec: CheckSpec, group: ClusterGroup, seconds: float) -> list[Any]:
    """The rows of the objects missing in some clusters, as record batches."""
    return [*missing_rows(spec, group, Limits(seconds, _memory()))]


def _memory() -> int | None:
    """The memory limit for this worker thread; None if there is no limit."""
    try:
        worker = library("distributed").get_worker()
    except ValueError:
        return None
    limit = worker.memory_manager.memory_limit
    return limit // worker.state.nthreads if limit else None


def all_definitions(spec: CheckSpec, parts: Sequence[Part], seconds: float) -> list[tuple[str, str, str]]:
    """The definitions in several parts."""
    return [one for part in parts for one in definitions(spec, part, seconds)]


class Workers:
    """The workers of a run."""

    def __init__(self, client: Any, seconds: float) -> None:
        self._client, self._seconds = client, seconds
        self._sent: tuple[CheckSpec, Any] | None = None
        self._run = uuid4().hex
        """A name that keeps this run's tasks apart from other runs on the scheduler, which may write elsewhere."""

    def run(
        self, spec: CheckSpec, parts: Sequence[Part], folder: str, on_progress: OnProgress
    ) -> list[tuple[Part, str]]:
        """Run a check on these parts, and return the parts that could not be finished, each with the reason.

        `on_progress` is called for each finished part, with the number of its objects.
        """
        failed = []
        sets = spec.known.of  # parts with equal definitions follow one another, so that workers compile them once
        named = [(part, key(spec, part)) for part in sorted(parts, key=lambda one: sets.get(one.source.cluster, ()))]
        for part, done in self._each(check_part, spec, named, folder, self._seconds):
            on_progress(part, done.objects if isinstance(done, Written) else 0)
            if isinstance(done, str):
                failed.append((part, done))
        return failed

    def known(self, parts: Sequence[Part]) -> Known:
        """The definitions in these parts. If one part's are unknown, results of other parts would be wrong too."""
        found: list[tuple[str, str, str]] = []
        one_by_one: list[Part] = []
        groups = [(several, key(SEARCH, several[0])) for several in _search_groups(parts)]
        for several, done in self._each(all_definitions, SEARCH, groups, self._seconds):
            if isinstance(done, str):  # to find the part with the problem
                one_by_one += several
            else:
                found += done
        named = [(part, key(SEARCH, part)) for part in one_by_one]
        for part, done in self._each(definitions, SEARCH, named, self._seconds) if one_by_one else ():
            if isinstance(done, str):
                raise NoDefinitions(
                    f"{shown(part.source.name)}: its CustomResourceDefinitions are unknown: {done}, or "
                    "ignore definitions with --no-definitions"
                )
            found += done
        return known(found)

    def missing(self, spec: CheckSpec, groups: Sequence[ClusterGroup]) -> Iterator[Any]:
        """The rows of missing objects, as record batches, in the order of the groups."""
        early: dict[ClusterGroup, list[Any]] = {}
        found = self._each(missing, spec, [(one, str(at)) for at, one in enumerate(groups)], self._seconds)
        for group in groups:
            while group not in early:
                one, done = next(found)
                if isinstance(done, str):
                    raise MissingUnknown(f"missing objects are unknown: {done}")
                early[one] = done
            yield from early.pop(group)

    def _spec_on_workers(self, spec: CheckSpec) -> Any:
        """A check on the workers, sent once."""
        if self._sent is None or self._sent[0] is not spec:
            self._sent = spec, self._client.submit(_identity, spec, pure=False)  # computed again if its worker dies
        return self._sent[1]

    def _each(
        self, function: Callable[..., Any], spec: CheckSpec, named: Sequence[tuple[T, str]], *more: Any
    ) -> Iterator[tuple[T, Any]]:
        """Yield each piece of work with its result or the reason for its failure. Raise errors that affect all.

        `named` has each piece with a unique name, which is part of its task's name.
        """
        given = self._spec_on_workers(spec)

        def begun(piece: T, name: str, attempt: int) -> Any:
            task = f"fleet-{function.__name__}-{name}-{attempt}-{self._run}"
            return self._client.submit(function, given, piece, *more, key=task, pure=False, retries=_RETRIES)

        futures = {begun(piece, name, 1): (piece, name, 1) for piece, name in named}
        finished = library("distributed").as_completed(futures)
        for future in as_completed_by_workers(self._client, finished):
            if future.status in _RECOMPUTED:
                finished.add(future)
                continue
            piece, name, attempt = futures.pop(future)
            error = future.exception() if future.status == "error" else None
            if isinstance(error, (BadFolder, StartFailed)):
                raise error
            if _lost_workers(error) and attempt < _ATTEMPTS:
                again = begun(piece, name, attempt + 1)
                futures[again] = piece, name, attempt + 1
                finished.add(again)
            else:
                yield piece, future.result() if future.status == "finished" else _failure_reason(error, future.status)
            future.release()


def _search_groups(parts: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """Groups of parts. One task searches a group for definitions."""
    held: list[Part] = []
    weight = 0
    for part in parts:
        if held and weight + part.weight > _SEARCH_BYTES:
            yield tuple(held)
            held, weight = [], 0
        held.append(part)
        weight += part.weight
    if held:
        yield tuple(held)


def _identity(spec: CheckSpec) -> CheckSpec:
    return spec


def _lost_workers(error: BaseException | None) -> bool:
    return type(error).__name__ == "KilledWorker"


def _failure_reason(error: BaseException | None, status: str) -> str:
    """The reason for a part's failure, with the fix: the next run checks only the missing parts."""
    if _lost_workers(error):
        return f"its workers crashed repeatedly, with any object. Check their logs, and {_ADVICE}"
    name = type(error).__name__ if error else status
    why = (str(error) or name) if isinstance(error, (MergeError, OSError)) else f"processing was aborted ({name})"
    return why if _ADVICE in why.lower() else f"{why}. {_ADVICE.capitalize()}"


@contextmanager
def workers(where: SchedulerLocation) -> Iterator[Workers]:
    """The workers for a run; local ones are stopped afterwards."""
    with scheduled(where) if where.scheduler else local(where) as client:
        yield Workers(client, where.seconds)
