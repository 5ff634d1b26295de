"""Damages the engine at random sites, one at a time, and says which of them no test notices.

`python -m tests.mutation --sites 100 --seed 1` ends with 1 if the tests find less than 95 % of those that matter.
`--only engine/values` takes sites of some modules; `--tests tests/engine/values` runs some of the tests.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from ..conftest import ROOT
from .drawing import drawn, known_equivalents
from .running import Baseline, copy_of_the_repository, measured, survivors

WANTED = 0.95


def main() -> int:
    """Try the sites, and print the rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--tests", action="append", default=[])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--baseline", type=Path, help="kept in this file, and read from it if it is there")
    parser.add_argument("--most", type=int, default=1_000_000, help="tests to run for one site at most")
    options = parser.parse_args()
    equivalent = known_equivalents()
    found = [site for site in drawn(options.only, options.sites, options.seed) if site.key not in equivalent]
    tests = options.tests or ["tests/engine"]
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_the_repository(ROOT, Path(folder))
        known = options.baseline and options.baseline.exists()
        baseline = Baseline.read(options.baseline) if known else measured(copy, tests)
        if options.baseline:
            baseline.write(options.baseline)
        baseline.most = options.most
        alive = survivors(copy, found, baseline, tests, options.workers)
    rate = 1 - len(alive) / len(found) if found else 1.0
    print(f"{len(found) - len(alive)} of {len(found)} killed: {rate:.1%}")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
