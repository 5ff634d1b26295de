"""Threads that share the engine's shareable objects, in every Python here, above all one without a global lock."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from kubemerge.cluster import Conflict, Reference, open_cluster

from ..conftest import ROOT
from ..kubemerge.objects import config_map
from .trial import insist

if TYPE_CHECKING:
    from pathlib import Path

    from .trial import Trial, Tried

FREE = ("python3.13t", "python3.14t", "python3.15t", "python3.13-nogil", "python3.14-nogil")
"""Names of the programs of a Python without a global lock."""
ROUNDS = 12
WRITERS, WRITES = 8, 40


def attack(trial: Trial) -> Tried:
    """Run the threads by each Python."""
    rounds = trial.often(ROUNDS)
    for python in [sys.executable, *free_threaded()]:
        done = subprocess.run(
            [python, "-m", "tests.attack.in_threads", str(rounds)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        insist(done.returncode == 0, f"threads of {python} come to another result: {done.stderr[-2000:]}")
        yield f"computations in threads by {python}", int(done.stdout)
    if not free_threaded():
        yield f"SKIPPED: no Python without a global lock is here (none of {', '.join(FREE)})", 0
    writes = trial.often(WRITES)
    _one_cluster(trial.new_folder(), writes)
    yield f"writes by {WRITERS} threads to one open cluster", WRITERS * writes


def free_threaded() -> list[str]:
    """The Pythons without a global lock on this machine."""
    return [found for name in FREE if (found := shutil.which(name))]


def _one_cluster(folder: Path, times: int) -> None:
    """Each thread increments a counter in the same object, and no count is lost."""
    reference = Reference("v1", "ConfigMap", "counter")
    with open_cluster(str(folder / "c.db")) as cluster:
        cluster.create(config_map("counter", {"count": "0"}))

        def count() -> None:
            for _ in range(times):
                while True:
                    live = cluster.get(reference)
                    live["data"]["count"] = str(int(live["data"]["count"]) + 1)
                    try:
                        cluster.replace(live)
                    except Conflict:
                        continue
                    break

        threads = [threading.Thread(target=count) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = int(cluster.get(reference)["data"]["count"])
        insist(found == WRITERS * times, f"{found} of {WRITERS * times} writes are left")
