"""Damages the engine and the API server at random sites, one at a time, and prints those that no test notices.

`python -m tests.mutation --seed 1` ends with 1 if the tests find too few of those that matter: see `SUBJECTS`.
`--only engine/values --only kubemerge/apiserver/cel` takes sites of some modules; `--tests tests/engine/values` runs
some of the tests. `--baselines FOLDER` keeps the lines that each test runs for the next run. `equivalent.yaml` has the
sites that no test can notice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from ..conftest import ROOT
from .baseline import Baseline
from .drawing import SUBJECTS, Subject, drawn, known_equivalents
from .running import copies_of_the_repository, measured, survivors


def main() -> int:
    """Try the sites of each package, and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, help="instead of the numbers in SUBJECTS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--tests", action="append", default=[])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--baselines", type=Path, help="a folder in which they are kept, and read if they are there")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds of tests to run for one site at most")
    options = parser.parse_args()
    return max([_tried(subject, options) for subject in SUBJECTS if subject.sources(options.only)], default=2)


def _tried(subject: Subject, options: argparse.Namespace) -> int:
    equivalent = known_equivalents()
    every = drawn(subject.sources(options.only), options.sites or subject.sites, options.seed)
    found = [site for site in every if site.key not in equivalent]
    tests = options.tests or subject.tests
    if options.baselines:
        options.baselines.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copies = copies_of_the_repository(ROOT, Path(folder), options.workers)
        kept = options.baselines and options.baselines / subject.folder.replace("/", ".")
        baseline = Baseline.read(kept) if kept and kept.exists() else measured(copies[0], subject.folder, tests)
        if kept:
            baseline.write(kept)
        alive = survivors(copies, {site: baseline.chosen(site, options.seconds) for site in found}, baseline)
    rate = 1 - len(alive) / len(found) if found else 1.0
    print(f"{subject.folder}: {len(found) - len(alive)} of {len(found)} killed: {rate:.1%}", flush=True)
    return 0 if rate >= subject.wanted else 1


if __name__ == "__main__":
    sys.exit(main())
