"""Damages the engine at random sites, one at a time, and says which of them no test notices.

`python -m tests.mutation --sites 100 --seed 1` ends with 1 if the tests find less than 95 % of those that matter.
`--only engine/values` takes sites of some modules; `--tests tests/engine/values` runs some of the tests.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

import yaml

from ..conftest import ROOT
from .running import Baseline, copy_of_the_repository, measured, survivors
from .sites import Site, is_python, sites

ENGINE = ROOT / "engine"
WANTED = 0.95
EQUIVALENT = Path(__file__).with_name("equivalent.yaml")


def drawn(only: list[str], count: int, seed: int) -> list[Site]:
    """Random sites: first a line, then one of the changes that can be made there."""
    random = Random(seed)
    by_line: dict[tuple[str, int], list[Site]] = {}
    sources = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in ENGINE.rglob("*.py")}
    for name in sorted(sources):
        if not only or name.startswith(tuple(only)):
            for site in sites(name, sources[name]):
                by_line.setdefault((name, site.lines[1]), []).append(site)
    chosen = sorted(random.sample(sorted(by_line), min(count, len(by_line))))
    shuffled = (random.sample(by_line[line], len(by_line[line])) for line in chosen)
    fitting = (next((one for one in some if is_python(one.applied(sources[one.file]))), None) for some in shuffled)
    return [site for site in fitting if site]


def known_equivalents() -> dict[tuple[str, str, str], str]:
    """Changes that change nothing, with the reason."""
    rows = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8")) or []
    return {(row["function"], row["line"], row["change"]): row["reason"] for row in rows}


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
    for site in alive:
        print(f"survived {site.file}:{site.lines[1]} {site.function}: {site.change}\n    {site.line}")
    rate = 1 - len(alive) / len(found) if found else 1.0
    print(f"{len(found) - len(alive)} of {len(found)} killed: {rate:.1%}")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
