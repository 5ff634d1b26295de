"""Plans equal what Flux and Argo CD did on a real API server: objects, managedFields, actions and errors."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ..recordings import read_recorded
from .record import RECORDED
from .replay import differences

DIFFER: dict[str, dict[int, str]] = {
    "flux": {},
    "argocd": {
        20165: "a controller of the server writes to the object at the same time",
    },
}
"""Scenarios with another result, by tool and number, with the reason."""
LEAST = {"flux": 340, "argocd": 470}


@cache
def scenarios(tool: str) -> dict[int, dict[str, Any]]:
    """The recorded scenarios of a tool by number."""
    return {case["id"]: case for case in read_recorded(RECORDED / f"{tool}.json.gz")["cases"]}


@cache
def fast(tool: str) -> tuple[int, ...]:
    """The numbers of scenarios that together have every setting and result."""
    return tuple(read_recorded(RECORDED / f"{tool}.json.gz")["fast"])


@pytest.mark.parametrize("tool", ["flux", "argocd"])
def test_plans_equal_what_the_tool_did(tool: str) -> None:
    found = {number: differences(tool, scenarios(tool)[number]) for number in fast(tool)}
    assert {number: lines for number, lines in found.items() if lines} == {}


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["flux", "argocd"])
def test_all_plans_equal_what_the_tool_did(tool: str) -> None:
    found = {number: differences(tool, case) for number, case in scenarios(tool).items()}
    differing = {number: lines for number, lines in found.items() if lines}
    assert {number: lines for number, lines in differing.items() if number not in DIFFER[tool]} == {}
    assert differing.keys() == DIFFER[tool].keys()


@pytest.mark.parametrize("tool", ["flux", "argocd"])
def test_there_are_as_many_scenarios_as_before(tool: str) -> None:
    assert len(scenarios(tool)) >= LEAST[tool]


@pytest.mark.parametrize("tool", ["flux", "argocd"])
def test_a_difference_is_found(tool: str) -> None:
    """The comparison sees another owner, another value, another action and another state."""
    numbers = [number for number in fast(tool) if _is_written(scenarios(tool)[number])]
    case = scenarios(tool)[numbers[0]]
    (after, *rest) = case["after"]
    metadata = after["metadata"]
    entries = [{**one, "manager": f"{one['manager']}-2"} for one in metadata["managedFields"]]
    others = (
        {"after": [{**after, "metadata": {**metadata, "managedFields": entries}}, *rest]},
        {"after": [{**after, "metadata": {**metadata, "labels": {"changed": "yes"}}}, *rest]},
        {"result": _other_result(case["result"])},
    )
    assert differences(tool, case) == []
    assert all(differences(tool, {**case, **other}) for other in others)


def _is_written(case: dict[str, Any]) -> bool:
    states = case["result"].get("objects") or [{"modified": True}]
    return (
        bool(case["configs"]) and None not in case["after"] and "error" not in case["result"] and states[0]["modified"]
    )


def _other_result(result: dict[str, Any]) -> dict[str, Any]:
    if "actions" in result:
        return {**result, "actions": dict.fromkeys(result["actions"], "deleted")}
    first, *rest = result["objects"]
    return {**result, "objects": [{**first, "modified": not first["modified"]}, *rest]}
