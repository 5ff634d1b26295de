"""Random kills of `kubemerge fleet` workers: the rows must equal those of an undisturbed run.

`python -m benchmarks.fleet.kills --objects 200000 --runs 20` prints a line for each run, and exits with 1 if one
differs. Every run loses worker processes and their child processes. Every third run is killed itself and started again.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import psutil
from pyarrow import parquet

from .engines import digest
from .sample_fleet import Fleet, write_fleet

if TYPE_CHECKING:
    from collections.abc import Sequence

CLUSTERS = 10
LOOKING = "kubemerge.fleet.child_process.process"
WORKER = "spawn_main"


class KillCounts(NamedTuple):
    """The kills during a run."""

    workers: int
    processes: int
    """Killed child processes."""
    runs: int


def command(fleet: Fleet, out: Path, work: str, size: int) -> list[str]:
    dumps = str(fleet.folder / "dumps")
    words = ["fleet", work, dumps, "--out", str(out), "--workers", "2", "--part-size", str(size), "-o", "json"]
    config = ["-f", str(fleet.config)] if work in ("drift", "migrate") else []
    return [sys.executable, "-m", "kubemerge", *words, *config]


def rows(out: Path) -> tuple[int, str]:
    """The number of rows, and their hash in any order."""
    tables = [parquet.read_table(file) for file in out.glob("part-*.parquet")]
    return sum(one.num_rows for one in tables), digest(row for one in tables for row in one.to_pylist())


def _processes(run: psutil.Process) -> tuple[list[psutil.Process], list[psutil.Process]]:
    """The workers of a run, and their child processes."""
    workers, looking = [], []
    for one in run.children(recursive=True):
        try:
            words = " ".join(one.cmdline())
            if LOOKING in words:
                looking.append(one)
            elif WORKER in words and one.num_threads() > 3:
                workers.append(one)
        except psutil.Error:
            continue
    return workers, looking


def _kill(found: Sequence[psutil.Process], random: Random) -> int:
    try:
        random.choice(found).send_signal(signal.SIGKILL)
    except (psutil.Error, IndexError):
        return 0
    return 1


def run_with_kills(words: list[str], random: Random, pause: float, *, starts: int) -> tuple[KillCounts, int]:
    """Run a command while its processes are killed; return the kills and the exit code."""
    workers = processes = 0
    for left in range(starts - 1, -1, -1):
        run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        end = time.monotonic() + 2 * pause * random.random() + 4 if left else float("inf")
        while run.poll() is None and time.monotonic() < end:
            time.sleep(pause * (0.5 + random.random()))
            there = _processes(psutil.Process(run.pid)) if run.poll() is None else ([], [])
            if random.random() < 0.5:
                workers += _kill(there[0], random)
            else:
                processes += _kill(there[1], random)
        if run.poll() is None:
            run.kill()
        said = run.communicate()[1].decode()
        if not left and run.returncode not in (0, 1):
            sys.stderr.write(said)
    return KillCounts(workers, processes, starts - 1), run.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--work", choices=["drift", "lint", "owners", "migrate"], default="drift")
    parser.add_argument("--part-size", type=int, default=1 << 20)
    parser.add_argument("--pause", type=float, default=2, help="the seconds between two kills, about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for dumps and results; one for this time otherwise")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        return _runs(asked, asked.keep or Path(temporary))


def _runs(asked: argparse.Namespace, folder: Path) -> int:
    fleet = Fleet(folder, CLUSTERS, asked.objects // CLUSTERS)
    write_fleet(fleet)
    began = time.monotonic()
    words = command(fleet, folder / "calm", asked.work, asked.part_size)
    code = subprocess.call(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wanted, seconds = rows(folder / "calm"), time.monotonic() - began
    print(f"undisturbed: {wanted[0]} rows {wanted[1]} in {seconds:.0f} s, exit code {code}", flush=True)
    different = 0
    for number in range(1, asked.runs + 1):
        out = folder / f"run-{number}"
        began = time.monotonic()
        what, ended = run_with_kills(
            command(fleet, out, asked.work, asked.part_size),
            Random(f"{asked.seed}/{number}"),
            asked.pause,
            starts=1 if number % 3 else 2,
        )
        found = rows(out)
        names = [{one.name for one in (folder / where).iterdir()} for where in ("calm", f"run-{number}")]
        same = found == wanted and ended == code and names[0] == names[1]
        different += not same
        print(
            f"run {number}: {'the same' if same else 'DIFFERENT'}: {found[0]} rows {found[1]} in "
            f"{time.monotonic() - began:.0f} s, exit code {ended}; killed {what.workers} workers, {what.processes} "
            f"processes that look at objects, {what.runs} whole runs",
            flush=True,
        )
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
