"""The Dask cluster of a run: an existing one, or supervised local processes."""

from __future__ import annotations

import logging
import os
import threading
import time
import warnings
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError

from ..linting.pool import interrupts_blocked
from .extra import bytes_in, library

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOST_WORKERS = 20
"""Number of lost workers after which Dask gives up a part."""
_HEARTBEAT_TIMEOUT = "60 s"
"""Time without a heartbeat after which a worker is restarted."""
_LEAST_MEMORY = 192 << 20
"""Minimum memory in bytes that a worker and its child process need before they check their first object."""
_START_ATTEMPTS = 5
"""Number of attempts to start the workers, which may die during startup."""
_CHECK_SECONDS = 2
"""Seconds between two checks that all workers are alive."""
_FIRST_WORKER_SECONDS = 60
"""Seconds to wait for a scheduler's first worker."""
_NEW_WORKER_SECONDS = 300
"""Seconds to wait for a new worker when all are lost: starting a machine takes minutes."""
_POLL_SECONDS = 0.05
"""Seconds between two checks for finished parts."""
_KEPT = "Start the run again. Finished parts are kept"
_LOST = f"the scheduler stopped, or was restarted. {_KEPT}"
_GONE = {"closing", "closed", "failed"}
_NO_MONITORING = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1 s",
    "distributed.admin.system-monitor.interval": "10 s",
    "distributed.worker.memory.monitor-interval": "500 ms",
    "distributed.scheduler.work-stealing-interval": "1 s",
}
"""Settings that turn off or slow down Dask's monitoring, which took 6% of the time of two processors.

The last two settings matter for tasks of milliseconds. Our tasks take seconds, and `child_process` checks their memory.
"""
_ALL_SILENT = logging.CRITICAL + 1
"""A level above all messages: Dask logs a critical message if a worker dies before it is shut down."""


class NoScheduler(MergeError):
    """A scheduler that does not respond."""


class NoWorkers(MergeError):
    """Workers that do not start."""


class BadMemory(MergeError):
    """An amount of memory that is too small for workers."""


class SchedulerLocation(NamedTuple):
    """The processes to run on: those of a Dask cluster, or local ones."""

    scheduler: str | None = None
    workers: int = 1
    memory: str = "1GiB"
    """Memory limit of a local process, including the process that checks objects for it."""
    seconds: float = 30
    """Time limit for one object."""


@contextmanager
def scheduled(where: SchedulerLocation) -> Iterator[Any]:
    """Connect to an existing scheduler."""
    try:
        client = library("distributed").Client(where.scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise NoScheduler(f"the scheduler at {where.scheduler} does not respond: {error}") from None
    with _silent(), client:
        try:
            client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
        except TimeoutError:
            why = f"the scheduler at {where.scheduler} had no workers for {_FIRST_WORKER_SECONDS} seconds. "
            why += "Start workers first"
            raise NoWorkers(why) from None
        try:
            yield client
        except library("distributed.comm").CommClosedError:
            raise NoScheduler(_LOST) from None


@contextmanager
def local(where: SchedulerLocation) -> Iterator[Any]:
    """Start local processes and connect to them."""
    distributed, dask = library("distributed"), library("dask")
    memory = _bytes(where.memory)
    settings = {
        "distributed.scheduler.allowed-failures": _LOST_WORKERS,
        "distributed.scheduler.worker-ttl": _HEARTBEAT_TIMEOUT,
        "distributed.worker.daemon": True,
        **_NO_MONITORING,
    }
    with _quiet(), dask.config.set(settings), ExitStack() as stack:
        client = _started_client(stack, distributed, where.workers, memory)
        stack.enter_context(_lost_workers_replaced(client.cluster, where.workers))
        yield client


def as_completed_by_workers(client: Any, finished: Any) -> Iterator[Any]:
    """Yield futures as they finish; raise an error if all workers are lost and none returns."""
    looked = there = time.monotonic()
    while not finished.is_empty():
        if finished.has_ready():
            future = next(finished)
            if future.status == "cancelled":  # by the scheduler, because no code of ours cancels futures
                raise NoScheduler(_LOST)
            yield future
            there = time.monotonic()
            continue
        time.sleep(_POLL_SECONDS)
        now = time.monotonic()
        if now - looked < _CHECK_SECONDS:
            continue
        looked = now
        if _has_workers(client):
            there = now
        elif now - there > _NEW_WORKER_SECONDS:
            raise NoWorkers(f"there were no workers for {_NEW_WORKER_SECONDS} seconds. Check why they stopped. {_KEPT}")


def _has_workers(client: Any) -> bool:
    try:
        return bool(client.nthreads())
    except (OSError, TimeoutError):
        return False


def _started_client(stack: ExitStack, distributed: Any, count: int, memory: int) -> Any:
    """Start a cluster with a client. The stack closes both, also if the run is interrupted before this returns.

    With Python 3.14, a cluster that never had a client fails to close.
    """
    for _ in range(_START_ATTEMPTS):
        try:
            with _ignoring_interrupts():
                cluster = distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    processes=True,
                    memory_limit=memory,
                    dashboard_address=None,
                    security=distributed.Security.temporary(),  # a scheduler runs any code that it receives
                    silence_logs=_ALL_SILENT,
                )
                return stack.enter_context(distributed.Client(stack.enter_context(cluster)))
        except RuntimeError as error:
            why = error
    raise NoWorkers(f"the workers do not start: {str(why).rstrip('.')}. Increase --memory, or reduce --workers")


@contextmanager
def _lost_workers_replaced(cluster: Any, count: int) -> Iterator[None]:
    """Replace workers that Dask does not restart, such as those that die during startup."""
    over = threading.Event()

    def keep() -> None:
        while not over.wait(_CHECK_SECONDS):
            cluster.loop.add_callback(_replace_lost_workers, cluster, count)

    keeper = threading.Thread(target=keep, daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()


def _replace_lost_workers(cluster: Any, count: int) -> None:
    if cluster.status.name == "running":
        for name, worker in [*cluster.workers.items()]:
            if worker.status.name in _GONE:
                del cluster.workers[name]
        cluster.scale(count)


@contextmanager
def _quiet() -> Iterator[None]:
    """Ignore Dask's warnings, which must not stop a run."""
    with _silent(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _silent() -> Iterator[None]:
    """Suppress Dask's log messages about its shutdown, which are of no use."""
    with ExitStack() as stack:
        for logger in map(logging.getLogger, ("distributed", "distributed.client")):
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(_ALL_SILENT)
        yield


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, including those that Dask starts with them."""
    if os.name == "posix":
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # a tracker started later would not ignore Ctrl-C
    with interrupts_blocked():
        yield


def _bytes(memory: str) -> int:
    found = bytes_in(memory)
    if found is None:
        raise BadMemory(f"--memory: {memory!r} is not a size. Write it as 1GiB or 800MiB")
    if found < _LEAST_MEMORY:
        raise BadMemory(f"--memory: {memory} is too little to start a worker. Use at least {_LEAST_MEMORY >> 20}MiB")
    return found
