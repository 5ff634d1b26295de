"""Playing a scenario: its commands one after the other, and the objects after each of them."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .masks import Masks
from .scenarios import Step

if TYPE_CHECKING:
    from .scenarios import Scenario

_RESULT = re.compile(r"(?m)^([a-z][a-z0-9.-]*)/(\S+) \S")
"""The line of a result, as `deployment.apps/d created`."""


class Said(NamedTuple):
    """The output of a command."""

    code: int
    out: str
    err: str


class Player(Protocol):
    """A player: kubectl with a real API server, or kubemerge."""

    def run(self, step: Step, env: dict[str, str], folder: Path) -> Said:
        """The output of a command line."""

    def look(self, namespace: str, names: list[str]) -> list[dict[str, Any]]:
        """The existing ones of these objects, of this namespace or cluster-scoped."""


def played(scenario: Scenario, player: Player) -> list[dict[str, Any]]:
    """The output of each step, with the changed objects. None for a removed one."""
    steps: list[dict[str, Any]] = []
    watched: dict[str, set[str]] = {}
    for name in scenario.objects:
        namespace, colon, called = name.rpartition(":")
        watched.setdefault(namespace if colon else "default", set()).add(called)
    before: dict[str, Any] = {}
    masks = Masks(scenario)
    with tempfile.TemporaryDirectory() as folder:
        scenario.write(Path(folder))
        for line in scenario.steps:
            step = Step.read(line)
            said = player.run(step, {**scenario.env, **step.env}, Path(folder))
            if "get" not in step.words[:1]:
                found = watched.setdefault(step.namespace, set())
                found |= {f"{kind}/{name}" for kind, name in _RESULT.findall(said.out)}
            now: dict[str, Any] = {}
            for namespace, names in sorted(watched.items()):
                if names:
                    now |= {_name(one): masks.of_object(one) for one in player.look(namespace, sorted(names))}
            changed = {name: one for name, one in now.items() if before.get(name) != one}
            gone = dict.fromkeys(before.keys() - now.keys())
            out, err = masks.of_text(said.out), masks.of_text(said.err)
            steps.append({"code": said.code, "out": out, "err": err, "objects": {**changed, **gone}})
            before = now
    return steps


def _name(content: dict[str, Any]) -> str:
    group, _, _ = str(content["apiVersion"]).rpartition("/")
    metadata = content["metadata"]
    called = f"{content['kind'].lower()}{'.' if group else ''}{group}/{metadata['name']}"
    return f"{metadata['namespace']}:{called}" if metadata.get("namespace", "default") != "default" else called


def differences(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> dict[str, tuple[Any, Any]]:
    """The parts of the steps that differ, with both values."""
    found: dict[str, tuple[Any, Any]] = {}
    for number, (mine, real) in enumerate(zip(ours, theirs, strict=True), 1):
        pairs = {part: (mine[part], real[part]) for part in ("code", "out", "err")}
        for name in sorted({*mine["objects"], *real["objects"]}):
            one, other = mine["objects"].get(name, {}) or {}, real["objects"].get(name, {}) or {}
            pairs |= {f"{name} {part}": (one.get(part), other.get(part)) for part in ("content", "managedFields")}
        found |= {f"{number} {part}": pair for part, pair in pairs.items() if pair[0] != pair[1]}
    return found
