"""kubectl on a served cluster against kubectl on a real API server, in the same scenarios as the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .kubectl import MISSING, program, served_kubectl
from .play import differences, played
from .scenarios import areas, recorded, scenarios

if TYPE_CHECKING:
    from .scenarios import Scenario

pytestmark = [pytest.mark.slow, pytest.mark.skipif(program() is None, reason=MISSING)]
EVERY = 5
"""A part of the scenarios. All of them take half an hour: `python -m tests.apiserver --served`."""
REMEMBERED = "deleting the definition deletes its objects"
"""Scenarios where kubectl caches the kinds of a server, which was disabled in the recording."""
ALL = [scenario for area in areas() for scenario in scenarios(area) if scenario.name != REMEMBERED]
SAMPLE = ALL[::EVERY]


@pytest.mark.parametrize("scenario", SAMPLE, ids=lambda one: f"{one.area}: {one.name}")
def test_as_on_a_real_server(scenario: Scenario) -> None:
    with served_kubectl() as player:
        found = differences(played(scenario, player), recorded(scenario.area)[scenario.name]["steps"])
    assert {part: found[part] for part in scenario.unlisted(found)} == {}
