"""Attack the product, and print the number of tries of each attack.

`python -m tests.attack --seed 7` ends with 1 at the first loss, and names the files that reproduce it. `--only kills`
makes one of the attacks; `--times 0.1` makes a tenth of each.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .running import ATTACKS, run


def main() -> int:
    """Make the attacks, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS), metavar="NAME")
    parser.add_argument("--times", type=float, default=1.0, metavar="FACTOR")
    parser.add_argument("--losses", type=Path, default=Path("attack-losses"), metavar="FOLDER")
    options = parser.parse_args()
    return run(options.only, options.seed, options.times, options.losses)


if __name__ == "__main__":
    sys.exit(main())
