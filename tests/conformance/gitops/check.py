"""Compare plans with recorded scenarios, and choose scenarios for the tests."""

from __future__ import annotations

import json
import re
import traceback
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..recordings import read_recorded, write_recorded
from .record import RECORDED
from .replay import differences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Object = dict[str, Any]
LONGEST = 20_000
"""Longer scenarios are left out."""
MOST = 500


def recorded(tool: str, file: Path | None = None) -> list[Object]:
    """The scenarios in a file of JSON Lines, or those of the tests."""
    if file is not None:
        with file.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    return [*read_recorded(RECORDED / f"{tool}.json.gz").get("cases", ())]


def check(tool: str, file: Path | None, show: int) -> int:
    """Print the differences. Return 1 if there are any."""
    cases = recorded(tool, file)
    differing = 0
    actions: Counter[str] = Counter()
    for case in cases:
        try:
            lines = differences(tool, case)
        except Exception:
            lines = traceback.format_exc().splitlines()[-4:]
        actions.update(case["result"].get("actions", {}).values() or ["error"])
        if lines:
            differing += 1
            if differing <= show:
                print(case["id"], case["kinds"], case["manners"], json.dumps(case["settings"]["spec"])[:300])
                print(*(f"    {line[:600]}" for line in lines[:8]), sep="\n")
    print(f"{tool}: {len(cases) - differing} of {len(cases)} scenarios are equal; {dict(actions)}")
    return int(bool(differing))


def choose(tool: str, files: Sequence[Path]) -> int:
    """Write the short scenarios of files as those of the tests. The fast ones have every action and setting."""
    cases = [case for file in files for case in recorded(tool, file) if len(json.dumps(case)) < LONGEST]
    cases.sort(key=lambda case: len(json.dumps(case)))
    seen: set[str] = set()
    fast = []
    for case in cases:
        traits = _traits(tool, case)
        if not traits <= seen and not differences(tool, case):
            seen |= traits
            fast.append(case["id"])
    wanted = {*fast, *[case["id"] for case in cases[:: len(cases) // MOST + 1]]}
    kept = sorted((case for case in cases if case["id"] in wanted), key=lambda case: int(case["id"]))
    write_recorded(RECORDED / f"{tool}.json.gz", {"fast": sorted(fast), "cases": kept})
    print(f"{tool}: {len(kept)} scenarios, {len(fast)} of them are fast")
    return 0


def _traits(tool: str, case: Object) -> set[str]:
    """The features of a scenario: settings, ways to write the object, and results."""
    found = {f"way {way}" for manners in case["manners"] for way in manners}
    text = json.dumps(case["configs"])
    found |= {f"mark {one}" for one in re.findall(r"(?:toolkit.fluxcd.io|argoproj.io)/[a-z-]+\W+\w+=?\w*", text)}
    result = case["result"]
    if tool == "flux":
        found |= {f"spec {key}" for key in case["settings"]["spec"]}
        found |= {f"action {one}" for one in result["actions"].values()}
        found |= {f"error {one}" for one in re.findall(r"(dry-run|apply|cleanup|immutable)", result.get("error", ""))}
    else:
        options = case["settings"]["spec"]["syncPolicy"]["syncOptions"]
        statuses = [f"{one['status']} {one['modified']}" for one in result["objects"] or ()]
        found |= {f"option {one} {status}" for one in options for status in statuses}
        found |= {f"stage {result.get('stage')}", *statuses}
        found |= {key for rule in case["settings"]["spec"].get("ignoreDifferences", ()) for key in rule}
    return found
