"""The cost of the tables: the time to import the engine and to walk a kind, the memory of a whole release.

Each figure is the best of several fresh processes, because a machine may be busy.
"""

from __future__ import annotations

import subprocess
import sys

RUNS = 7

IMPORT = """
import time; start = time.perf_counter()
import engine
print((time.perf_counter() - start) * 1000)
"""
WALK = """
import engine, time; start = time.perf_counter()
fields = sum(1 for _ in engine.load("1.37").schema("apps/v1", "Deployment").walk())
print((time.perf_counter() - start) * 1000)
"""
MEMORY = """
import engine, gc, tracemalloc
tracemalloc.start()
tables = engine.load("1.37")
for name in tables.definitions():
    for _ in tables.definition(name).type.fields.values():
        pass
gc.collect()
print(tracemalloc.get_traced_memory()[0] / 2**20)
"""
FIGURES = (
    ("import engine", IMPORT, "ms", 15.0),
    ("load 1.37 and walk every field of a Deployment", WALK, "ms", 60.0),
    ("memory when every type of 1.37 has been touched", MEMORY, "MiB", 10.0),
)


def best(program: str) -> float:
    """The lowest figure that the program prints in several processes."""
    runs = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in range(RUNS)
    )
    return min(float(run.stdout) for run in runs)


def main() -> None:
    """Print each figure beside its limit; exit with 1 if one is above it."""
    over = 0
    for what, program, unit, limit in FIGURES:
        figure = best(program)
        over += figure > limit
        print(f"{what:50} {figure:7.1f} {unit:4} (at most {limit:g}){'  OVER' if figure > limit else ''}")
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
