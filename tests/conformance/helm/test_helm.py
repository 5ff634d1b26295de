"""Plans equal recorded commands of Helm 3 and 4 on a real API server: exit, objects, owners and conflicts."""

from __future__ import annotations

from typing import Any

import pytest

from ..recordings import read_recorded
from .cases import CASES
from .replay import CASES_FILE, NO_RELEASE, RANDOM_FILE, differences, planned, whole

RECORDED = read_recorded(CASES_FILE)
LEAST_CASES, LEAST_COMMANDS, LEAST_RANDOM = 61, 145, 700


def found(records: list[dict[str, Any]]) -> list[str]:
    """The differences of all commands of a scenario."""
    return [text for one in map(whole, records) for text in differences(one, planned(one))]


@pytest.mark.parametrize("name", CASES)
def test_a_plan_equals_the_effects_of_helm(name: str) -> None:
    commands = [step["helm"] for step in CASES[name] if "helm" in step]
    assert [one["command"] for one in RECORDED[name]] == commands, "record it again"
    assert found(RECORDED[name]) == []


def test_a_difference_is_found() -> None:
    """The comparison sees another value, another owner, another exit code and another conflict."""
    record = whole(RECORDED["helm#31790: an autoscaler owns replicas"][1])
    plan = planned(record)
    assert plan.has_conflicts
    assert [text.partition(":")[0] for text in differences({**record, "exit": 0, "error": ""}, plan)] == [
        "exit",
        "conflicts",
    ]
    changed = [
        {**one, "metadata": {**one["metadata"], "managedFields": one["metadata"]["managedFields"][:1]}}
        if one["kind"] == "Deployment"
        else one
        for one in record["after"]
    ]
    assert differences({**record, "after": changed}, plan)
    other = [one for one in record["after"] if one["kind"] != "Deployment"]
    assert differences({**record, "after": other}, plan)


def test_there_are_as_many_recordings_as_before() -> None:
    assert len(RECORDED) >= LEAST_CASES
    assert sum(map(len, RECORDED.values())) >= LEAST_COMMANDS


@pytest.mark.slow
@pytest.mark.left_out
def test_plans_of_random_scenarios_equal_the_effects_of_helm() -> None:
    recorded = read_recorded(RANDOM_FILE)
    assert {name: texts for name, records in recorded.items() if (texts := found(records))} == {}
    plans = [planned(whole(one)) for records in recorded.values() for one in records]
    assert sum(plan.error not in NO_RELEASE.values() for plan in plans) >= LEAST_RANDOM
