"""The embedded cluster against kubectl and a real API server of 1.37. Differences are listed in the scenario."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.metadata import Origins

from ..conftest import needs_posix
from .ours import Kubemerge
from .play import differences, played
from .scenarios import areas, own_areas, recorded, scenarios

if TYPE_CHECKING:
    from .scenarios import Scenario

ALL = [scenario for area in areas() for scenario in scenarios(area)]
OWN = [scenario for scenario in ALL if scenario.area in own_areas()]
RECORDED = {(area, name): row for area in areas() for name, row in recorded(area).items()}


def test_every_scenario_has_the_answer_to_what_it_asks() -> None:
    asked = {(one.area, one.name): one.asked for one in ALL}
    assert len(asked) == len(ALL), "two scenarios have one name"
    assert {name: row["asked"] for name, row in RECORDED.items()} == asked, "record them: see record.py"


POSIX = {
    *("commands: create configmap that cannot be", "commands: describe policies"),
    *("fields: edits that come to nothing", "fields: an edit"),
}
"""Scenarios whose output has messages or the time zone of a POSIX system, or that run its programs."""


def _cases() -> list[Any]:
    found = [(one, f"{one.area}: {one.name}") for area in own_areas() for one in scenarios(area)]
    return [pytest.param(one, id=name, marks=needs_posix if name in POSIX else ()) for one, name in found]


@pytest.mark.parametrize("scenario", _cases())
def test_as_the_api_server(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was recorded within a second, which may not be enough here, so the clock is stopped."""
    now = datetime.now(timezone.utc)
    monkeypatch.setattr("kubemerge.apiserver.reading.Origins", partial(Origins, clock=lambda: now))
    row = RECORDED[scenario.area, scenario.name]
    found = differences(played(scenario, Kubemerge()), row["steps"])
    assert {part: found[part] for part in scenario.unlisted(found)} == {}
    assert scenario.outdated(found) == [], "what is listed does not differ any more"
