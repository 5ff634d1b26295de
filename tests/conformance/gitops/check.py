"""Compare plans with recorded scenarios, and choose scenarios for the tests."""

from __future__ import annotations

import json
import traceback
from collections import Counter
from typing import TYPE_CHECKING, Any

from .record import RECORDED
from .replay import differences
from ..recordings import read_recorded, write_recorded

if TYPE_CHECKING:
    from pathlib import Path

Object = dict[str, Any]


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
        except Exception:  # noqa: BLE001 - each failure is printed
            lines = traceback.format_exc().splitlines()[-4:]
        actions.update(case["result"].get("actions", {}).values() or ["error"])
        if lines:
            differing += 1
            if differing <= show:
                print(case["id"], case["kinds"], case["manners"], json.dumps(case["settings"]["spec"])[:300])
                print(*(f"    {line[:600]}" for line in lines[:8]), sep="\n")
    print(f"{tool}: {len(cases) - differing} of {len(cases)} scenarios are equal; {dict(actions)}")
    return int(bool(differing))


def choose(tool: str, file: Path) -> int:
    """Write the scenarios of a file as those of the tests."""
    write_recorded(RECORDED / f"{tool}.json.gz", {"cases": recorded(tool, file)})
    return 0
