"""The scenarios: kubectl command lines in a folder with files, by area."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..conftest import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
SERVED = "served"
"""The area of kubectl commands that kubemerge lacks; only kubectl on a served cluster plays them."""


@dataclass(frozen=True)
class Step:
    """A command line: its words, its environment, and the file for its standard input."""

    words: list[str]
    env: dict[str, str]
    stdin: str | None

    @staticmethod
    def read(line: str) -> Step:
        """Parse a line: `VARIABLE=value command words < file`."""
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

    @property
    def namespace(self) -> str:
        """The namespace of the command, or the default one."""
        found = re.search(r"(?:^| )(?:-n|--namespace)[ =]?(\S+)", " ".join(self.words))
        return found[1] if found else "default"


_FIELDS = re.compile(r"\{\{(\d+) fields\}\}")
"""In a file: this number of fields of a schema, which would be long to write down."""


def _fields(match: re.Match[str]) -> str:
    return json.dumps({f"field{number:05d}": {"type": "string"} for number in range(int(match[1]))})


@dataclass(frozen=True)
class Scenario:
    """A few commands in a folder with files."""

    name: str
    area: str
    steps: list[str]
    files: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    objects: list[str] = field(default_factory=list)
    """Further objects to compare, as `deployment.apps/d` or `team:configmap/a`."""
    drawn: list[str] = field(default_factory=list)
    """Patterns of values that a server chooses."""
    differs: dict[str, str] = field(default_factory=dict)
    """Known differences, as `2 out` or `* deployment.apps/d content` (a `*` stands for any text), with the reasons."""

    @property
    def given(self) -> dict[str, str]:
        """The files of the commands: its own, and shared ones of the area."""
        line = " ".join(self.steps)
        files = _read(self.area).get("files", {}) if self.area else {}
        shared = {name: text for name, text in files.items() if name.partition("/")[0] in line}
        return {name: _FIELDS.sub(_fields, text) for name, text in {**shared, **self.files}.items()}

    @property
    def asked(self) -> str:
        """A hash of the scenario, by which outdated records are detected."""
        asked = [self.steps, self.given, self.env, self.objects, self.drawn]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:12]

    def unlisted(self, differences: Iterable[str]) -> list[str]:
        """The differences that are not listed."""
        return [one for one in differences if not any(fnmatchcase(one, listed) for listed in self.differs)]

    def outdated(self, differences: Iterable[str]) -> list[str]:
        """Listed differences that no longer exist."""
        return [listed for listed in self.differs if not any(fnmatchcase(one, listed) for one in differences)]

    def write(self, folder: Path) -> None:
        """Write the files of the commands."""
        for name, text in self.given.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")


@cache
def _read(area: str) -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(HERE / "scenarios" / f"{area}.yaml")
    return found


def areas() -> list[str]:
    """The areas that have scenarios."""
    return sorted(file.stem for file in (HERE / "scenarios").glob("*.yaml"))


def own_areas() -> list[str]:
    """The areas whose commands kubemerge has."""
    return [area for area in areas() if area != SERVED]


def scenarios(area: str) -> list[Scenario]:
    """All scenarios of one area."""
    return [Scenario(area=area, **one) for one in _read(area)["scenarios"]]


def recorded(area: str) -> dict[str, dict[str, Any]]:
    """The recorded output, by the name of the scenario."""
    file = HERE / "recorded" / f"{area}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {row["name"]: row for row in map(json.loads, lines)}


def write_recorded(area: str, rows: dict[str, dict[str, Any]]) -> None:
    """Write the output, one scenario a line, in the order of the scenarios."""
    kept = [rows[one.name] for one in scenarios(area) if one.name in rows]
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in kept]
    (HERE / "recorded" / f"{area}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
