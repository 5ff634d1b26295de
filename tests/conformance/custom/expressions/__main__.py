"""Compare random rules: `python -m tests.conformance.custom.expressions 1000 [seed]`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from random import Random
from typing import Any

from .draw import case
from .oracle import answers
from .ours import comparable, said


def main(count: int, seed: int) -> int:
    """Print the differences, and how many rules agree. The result is the number of differences."""
    cases = [case(Random(f"{seed} {number}")) for number in range(count)]
    tally: Counter[str] = Counter()
    different = 0
    asked = ({"op": "rules", **each} for each in cases)
    for number, (one, answer) in enumerate(zip(cases, answers(asked), strict=True)):
        if "rules" not in answer:
            tally["failed there"] += 1
            continue
        for rule, there, here in zip(
            one["schema"]["x-kubernetes-validations"], answer["rules"], _ours(one), strict=True
        ):
            theirs, mine = comparable(there), comparable(here)
            tally["rules"] += 1
            tally["compiled"] += "error" not in theirs
            wrong = [key for key in {**theirs, **mine} if theirs.get(key) != mine.get(key)]
            tally.update(f"different {key}" for key in wrong)
            if wrong:
                different += 1
                shown = {key: (theirs.get(key), mine.get(key)) for key in wrong}
                print(json.dumps({"rule": rule, "different": shown, "case": number}, ensure_ascii=False))
                if len(sys.argv) > 3:
                    print("   ", json.dumps(one))
    print(dict(tally), "different", different)
    return different


def _ours(one: dict[str, Any]) -> list[dict[str, Any]]:
    return said(one)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0) > 0)
