"""Recorded random walks: objects, managedFields, output and exit codes equal a real API server's, except for a list."""

from __future__ import annotations

import pytest

from .ours import Kubemerge
from .play import differences, played
from .walks import recorded

RECORDED = recorded()


def test_there_are_enough_of_them() -> None:
    assert len(RECORDED) >= 100
    assert len({name.split()[1] for name in RECORDED}) >= 25


@pytest.mark.parametrize("name", RECORDED)
def test_a_walk(name: str) -> None:
    scenario, steps = RECORDED[name]
    found = differences(played(scenario, Kubemerge()), steps)
    assert {part: found[part] for part in scenario.unlisted(found)} == {}
    assert scenario.outdated(found) == [], "what is listed does not differ any more"
