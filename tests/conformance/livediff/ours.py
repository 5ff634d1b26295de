"""kubemerge's responses about the same configs and live objects, read from files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from ..ownership.real.kinds import CRDS, RELEASE
from .kubectl import external, key_of, sides

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .batch import Case
    from .kubectl import DiffSides

    Object = dict[str, Any]
    Facts = list[dict[str, Any]]

REFUSED = re.compile(r"^(\S+): the API server would reject this: (.*)$", re.MULTILINE)


class Answers(NamedTuple):
    """The output of the commands for each case, by its id. A case that is missing has failed."""

    diff: dict[int, DiffSides]
    diff_facts: dict[int, Facts]
    merged: dict[int, Object]
    why: dict[int, Facts]
    drift: dict[int, Facts] | None
    """None if fleets were left out."""
    refused: dict[int, str]
    """The rejection that `diff` predicts, or its error."""
    errors: str


def answers(cases: Sequence[Case], folder: Path, *, fleet: bool = True) -> Answers:
    """Run every command once on all cases."""
    configs, live = _written(cases, folder)
    ids = {key_of(case["config"]): case["id"] for case in cases}
    titles = {_title(case): case["id"] for case in cases}
    common = ["-f", str(configs), "--live", str(live), *_rules()]
    shown = _run(["diff", *common], **external(folder / "ours"))
    facts = _run(["diff", "-o", "json", *common])
    merged = _run(["merge", "-o", "json", *common])
    why = _run(["why", "--changed", "-o", "json", *common])
    return Answers(
        {ids[key]: both for key, both in sides(folder / "ours").items()},
        _by_title(json.loads(facts.stdout or "[]"), titles),
        {ids[key_of(one)]: one for one in _objects(merged.stdout)},
        _by_title(json.loads(why.stdout or "[]"), titles),
        _drift(cases, folder, configs, live) if fleet else None,
        _refused(shown.stderr, titles),
        shown.stderr,
    )


def _rules() -> list[str]:
    return ["--release", RELEASE, "--schema", str(CRDS)]


def _written(cases: Sequence[Case], folder: Path) -> tuple[Path, Path]:
    configs, live = folder / "configs", folder / "dump" / "cluster" / "live.json"
    configs.mkdir(parents=True, exist_ok=True)
    live.parent.mkdir(parents=True, exist_ok=True)
    for old in configs.glob("*"):
        old.unlink()
    for case in cases:
        (configs / f"p{case['id']}.json").write_text(json.dumps(case["config"]), encoding="utf-8")
    items = {"apiVersion": "v1", "kind": "List", "items": [case["live"] for case in cases]}
    live.write_text(json.dumps(items), encoding="utf-8")
    return configs, live


def _run(words: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kubemerge", *words]
    found = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})
    if "Traceback" in found.stderr:
        raise AssertionError(found.stderr)
    return found


def _title(case: Case) -> str:
    group = case["apiVersion"].rpartition("/")[0]
    return f"{case['kind'].lower()}{group and '.'}{group}/{case['config']['metadata']['name']}"


def _by_title(facts: Facts, titles: dict[str, int]) -> dict[int, Facts]:
    found: dict[int, Facts] = defaultdict(list)
    for fact in facts:
        found[titles[fact["object"]]].append(fact)
    return found


def _refused(stderr: str, titles: dict[str, int]) -> dict[int, str]:
    found = {titles[title]: why for title, why in REFUSED.findall(stderr)}
    for number, why in re.findall(r"^kubemerge: \S*/p(\d+)\.json\S* (.*)$", stderr, re.MULTILINE):
        found.setdefault(int(number), why)
    return found


def _objects(text: str) -> list[Object]:
    """The objects printed by `-o json`: a List, or one alone."""
    if not text.strip():
        return []
    content = json.loads(text)
    return list(content["items"]) if content["kind"] == "List" else [content]


def _drift(cases: Sequence[Case], folder: Path, configs: Path, live: Path) -> dict[int, Facts]:
    """The rows of `fleet drift` as facts."""
    import pyarrow.dataset

    out = folder / "drift"
    shutil.rmtree(out, ignore_errors=True)  # a run that fails leaves the rows of the one before
    words = ["fleet", "drift", str(live.parent.parent), "-f", str(configs), "--out", str(out), "--replace"]
    done = _run([*words, "--workers", "1", "--quiet", *_rules()])
    if done.returncode > 2:
        raise AssertionError(done.stderr)
    ids = {key_of(case["config"]): case["id"] for case in cases}
    found: dict[int, Facts] = defaultdict(list)
    for row in pyarrow.dataset.dataset(str(out)).to_table().to_pylist():
        if not row["kind"]:
            raise AssertionError(row["text"])
        values = {side: None if row[side] is None else json.loads(row[side]) for side in ("before", "after")}
        fact = {"path": row["path"], "action": row["what"], "reason": row["text"], **values}
        found[ids[row["kind"].lower(), row["name"]]].append(fact)
    return found
