"""Growth of the cost of commands and HTTP requests with the size of their input, as an exponent: 1 is linear.

`python -m benchmarks.growth` prints the steepest input of each command. It counts calls of functions, which no other
process disturbs. `--by instructions` counts instructions with valgrind, fifty times slower: they include quadratic work
inside one call, such as a search in a list. `--by seconds` measures processor time, five times faster: it finds such
work too, but depends on the machine, so rows that look steep are measured again. Exits with 1 if an exponent is above
the limit.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import resource
import subprocess
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tests.attack.costs import PAUSE, TOO_STEEP, calls, count_exponent
from tests.attack.growth_rows import ROWS

from .instructions import VALGRIND, instructions_of

if TYPE_CHECKING:
    from tests.attack.costs import Make

ROOT = Path(__file__).resolve().parent.parent
SIZES = (500, 8_000)
STEEPEST = 1.15
SECONDS = 900
"""Seconds of processor time for a row. A row that takes longer counts as too steep."""
ROUNDS = 4
"""How often the seconds of a row that looks steep are measured. The least time of each size counts."""
LEAST_SECONDS = 0.005
"""Less than this counts as this much: such a size is not measured well, and fast enough."""


def main() -> int:
    """Measure the chosen rows, and return 1 if one is too steep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="TEXT", help="parts of the names of rows")
    parser.add_argument("--sizes", nargs=2, type=int, default=SIZES, metavar="SIZE")
    parser.add_argument("--by", choices=("calls", "instructions", "seconds"), default="calls")
    parser.add_argument("--every", action="store_true", help="print every input, not only the steepest of each command")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--row", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.row:
        return _count(asked.row, asked.sizes, asked.by)
    names = [name for name in ROWS if all(part in name for part in asked.only)]
    too_steep = 0
    steepest: dict[str, tuple[float, str]] = {}
    with ThreadPoolExecutor(asked.workers) as pool:
        for name, found in zip(
            names, pool.map(lambda name: _exponent(name, asked.sizes, asked.by), names), strict=True
        ):
            too_steep += found > STEEPEST
            command, _, its_input = name.partition(" of " if " of " in name else ", ")
            steepest[command] = max(steepest.get(command, (0.0, "")), (found, its_input))
            if asked.every or found > STEEPEST:
                print(f"{name:76} {found:6.2f}{'  STEEP' if found > STEEPEST else ''}", flush=True)
    print(f"\n{'the steepest of each, by ' + asked.by:44} {asked.sizes[0]} to {asked.sizes[1]}")
    for command, (found, its_input) in steepest.items():
        print(f"{command:44} {found:6.2f}  {its_input}")
    print(f"{len(names)} rows, {too_steep} above {STEEPEST}")
    return 1 if too_steep else 0


def _exponent(name: str, sizes: tuple[int, int], by: str) -> float:
    """The exponent of one row, measured in a process of its own. Infinite if it takes too long or fails."""
    numbers = [str(size) for size in sizes]
    words = [sys.executable, "-m", "benchmarks.growth", "--row", name, "--by", by, "--sizes", *numbers]
    counts_instructions = by == "instructions"
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    ran = subprocess.run(
        [*VALGRIND, *words] if counts_instructions else words,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        print(f"{name}: {ran.stderr[-500:]}", file=sys.stderr)
        return float("inf")
    lines = [line.split("\t") for line in ran.stdout.splitlines() if line.startswith("COUNTED")]
    counts: dict[int, float] = {}
    of_process = instructions_of(ran.stderr)
    for _, process, size, is_called, count in lines:
        found = of_process[int(process)] if counts_instructions else float(count)
        counts[int(size)] = counts.get(int(size), 0) + (found if is_called == "1" else -found)
    return count_exponent(counts)


def _count(name: str, sizes: tuple[int, int], by: str) -> int:
    """Count one row in this process: a fork for each size, and for instructions another one without the call."""
    make = ROWS[name]
    make(2)()  # the first call imports modules
    if by == "seconds":
        for size, seconds in _seconds(make, sizes).items():
            print("COUNTED", os.getpid(), size, 1, seconds, sep="\t", flush=True)
        return 0
    for size in sizes:
        for is_called in (False, True) if by == "instructions" else (True,):
            process = os.fork()
            if not process:
                resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
                call = make(size)
                total = calls(call).total() if by == "calls" else 0
                if is_called and by == "instructions":
                    call()
                print("COUNTED", os.getpid(), size, int(is_called), total, sep="\t", flush=True)
                os._exit(0)
            _, status = os.waitpid(process, 0)
            if status:
                print(f"ended with status {status} at {size}", file=sys.stderr)
                return 1
    return 0


def _seconds(make: Make, sizes: tuple[int, int]) -> dict[int, float]:
    """The least processor time of each size."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    found = dict.fromkeys(sizes, math.inf)
    for _ in range(ROUNDS):
        for size, runs in zip(sizes, (3, 1), strict=True):
            for _ in range(runs):
                found[size] = min(found[size], max(_seconds_of(make, size), LEAST_SECONDS))
        if not STEEPEST < count_exponent(found) < TOO_STEEP:
            break
        time.sleep(PAUSE)
    return found


def _seconds_of(make: Make, size: int) -> float:
    """The processor time of a call in a fork, so that it finds nothing in the caches of another one."""
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        try:
            call = make(size)
            gc.collect()
            gc.disable()
            begun = time.process_time()
            call()
            os.write(writer, str(time.process_time() - begun).encode())
        except BaseException:  # the fork must not go on with the work of its parent
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="ascii") as answer:
        found = answer.read()
    os.waitpid(process, 0)
    if not found:
        sys.exit(f"no result for {size}")
    return float(found)


if __name__ == "__main__":
    sys.exit(main())
