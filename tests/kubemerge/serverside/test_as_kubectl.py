"""Server-side apply, and the field owners after every command: as kubectl and a real API server of 1.37 recorded it.

Output and exit codes are equal, and so are the objects with their managedFields after each step, and the messages about
conflicts. Other errors have the text of kubectl after the tool's prefix: kubectl puts a kind of error in front,
kubemerge its name, the file and the object. Differences are listed.
"""

from __future__ import annotations

import io
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import ClusterError, Reference, open_cluster

from .scenarios import Scenario, Step, content, entries, masked, recorded, scenarios

if TYPE_CHECKING:
    from ..shell import Shell

RECORDED = recorded()
KINDS = {
    "cm": ("v1", "ConfigMap"),
    "crd": ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    "deploy": ("apps/v1", "Deployment"),
    "open": ("example.com/v1", "Open"),
    "role": ("rbac.authorization.k8s.io/v1", "Role"),
    "secret": ("v1", "Secret"),
    "sts": ("apps/v1", "StatefulSet"),
    "svc": ("v1", "Service"),
    "thing": ("example.com/v1", "Thing"),
}

ADVICE = "the error ends with what to do"
OF_RELEASE = "1.37"
DIFFERENT: dict[str, dict[str, str]] = {
    "diff on the server": {"4 out": "uid and creation time of a new object are left out: they differ each time"},
}
"""Differences, by scenario and by the number of the step, each with the reason."""


def looked_at(names: list[str]) -> dict[str, Any]:
    """The objects in the form in which they are compared."""
    found: dict[str, Any] = {}
    with open_cluster(mode="rehearse") as cluster:
        for name in names:
            short, _, called = name.partition("/")
            with suppress(ClusterError):
                one = cluster.get(Reference(*KINDS[short], called))
                found[name] = {"content": content(one), "managedFields": entries(one)}
    return {name: found.get(name) for name in names}


_FRONT = re.compile(
    r"(?m)^(?:error: |Error from server(?: \(\w+\))?: |kubemerge: (?:(?:\S+:\d+|[a-z.]+/\S*): )*)"
    r"| \(see `kubemerge \w+ --help`\)$"
)
_TOLD = re.compile(r"(?m)^(?:hint: .*|\d+ of \d+ objects? would change.*|kubemerge: nothing is pruned, because .*)\n")


def said(text: str) -> str:
    """Errors without their prefix, without the hint about help, and without lines that only inform."""
    return _FRONT.sub("", _TOLD.sub("", masked(text)))


def errors(ours: str, theirs: str) -> tuple[str, str]:
    """Both errors in the form in which they are compared. Conflicts are compared exactly."""
    return (_TOLD.sub("", ours), theirs) if "Apply failed with" in theirs else (said(ours), said(theirs))


def answered(shell: Shell, scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """kubemerge's result for each step."""
    scenario.write(shell.folder)
    open_cluster(release=OF_RELEASE).close()
    before: dict[str, Any] = {}
    steps = []
    for line in scenario.steps:
        step = Step.read(line)
        with monkeypatch.context() as patching:
            for name, value in step.env.items():
                patching.setenv(name, value)
            if step.stdin:
                data = (shell.folder / step.stdin).read_bytes()
                patching.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            code = shell.run(*step.words)
        row = {"code": code, "out": masked(shell.out), "err": shell.err}
        now = looked_at(scenario.objects)
        steps.append({**row, "objects": {name: one for name, one in now.items() if before.get(name) != one}})
        before = now
    return steps


def differences(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> dict[str, Any]:
    """The parts of the steps that differ, with both."""
    found: dict[str, Any] = {}
    for number, (mine, real) in enumerate(zip(ours, theirs, strict=True), 1):
        pairs = {
            "out": (mine["out"], real["out"]),
            "code": (mine["code"], real["code"]),
            "err": errors(mine["err"], real["err"]),
        }
        for name in {*mine["objects"], *real["objects"]}:
            one, other = mine["objects"].get(name) or {}, real["objects"].get(name) or {}
            pairs |= {f"{name} {part}": (one.get(part), other.get(part)) for part in ("content", "managedFields")}
        found |= {f"{number} {part}": pair for part, pair in pairs.items() if pair[0] != pair[1]}
    return found


def test_there_are_enough_of_them() -> None:
    names = [one.name for one in scenarios()]
    assert len(names) == len(set(names)) >= 60
    assert list(RECORDED) == names
    conflicts = [row for row in RECORDED.values() if any("Apply failed with" in step["err"] for step in row["steps"])]
    lines = [row for row in RECORDED.values() if any("serverside-applied" in step["out"] for step in row["steps"])]
    assert len(conflicts) >= 24
    assert len(lines) >= 55
    assert len([name for name in names if name not in DIFFERENT]) >= 75


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda one: str(one.name))
def test_as_kubectl(shell: Shell, scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    found = differences(answered(shell, scenario, monkeypatch), RECORDED[scenario.name]["steps"])
    known = DIFFERENT.get(scenario.name, {})
    assert {part: pair for part, pair in found.items() if part not in known} == {}
    assert known.keys() <= found.keys(), "what is listed differs no more"
