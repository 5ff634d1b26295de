"""Benchmark of the fleet engines: `python -m benchmarks.fleet [--objects 1000000]`.

It generates a fleet of clusters of 20,000 objects and compares it with its config. A plain loop and each engine process
a sample, Dask and Spark the whole fleet. All engines must return the same rows. Spark and Ray run where they are
installed (`pip install -e '.[ray,spark]'`; Spark needs Java).
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .engines import ENGINES, WORKERS, EngineInput, digest
from .process_memory import run_and_measure
from .sample_fleet import Fleet, write_fleet

EACH = 20_000
SHARE, TIMES, MEMORY = 0.85, 1.9, 400
ASKED = ("dask", "spark")
"""Targets of these engines: a worker's rate relative to a plain loop, the speed-up of two workers, MiB of any worker.
"""
OVERHEAD = 0.05
"""The share of all processor time that Dask may spend outside of the processes that check objects, at most: two workers
do 1.9 of one if no more is lost. It is the figure to trust on a busy machine."""
NEEDED = {"spark": "pyspark", "ray": "ray"}


class RunResult(NamedTuple):
    engine: str
    workers: int
    objects: int
    seconds: float
    peak: int
    rows: int
    digest: str
    overhead: float

    @property
    def rate(self) -> float:
        """Objects per second and worker."""
        return self.objects / self.seconds / self.workers

    def __str__(self) -> str:
        together = self.rate * self.workers
        about = f"{self.engine:8}{self.workers:8}{self.objects:11,}{self.seconds:10.1f}{together:12,.0f}"
        return f"{about}{self.rate:14,.0f}{self.peak:12}{self.rows:11,}"


HEAD = (
    f"{'engine':8}{'workers':>8}{'objects':>11}{'seconds':>10}{'a second':>12}{'a worker':>14}{'MiB':>12}{'rows':>11}"
)


def main() -> int:
    """Generate, run, print; return 1 if a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet", description=__doc__.partition("\n")[0])
    parser.add_argument("--objects", type=int, default=1_000_000)
    parser.add_argument(
        "--sample", type=int, default=100_000, help="how many objects the plain loop and single workers do"
    )
    parser.add_argument("--engines", default="plain,dask,spark,ray", help="which; all by default")
    parser.add_argument("--folder", type=Path, help="where the fleet is, or is to be; it is kept")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        return _one(asked.folder, *asked.one)
    with tempfile.TemporaryDirectory(prefix="kubemerge-fleet-") as own:
        return _all(asked, asked.folder or Path(own))


def _fleet(folder: Path, objects: int) -> Fleet:
    each = min(EACH, objects)
    return Fleet(folder, -(-objects // each), each)


def _all(asked: argparse.Namespace, folder: Path) -> int:
    fleet = _fleet(folder, asked.objects)
    if not all(path.exists() for path in (fleet.config, *fleet.dumps(fleet.clusters))):
        print(f"drawing {fleet.clusters} clusters of {fleet.objects:,} objects", flush=True)
        write_fleet(fleet)
    sample = max(1, asked.sample // fleet.objects)
    print(HEAD, flush=True)
    found = []
    for engine, workers, clusters in _runs(asked.engines.split(","), sample, fleet.clusters):
        found.append(_figures(fleet, engine, workers, clusters))
        print(found[-1], flush=True)
    return _compare_runs(found)


def _runs(engines: list[str], sample: int, whole: int) -> list[tuple[str, int, int]]:
    for engine in [one for one in engines if not _there(one)]:
        print(f"without {engine}: it is not installed")
    there = [one for one in engines if _there(one)]
    small = [(one, workers, sample) for one in there for workers in ((1,) if one == "plain" else (1, 2))]
    large = [(one, workers, whole) for one in there if one in ASKED for workers in (1, 2)]
    return small + large if whole > sample else small


def _there(engine: str) -> bool:
    if engine == "spark" and shutil.which("java") is None:
        return False
    return engine not in NEEDED or find_spec(NEEDED[engine]) is not None


def _figures(fleet: Fleet, engine: str, workers: int, clusters: int) -> RunResult:
    command = [sys.executable, "-m", "benchmarks.fleet", "--folder", str(fleet.folder)]
    objects = clusters * fleet.objects
    done = run_and_measure([*command, "--one", engine, str(workers), str(objects)], WORKERS[engine])
    if done.code:
        raise SystemExit(f"{engine} failed with {done.code}")
    seconds, rows, rows_digest = json.loads(done.output.splitlines()[-1])
    return RunResult(engine, workers, objects, seconds, done.peak, rows, rows_digest, done.overhead)


def _one(folder: Path, engine: str, workers: str, objects: str) -> int:
    fleet = _fleet(folder, int(objects))
    with tempfile.TemporaryDirectory(prefix="kubemerge-fleet-") as out:
        given = EngineInput(fleet.dumps(fleet.clusters), fleet.config, int(workers), Path(out))
        began = time.perf_counter()
        done = ENGINES[engine](given)
        seconds = time.perf_counter() - began
        # The source position of a row is left out: Spark does not return it.
        print(json.dumps([seconds, done.rows, digest(done.rest(), without="source")]))
    return 0


def _compare_runs(found: list[RunResult]) -> int:
    """Print the results of the runs side by side; return 1 if a target was missed or rows differ."""
    missed = 0
    for objects in sorted({one.objects for one in found}):
        same = {one.digest for one in found if one.objects == objects}
        missed += len(same) > 1
        print(f"{objects:,} objects: the rows of all runs are {'the same' if len(same) == 1 else 'NOT THE SAME'}")
    loop = next((one for one in found if one.engine == "plain"), None)
    for name in ("dask", "spark", "ray"):
        mine = [one for one in found if one.engine == name]
        runs = {one.workers: one for one in mine if one.objects == max(other.objects for other in mine)}
        for workers, one in runs.items():
            share = one.rate / loop.rate if loop else 1
            missed += (name in ASKED and share < SHARE) + (one.peak >= MEMORY)
            print(f"{name} with {workers}: {share:.2f} of a plain loop for each worker, {one.peak} MiB")
        if len(runs) == 2:
            times = 2 * runs[2].rate / runs[1].rate
            missed += name in ASKED and times < TIMES
            print(f"{name}: two workers do {times:.2f} of what one does")
        if name == "dask" and len(runs) == 2:
            missed += runs[2].overhead > OVERHEAD
            print(f"{name}: {runs[2].overhead:.1%} of the processor time is not for objects")
    print(f"{missed} targets missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
