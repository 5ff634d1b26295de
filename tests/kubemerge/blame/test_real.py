"""A Deployment of a real server with co-owners, an autoscaler and controllers: the effects of its applies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.paths import parse
from engine.values.plain import ABSENT
from kubemerge.offline.stored_changes import FieldValues

if TYPE_CHECKING:
    from ..shell import Shell

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("real.json").read_text(encoding="utf-8"))
ON_SERVER = ("--server-side", "--field-manager=ci")
COUNTED = ("metadata.generation", "metadata.annotations", "metadata.managedFields", "metadata.resourceVersion")
"""Fields that change with every write."""


def rows(shell: Shell, *words: str) -> dict[str, dict[str, Any]]:
    shell.write("config.json", RECORDED["config"])
    shell.write("live.json", RECORDED["live"])
    given = ("config.json", "--live", "live.json", "--release", "1.37")
    assert shell.run("blame", *given, "-o", "json", *words) == 0, shell.err
    return {row["path"]: row for row in json.loads(shell.out)}


@pytest.mark.parametrize(("side", "words"), [("applied", ()), ("forced", (*ON_SERVER, "--force-conflicts"))])
def test_values_before_and_after_an_apply_are_those_of_the_server(
    side: str, words: tuple[str, ...], shell: Shell
) -> None:
    found = rows(shell, "--all", *words)
    assert len(found) > 40
    for path, row in found.items():
        if not path.startswith(COUNTED):
            for key, document in (("before", RECORDED["live"]), ("after", RECORDED[side])):
                value = FieldValues(document).at(parse(path))
                assert row[key] == (None if value is ABSENT else value), f"{key} {path}"


def conflicts() -> set[tuple[str, str]]:
    """The managers and paths in the error of the server."""
    found, manager = set(), ""
    for line in RECORDED["conflicts"].splitlines():
        named = re.search(r'conflicts? with "([^"]+)"', line)
        manager = named[1] if named else manager
        if line.startswith("- ."):
            found.add((manager, line.removeprefix("- .").replace('"', "")))
    return found


def test_conflicts_are_those_of_the_server(shell: Shell) -> None:
    found = {(owner["manager"], path) for path, row in rows(shell, *ON_SERVER).items() for owner in row["conflicts"]}
    assert found == conflicts()
    assert len(found) == 5


def test_co_owners_controllers_and_the_autoscaler_are_named(shell: Shell) -> None:
    found = {path: [one["manager"] for one in row["owners"]] for path, row in rows(shell, "--all").items()}
    assert found["spec.template.spec.containers[name=proxy].env[name=A].value"] == ["team-b", "team-c"]
    assert found["spec.replicas"] == ["keda-operator"]
    assert found["spec.template.spec.containers[name=app].image"] == ["kubectl-patch"]
    assert found['metadata.annotations["deployment.kubernetes.io/revision"]'] == ["kube-controller-manager"]
    assert found["status.observedGeneration"] == ["kube-controller-manager"]


def test_fields_that_only_the_server_and_controllers_set_are_not_of_the_config(shell: Shell) -> None:
    everything, own = rows(shell, "--all"), rows(shell)
    assert set(own) == {path for path, row in everything.items() if row["config"] or path == "metadata.labels.tier"}
    assert everything["metadata.labels.tier"]["action"] == "cleared"
    for path in ("spec.strategy.type", "spec.revisionHistoryLimit", "spec.template.spec.dnsPolicy"):
        assert everything[path]["default"]["release"] == "1.37", path
