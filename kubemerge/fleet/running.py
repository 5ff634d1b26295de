"""Running a work over the parts of a fleet on Dask: each part once, whatever becomes of the workers."""

from __future__ import annotations

import logging
import threading
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import MergeError

from .extra import library
from .partitions import run as rows_of
from .reading.items import batches
from .results import Results, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .reading.parts import Part
    from .works.base import Work
    from .works.table import Asked

    Told = Callable[[Part | None, int], None]

_DEATHS = 20
"""How many workers a part may lose before it counts as what kills them."""
_RETRIES = 2
"""How often a part is begun again after an error, as of the network."""
_here = threading.local()
"""The work that this thread is doing; a worker keeps it from one part to the next."""


class NoScheduler(MergeError):
    """A scheduler that does not answer."""


class Where(NamedTuple):
    """On which processes to run: those of a Dask cluster, or own ones."""

    scheduler: str | None = None
    workers: int = 1
    memory: str = "1GiB"
    """What one of the own processes may use before it is begun anew."""


def do(asked: Asked, part: Part, folder: str) -> Written:
    """Look at one part, and write what is found."""
    work = _work(asked)
    work.begin()
    return Results(folder).write(part.key(asked.about), rows_of(work, batches(part)), work)


def _work(asked: Asked) -> Work:
    if getattr(_here, "about", None) != asked.about:
        engine.accelerate()  # this process is ours
        _here.work, _here.about = asked.made(), asked.about
    work: Work = _here.work
    return work


def run(asked: Asked, parts: Sequence[Part], folder: str, where: Where, told: Told) -> list[tuple[Part, str]]:
    """Run a work over these parts; those that could not be finished, and why.

    `told` is called with each part that is finished, and how many objects it had.
    """
    with _client(where) as client:
        given = client.submit(_same, asked, pure=False)  # computed again if the worker that holds it dies
        futures = {
            client.submit(
                do, given, part, folder, key=f"fleet-{part.key(asked.about)}", pure=False, retries=_RETRIES
            ): part
            for part in parts
        }
        failed = []
        for future in library("distributed").as_completed(futures):
            part = futures[future]
            if future.status == "finished":
                told(part, future.result().objects)
            else:
                told(part, 0)
                failed.append((part, _why(future)))
            future.release()
    return failed


def _same(asked: Asked) -> Asked:
    return asked


def _why(future: Any) -> str:
    error = future.exception() if future.status == "error" else None
    if isinstance(error, (MergeError, OSError)):
        return str(error)
    if type(error).__name__ == "KilledWorker":
        return f"{_DEATHS} workers died of it; give them more --memory, or look at the file"
    return f"it was given up ({type(error).__name__ if error else future.status})"


@contextmanager
def _no_warnings() -> Iterator[None]:
    """What Dask warns of on its way does not stop a run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _client(where: Where) -> Iterator[Any]:
    distributed, dask = library("distributed"), library("dask")
    if where.scheduler:
        try:
            client = distributed.Client(where.scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise NoScheduler(f"the scheduler at {where.scheduler} does not answer: {error}") from None
        with client:
            yield client
        return
    settings = {"distributed.scheduler.allowed-failures": _DEATHS, "distributed.worker.daemon": True}
    with (
        _no_warnings(),
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=where.workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=where.memory,
            dashboard_address=None,
            security=_security(distributed),
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _security(distributed: Any) -> Any:
    """What keeps others on this machine out: a scheduler runs what it is sent."""
    return distributed.Security.temporary()
