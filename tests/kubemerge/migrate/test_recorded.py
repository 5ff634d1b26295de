"""The effect of a first server-side apply by kubectl, as recorded with a real API server."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from engine.serverside.fields.path_elements import format_path, from_steps
from kubemerge.migrate import plan_migration

from .record import RECORDED, scenarios

CASES = [
    (scenario, recorded)
    for scenario, recorded in zip(scenarios(), json.loads(RECORDED.read_text(encoding="utf-8")), strict=True)
]
CHANGING = ("resourceVersion", "generation", "managedFields")


def plain(found: dict[str, Any]) -> dict[str, Any]:
    """An object without the fields that every write changes."""
    return {**found, "metadata": {key: value for key, value in found["metadata"].items() if key not in CHANGING}}


def owners(found: dict[str, Any]) -> list[str]:
    """The entries of managedFields without times."""
    entries = [
        {key: value for key, value in one.items() if key != "time"} for one in found["metadata"]["managedFields"]
    ]
    return sorted(json.dumps(one, sort_keys=True) for one in entries)


@pytest.mark.parametrize(("scenario", "recorded"), CASES, ids=lambda it: it["name"])
def test_a_first_server_side_apply_is_as_recorded(scenario: dict[str, Any], recorded: dict[str, Any]) -> None:
    config = {**scenario["config"], "metadata": {**scenario["config"]["metadata"]}}
    config["metadata"]["namespace"] = recorded["live"]["metadata"]["namespace"]
    schema = engine.load("1.37").schema(config["apiVersion"], config["kind"])
    found = plan_migration(config, recorded["live"], schema, manager=scenario.get("manager"))
    assert sorted(format_path(from_steps(place.steps)) for place in found.conflicts) == recorded["conflicts"]
    if recorded["refused"]:
        assert found.state == "refused"
        assert all(problem in recorded["refused"] for problem in found.refused)
        return
    assert not found.refused
    assert plain(found.merged) == plain(recorded["after"])
    assert owners(found.merged) == owners(recorded["after"])
