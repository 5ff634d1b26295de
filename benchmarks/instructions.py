"""Instruction counts of each row of `vs_reference`, here and in an older commit.

`python -m benchmarks.instructions --base main~20` prints both counts and their ratio, and exits with 1 if a row takes
over 5 % more. Times vary by more than that on most machines. The counts of valgrind do not, but they do not include the
time of memory accesses.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .documents import works

ROOT = Path(__file__).resolve().parent.parent
MOST = 1.05
CALLS = {"ConfigMap": 200, "Service": 200, "Deployment, 8 KB": 40, "20 containers, 400 env": 6, "list of 1,000": 4}
"""The number of calls of a row; for the list of 10,000, only the growth is of interest."""
CALL = """
import os, sys
from benchmarks.documents import works
from benchmarks.vs_reference import measurements
work, = [work for work in works() if work.name == sys.argv[1]]
for row in measurements(work):
    row.call()
    for times in (0, int(sys.argv[2])):
        process = os.fork()
        if not process:
            for _ in range(times):
                row.call()
            os._exit(0)
        os.waitpid(process, 0)
        print("COUNTED", process, times, row.name, sep="\\t", flush=True)
"""
"""A fork for each row, and one without calls: Python starts only once, and the count before the calls is known."""
VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
_COUNT = re.compile(r"^==(\d+)== I\s+refs:\s+([\d,]+)", re.MULTILINE)


def main() -> int:
    """Count both trees, row by row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="main", help="the commit to compare with")
    parser.add_argument("--only", nargs="+", default=[], help="parts of the names of what to count")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    names = [work.name for work in works() if work.name in CALLS and _is_wanted(work.name, chosen.only)]
    slower = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.workers) as pool:
        base = Path(folder, "base")
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", base, chosen.base], cwd=ROOT, check=True)
        try:
            for name in names:
                before, now = pool.map(lambda tree, name=name: _instructions(tree, name), (base, ROOT))
                print(f"{name:32}{'before':>14}{'now':>14}{'ratio':>8}")
                for row in now:
                    if row in before:
                        slower += now[row] > MOST * before[row]
                        print(
                            f"  {row:30}{before[row]:14,.0f}{now[row]:14,.0f}{now[row] / before[row]:8.3f}", flush=True
                        )
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", base], cwd=ROOT, check=True)
    print(f"{slower} rows take over {MOST - 1:.0%} more")
    return 1 if slower else 0


def instructions_of(output: str) -> dict[int, int]:
    """The instructions of each process, from the output of valgrind."""
    return {int(process): int(count.replace(",", "")) for process, count in _COUNT.findall(output)}


def _is_wanted(name: str, parts: list[str]) -> bool:
    return not parts or any(part in name for part in parts)


def _instructions(tree: Path, name: str) -> dict[str, float]:
    """The instructions of one call of each row."""
    times = CALLS[name]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
    command = [*VALGRIND, sys.executable, "-c", CALL, name, str(times)]
    ran = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=True)
    of_process = instructions_of(ran.stderr)
    total: dict[str, int] = {}
    for line in ran.stdout.splitlines():
        if line.startswith("COUNTED"):
            _, process, calls, row = line.split("\t")
            found = of_process[int(process)]
            total[row] = found - total.get(row, 0) if int(calls) else found
    return {row: count / times for row, count in total.items()}


if __name__ == "__main__":
    sys.exit(main())
