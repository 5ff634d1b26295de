"""Decisions about hostile requests equal the recorded ones of a real server."""

from __future__ import annotations

import pytest

from . import recorded
from .clients import Ours
from .hostile import decision, steps

pytestmark = pytest.mark.slow
STEPS = list(steps())


@pytest.fixture(scope="module")
def decisions() -> list[object]:
    client = Ours()
    found = [decision(*client.send(step)) for step in STEPS]
    client.close()
    return found


def test_every_decision_is_that_of_the_real_server(decisions: list[object]) -> None:
    wanted = recorded.read(recorded.HOSTILE)
    found = zip(STEPS, wanted, decisions, strict=True)
    assert [(step, real, ours) for step, real, ours in found if real != ours] == []


def test_requests_are_allowed_denied_and_rejected(decisions: list[object]) -> None:
    assert decisions.count("allowed") > len(STEPS) / 10
    assert decisions.count("rejected") > len(STEPS) / 10
    assert decisions.count("unauthorized") > 1
    assert sum("forbidden" in str(one) for one in decisions) > len(STEPS) / 3
