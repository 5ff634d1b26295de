"""Compare random rules and definitions with the code of kube-apiserver.

`python -m tests.conformance.custom.expressions rules 1000 [seed]` compares costs, estimates and verdicts of rules;
`definitions 1000 [seed]` the problems of whole definitions; `record` writes the test cases again.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from random import Random
from typing import Any

from . import cases, draw, ours
from .oracle import answers


def rules(count: int, seed: int) -> int:
    """Print the differing rules and their number; return the number."""
    drawn = [draw.case(Random(f"{seed} {number}")) for number in range(count)]
    tally: Counter[str] = Counter()
    asked = ({"op": "rules", **each} for each in drawn)
    for number, (one, answer) in enumerate(zip(drawn, answers(asked), strict=True)):
        if "rules" not in answer:
            tally["failed there"] += 1
            continue
        listed = one["schema"]["x-kubernetes-validations"]
        for rule, there, here in zip(listed, answer["rules"], ours.said(one), strict=True):
            different = differences(ours.comparable(there), ours.comparable(here))
            tally["rules"] += 1
            tally["compiled"] += "error" not in there
            tally["different"] += bool(different)
            tally.update(f"different {key}" for key in different)
            if different:
                print(json.dumps({"rule": rule, "different": different, "case": number}, ensure_ascii=False))
    print(dict(tally))
    return tally["different"]


def differences(theirs: dict[str, Any], mine: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The differences between two responses."""
    keys = {**theirs, **mine}
    return {key: (theirs.get(key), mine.get(key)) for key in keys if theirs.get(key) != mine.get(key)}


def definitions(count: int, seed: int) -> int:
    """The same for the problems of whole definitions."""
    drawn = [draw.definition(Random(f"{seed} {number}")) for number in range(count)]
    tally: Counter[str] = Counter()
    asked = ({"op": "definition", "definition": each} for each in drawn)
    for number, (one, answer) in enumerate(zip(drawn, answers(asked), strict=True)):
        if "problems" not in answer:
            print(json.dumps({"case": number, "failed": answer}))
            continue
        theirs, mine = ours.without_names(answer["problems"]), ours.problems(one)
        tally["definitions"] += 1
        tally["accepted"] += not theirs
        tally["different verdict"] += bool(theirs) != bool(mine)
        if theirs != mine:
            tally["different"] += 1
            only = [each for each in theirs if each not in mine], [each for each in mine if each not in theirs]
            print(json.dumps({"case": number, "there": only[0], "here": only[1]}, ensure_ascii=False))
    print(dict(tally))
    return tally["different"]


def main(words: list[str]) -> int:
    """Compare or record."""
    if words[:1] == ["record"]:
        cases.record()
        return 0
    compare = {"rules": rules, "definitions": definitions}[words[0]]
    return int(compare(int(words[1]), int(words[2]) if len(words) > 2 else 0) > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
