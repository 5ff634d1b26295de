"""kubectl on a served cluster against kubectl on a real API server, in the same scenarios as the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .kubectl import MISSING, program, served_kubectl
from .play import differences, played
from .scenarios import SERVED, own_areas, recorded, scenarios

if TYPE_CHECKING:
    from .scenarios import Scenario

pytestmark = [pytest.mark.slow, pytest.mark.skipif(program() is None, reason=MISSING)]
EVERY = 5
"""A part of the scenarios. All of them take half an hour: `python -m tests.apiserver --served`."""
REMEMBERED = "deleting the definition deletes its objects"
"""kubectl remembers the kinds of a server; when this was recorded, it was made to look again after each definition."""
WITHIN_A_SECOND = "ResourceSlice of resource.k8s.io/v1: a taint without a time"
"""The next write of the same second keeps the server's timestamp. A busy machine misses that second."""
LEFT_OUT = (REMEMBERED, WITHIN_A_SECOND)
ALL = [scenario for area in own_areas() for scenario in scenarios(area) if scenario.name not in LEFT_OUT]
SAMPLE = [*ALL[::EVERY], *scenarios(SERVED)]


@pytest.mark.parametrize("scenario", SAMPLE, ids=lambda one: f"{one.area}: {one.name}")
def test_as_on_a_real_server(scenario: Scenario) -> None:
    with served_kubectl() as player:
        found = differences(played(scenario, player), recorded(scenario.area)[scenario.name]["steps"])
    assert {part: found[part] for part in scenario.unlisted(found)} == {}
