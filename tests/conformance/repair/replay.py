"""Recorded scenarios, and a choice of them for the fast test."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

from ..livediff.changes import changes, words
from ..livediff.drawn import DRAWN, DrawnValues
from .judge import plain
from .ours import repaired

Case = dict[str, Any]
RECORDED = Path(__file__).parent / "recorded.jsonl.gz"
MOST = 16
"""The number of recorded scenarios."""
LONGEST = 6000
"""The maximum length of a recorded live object as JSON."""
LONGEST_PATCH = 500
"""The maximum length of its patch: each part is a request to the in-memory server."""


def recorded() -> list[Case]:
    """The recorded scenarios."""
    return [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).decode().splitlines()]


def differences(case: Case) -> list[str]:
    """How the repair differs from the recorded one, and its prediction from the object on the real server."""
    found = repaired(case)
    ours = {
        "state": found.state,
        "paths": {field.path: field.repair for field in found.fields},
        "patch": found.patch.body if found.patch else None,
        "type": found.patch.type if found.patch else "no",
    }
    lines = [f"{name}: {ours[name]!r} instead of {case[name]!r}" for name in ours if ours[name] != case[name]]
    if found.after is not None:
        drawn = DrawnValues({"live": case["live"], "config": case["config"]})
        both = (plain(drawn.marked(one)) for one in (case["after"], found.after))
        lines += [f"{one[0]}: {words(one[1:])}" for one in changes(*both) if one[1] != [DRAWN]]
    return lines


def choose(file: Path) -> int:
    """Pick scenarios without faults that cover different states, patches, tools and kinds, the smallest first."""
    cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    cases = [one for one in cases if not one["faults"] and len(json.dumps(one["live"])) < LONGEST]
    cases = [one for one in cases if len(json.dumps(one["patch"])) < LONGEST_PATCH]
    cases.sort(key=lambda one: len(json.dumps(one)))
    seen: Counter[str] = Counter()
    picked: list[Case] = []
    while cases and len(picked) < MOST:
        best = max(cases, key=lambda one: sum(not seen[mark] for mark in _marks(one)))
        cases.remove(best)
        if differences(best):
            continue
        seen.update(_marks(best))
        picked.append({name: best[name] for name in best if name != "faults"})
    text = "".join(json.dumps(one, sort_keys=True) + "\n" for one in picked)
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(picked)} scenarios, {RECORDED.stat().st_size // 1024} KiB")
    return 0


def _marks(case: Case) -> set[str]:
    """The features that a scenario covers."""
    repairs = {f"{case['server_side']} {one}" for one in case["paths"].values()}
    body = json.dumps(case["patch"])
    directives = {one for one in ("$patch", "$retainKeys", "$setElementOrder", "$deleteFrom", "null") if one in body}
    return {case["state"], f"{case['tool']} {case['server_side']} {case['type']}", case["kind"], *repairs, *directives}
