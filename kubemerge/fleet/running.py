"""Running a work over the parts of a fleet on Dask: each part once, whatever becomes of the workers."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from engine import MergeError

from ..apiserver.text.text import shown
from .apart.watching import Limits, NotBegun, rows
from .cluster import Where, attended, own, scheduled
from .extra import library
from .reading.items import may_hold
from .reading.sources import unchanged
from .results import BadFolder, Results, Tally, Written
from .rows import POISONED
from .works.definitions import MARK, Known, known
from .works.table import Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .reading.parts import Part

    Told = Callable[[Part | None, int], None]

_TURNS = 3
"""How often a part is begun that Dask has given up: other schedulers have less patience."""
_AGAIN = {"lost", "pending"}
"""What becomes of a result that is lost with the worker that held it: Dask does it again."""
_RETRIES = 2
"""How often a part is begun again after an error, as of the network."""
_WAY_OUT = "start the run again"
SEARCH = Asked("definitions", about="definitions")
"""The search for definitions, which is the same for all works."""


class NoDefinitions(MergeError):
    """A dump whose definitions could not be read."""


def do(asked: Asked, part: Part, folder: str, seconds: float) -> Written:
    """Look at one part, and write what is found."""
    tally, results, name = Tally(), Results(folder), key(asked, part)
    done = results.done(name)
    if done is not None and not done.killed:  # Dask asks again if a worker is lost that has told of it
        return done
    tally.request = request(asked, part)
    found = unchanged(part.source, rows(asked, part, Limits(seconds, _memory()), tally))
    return results.write(name, found, tally)


def key(asked: Asked, part: Part) -> str:
    """What names the result of a part."""
    return part.key(asked.about_of(whose(part)))


def request(asked: Asked, part: Part) -> str:
    """What names that a part is looked at by definitions, whichever are found then; empty if none are looked for."""
    return part.key(f"{asked.about} by definitions") if asked.searched else ""


def whose(part: Part) -> str | None:
    """The cluster of a part; None where a column may say another one for each object."""
    return None if part.source.form == "parquet" else part.source.cluster


def definitions(asked: Asked, part: Part, seconds: float) -> list[tuple[str, str, str]]:
    """The definitions in a part: of which cluster each is, its name, and its text.

    Where reading itself was given up, the next run may find more. Damage, and an object that is none, stay what they
    are, and are told when the part is looked at.
    """
    if not may_hold(part, MARK):
        return []
    tally = Tally()
    found = rows(asked, part, Limits(seconds, _memory()), tally)
    told = [row for batch in found for row in batch.to_pylist()]
    rest = next((one for one in told if one["what"] == POISONED and one["source"] == shown(part.source.name)), None)
    if rest and tally.killed:
        raise NoDefinitions(rest["text"])
    return [(one["cluster"], one["name"], one["after"]) for one in told if one["what"] == "definition"]


def _memory() -> int | None:
    """What this thread of a worker may use; None if there is no limit."""
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
        """What tells its tasks from those of other runs on the same scheduler, which may write elsewhere."""

    def run(self, asked: Asked, parts: Sequence[Part], folder: str, told: Told) -> list[tuple[Part, str]]:
        """Do a work on these parts; those that could not be finished, and why.

        `told` is called with each part that is finished, and how many objects it had.
        """
        failed = []
        for part, done in self._each(do, asked, parts, folder, self._seconds):
            told(part, done.objects if isinstance(done, Written) else 0)
            if isinstance(done, str):
                failed.append((part, done))
        return failed

    def known(self, parts: Sequence[Part]) -> Known:
        """The definitions in these parts. Without those of a part, more than the part would be looked at wrongly."""
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
        self, does: Callable[..., Any], asked: Asked, parts: Sequence[Part], *more: Any
    ) -> Iterator[tuple[Part, Any]]:
        """What becomes of each part, or in words why nothing does. What would meet all parts is raised."""
        given = self._client.submit(_same, asked, pure=False)  # computed again if the worker that holds it dies

        def begun(part: Part, turn: int) -> Any:
            name = f"fleet-{does.__name__}-{key(asked, part)}-{turn}-{self._run}"
            return self._client.submit(does, given, part, *more, key=name, pure=False, retries=_RETRIES)

        futures = {begun(part, 1): (part, 1) for part in parts}
        finished = library("distributed").as_completed(futures)
        for future in attended(self._client, finished):
            if future.status in _AGAIN:
                finished.add(future)
                continue
            part, turn = futures.pop(future)
            error = future.exception() if future.status == "error" else None
            if isinstance(error, (BadFolder, NotBegun)):
                raise error
            if _lost_workers(error) and turn < _TURNS:
                again = begun(part, turn + 1)
                futures[again] = part, turn + 1
                finished.add(again)
            else:
                yield part, future.result() if future.status == "finished" else _why(error, future.status)
            future.release()


def _same(asked: Asked) -> Asked:
    return asked


def _lost_workers(error: BaseException | None) -> bool:
    return type(error).__name__ == "KilledWorker"


def _why(error: BaseException | None, status: str) -> str:
    """Why nothing came of a part, and the way out: only the parts that are not there are done by the next run."""
    if _lost_workers(error):
        return f"its workers crashed repeatedly, with any object. Check their logs, and {_WAY_OUT}"
    name = type(error).__name__ if error else status
    why = (str(error) or name) if isinstance(error, (MergeError, OSError)) else f"processing was aborted ({name})"
    return why if _WAY_OUT in why.lower() else f"{why}. {_WAY_OUT.capitalize()}"


@contextmanager
def workers(where: Where) -> Iterator[Workers]:
    """The workers that a run is to use, which are gone afterwards if they are its own."""
    with scheduled(where) if where.scheduler else own(where) as client:
        yield Workers(client, where.seconds)
