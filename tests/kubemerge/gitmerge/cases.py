"""The recorded merges: `python -m tests.kubemerge.gitmerge.cases` records the results again, for review as a diff."""

from __future__ import annotations

import difflib
import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kubemerge.gitmerge.definitions import Definitions
from kubemerge.gitmerge.merge import Style, merge
from kubemerge.gitmerge.tree import NotEditable

FILE = Path(__file__).with_name("cases.yaml")
LOOKUP = Definitions(at=None)


class Texts(NamedTuple):
    """The three versions of a file."""

    base: bytes
    ours: bytes
    theirs: bytes


def load() -> list[dict[str, Any]]:
    """The cases, each with its base text."""
    found = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return [{**case, "base": found["bases"].get(case["base"], case["base"])} for case in found["cases"]]


def texts(case: dict[str, Any]) -> Texts:
    """The versions of a case. Each side is the base after some replacements."""
    return Texts(case["base"].encode(), _replaced(case, "ours"), _replaced(case, "theirs"))


def _replaced(case: dict[str, Any], side: str) -> bytes:
    text: str = case["base"]
    for old, new in case[side]:
        assert old in text, f"{case['name']}: {old!r}"
        text = text.replace(old, new) if old != "" else new
    return text.encode()


def outcome(case: dict[str, Any]) -> dict[str, Any]:
    """The recorded part of a case: conflicts or the reason for a merge by line, and the lines unlike ours."""
    three = texts(case)
    try:
        found = merge(*three, LOOKUP, Style())
    except NotEditable as reason:
        return {"by_line": str(reason)}
    ours, merged = (data.decode().split("\n") for data in (three.ours, found.data))
    lines = list(difflib.unified_diff(ours, merged, lineterm="", n=1))[2:]
    return {"conflicts": list(found.conflicts), "changes": [line for line in lines if not line.startswith("@@")]}


def conflicts_of_git(case: dict[str, Any], folder: Path) -> int:
    """The number of conflicts of git's line merge."""
    names = [folder / name for name in ("ours", "base", "theirs")]
    three = texts(case)
    for name, data in zip(names, (three.ours, three.base, three.theirs), strict=True):
        name.write_bytes(data)
    return subprocess.run(["git", "merge-file", "-p", "-q", *names], check=False, capture_output=True).returncode


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(bases: dict[str, str], cases: list[dict[str, Any]]) -> str:
    lines = ["# Results are recorded by `python -m tests.kubemerge.gitmerge.cases`.", "bases:"]
    for name, text in bases.items():
        lines += [f"  {name}: |", *(f"    {line}" if line else "" for line in text.removesuffix("\n").split("\n"))]
    lines.append("cases:")
    for case in cases:
        lines += [f"- name: {_dumped(case['name'])}", f"  base: {_dumped(case['base'])}"]
        for key in ("ours", "theirs", "conflicts"):
            lines += [f"  {key}: {_dumped(case[key])}"] if key in case else []
        lines += [f"  {key}: {_dumped(case[key])}" for key in ("by_line", "git") if key in case]
        if "changes" in case:
            lines += (
                ["  changes:", *(f"  - {_dumped(line)}" for line in case["changes"])]
                if case["changes"]
                else ["  changes: []"]
            )
    return "\n".join(lines) + "\n"


def record() -> None:
    """Record the results of all cases."""
    import tempfile

    found = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    new = []
    for case in found["cases"]:
        full = {**case, "base": found["bases"].get(case["base"], case["base"])}
        with tempfile.TemporaryDirectory() as folder:
            git = conflicts_of_git(full, Path(folder))
        new.append({**{key: case[key] for key in ("name", "base", "ours", "theirs")}, **outcome(full), "git": git})
    FILE.write_text(_text(found["bases"], new), encoding="utf-8")


if __name__ == "__main__":
    record()
