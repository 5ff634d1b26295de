"""The embedded cluster beside a real API server on spoilt objects of every built-in kind; what differs is printed.

`python -m tests.conformance.kinds --count 200 --seed 1` counts objects to begin with; each makes about ten questions.
The server is that of KUBECONFIG. Objects are created in it and deleted again, so it should be one that is thrown away.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ..ownership.real.server import Server, ServerUnavailable
from .ask import asked
from .judge import differences, ours

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Asks, compares and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.kinds", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many objects to begin with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="how many differences are printed")
    parser.add_argument("--only", default="", help="kinds, with commas between them")
    parser.add_argument("--keep", help="a file for all questions and answers")
    chosen = parser.parse_args(arguments)
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    seen: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for number in range(chosen.count):
        for case in asked(server, chosen.seed * 1_000_000 + number, chosen.only):
            seen[case["kind"]] += 1
            if chosen.keep:
                with Path(chosen.keep).open("a", encoding="utf-8") as file:
                    file.write(json.dumps(case) + "\n")
            found = differences(case, ours(case))
            if found:
                different[case["kind"]] += 1
                if sum(different.values()) <= chosen.show:
                    print(f"--- {case['kind']} {case['do']}", *found[:8], sep="\n")
    for kind, times in sorted(seen.items()):
        print(f"{kind}: {times} questions, {different[kind]} differences")
    print(f"{sum(seen.values())} questions, {sum(different.values())} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
