"""The scenarios, and the reproducible part of their output."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...conftest import read_yaml

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.jsonl"


@dataclass(frozen=True)
class Scenario:
    """A few commands in a folder with files, and the objects to compare after each of them."""

    name: str
    steps: list[str]
    objects: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """The files that the commands name."""
        for name, text in {**shared_files(), **self.files}.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Step:
    """A command line: its words, its environment, and the file that is its standard input."""

    words: list[str]
    env: dict[str, str]
    stdin: str | None

    @staticmethod
    def read(line: str) -> Step:
        """Parse a step: `VARIABLE=value command words < file`."""
        words = shlex.split(line)
        env: dict[str, str] = {}
        while re.match(r"[A-Z_]+=", words[0]):
            name, _, value = words.pop(0).partition("=")
            env[name] = value
        stdin = None
        if "<" in words:
            at = words.index("<")
            stdin, words = words[at + 1], words[:at]
        return Step(words, env, stdin)


@cache
def _read() -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(HERE / "scenarios.yaml")
    return found


def shared_files() -> dict[str, str]:
    """The files that every scenario has."""
    found: dict[str, str] = _read()["files"]
    return found


def scenarios() -> list[Scenario]:
    """All of them."""
    return [Scenario(**one) for one in _read()["scenarios"]]


def recorded() -> dict[str, dict[str, Any]]:
    """The recorded results of kubectl and the API server, by the name of the scenario."""
    lines = RECORDED.read_text(encoding="utf-8").splitlines() if RECORDED.exists() else []
    return {row["name"]: row for row in map(json.loads, lines)}


_MASKS = (
    (r"(?m)^([+-]?\s*(?:- )?)(uid|resourceVersion|creationTimestamp|time): .*$", r"\1\2: ..."),
    (r'"(uid|resourceVersion|creationTimestamp|time)": "[^"]*"', r'"\1": "..."'),
    (r"\S*/(LIVE|MERGED)-\d+/", r"\1/"),
    (r"(?m)^((?:---|\+\+\+) (?:LIVE|MERGED)/\S+).*$", r"\1"),
    (r"(?m)^[WI]\d{4} .*\n", ""),
    (r"kubectl/v1\.37\.\d+", "kubectl/v1.37"),
)
"""Patterns of text that differs from run to run, and of lines that kubectl logs, with their replacements."""


def masked(text: str) -> str:
    """Output without the parts that differ from run to run."""
    for pattern, instead in _MASKS:
        text = re.sub(pattern, instead, text)
    return text


def content(found: dict[str, Any] | None) -> dict[str, Any] | None:
    """The compared part of an object: all but its status, and without the fields that differ from run to run."""
    if found is None:
        return None
    dropped = ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation")
    metadata = {key: value for key, value in found["metadata"].items() if key not in dropped}
    kept = {**{key: value for key, value in found.items() if key != "status"}, "metadata": metadata}
    result: dict[str, Any] = json.loads(masked(json.dumps(kept)))
    return result


def entries(found: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The managedFields of an object without times, in a fixed order: times decide the stored one."""
    there = (found or {"metadata": {}})["metadata"].get("managedFields") or []
    timeless = [{key: value for key, value in one.items() if key not in ("time", "fieldsType")} for one in there]
    return sorted(timeless, key=lambda one: json.dumps(one, sort_keys=True))
