"""Merge random cases and print a summary: `python -m tests.conformance.gitmerge 10000 [START]`."""

from __future__ import annotations

import sys
from collections import Counter

from .run import outcome

if __name__ == "__main__":
    count, start = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seen: Counter[str] = Counter()
    for number in range(start, start + count):
        found = outcome(number)
        seen[found.how] += 1
        if found.problems:
            seen["with problems"] += 1
            sys.stdout.write(f"{number}: {found.problems}\n")
    sys.stdout.write(f"{dict(seen)}\n")
