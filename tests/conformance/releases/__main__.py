"""Compare the embedded server with the recorded answers of real API servers, release by release.

`python -m tests.conformance.releases [--release 1.29] [--show 5] [--only warnings]` prints the numbers of objects and
differences. `python -m tests.conformance.releases.record` records them again.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from .cases import every
from .judge import differences, ours
from .record import recorded


def main() -> int:
    """Print the differences and their number."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.releases", description=__doc__)
    parser.add_argument("--release", default="", help="only this release")
    parser.add_argument("--show", type=int, default=0, help="the number of differences to print of a release")
    parser.add_argument("--only", default="", help="print only differences of warnings, stored, verdict or message")
    chosen = parser.parse_args()
    for release, answers in recorded().items():
        if chosen.release in ("", release):
            compare(release, answers, chosen.show, chosen.only)
    return 0


def compare(release: str, answers: dict[str, dict[str, object]], show: int, only: str) -> None:
    """Compare one release."""
    counts: Counter[str] = Counter()
    for case in every():
        real, own = answers.get(case.name), ours(case, release) if case.name in answers else None
        if real is None or own is None:
            continue
        found = differences(own, real)
        counts.update(["objects", *(["with warnings"] if real["warnings"] else ()), *found])
        counts.update(one.partition(":")[0] for one in found.get("warnings", ()))
        lines = [f"  {what}: {line}" for what, lines in found.items() if only in ("", what) for line in lines]
        if lines and show > 0:
            show -= 1
            print(f"{release} {case.name}", *lines, sep="\n")
    print(f"{release}: " + ", ".join(f"{number} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    sys.exit(main())
