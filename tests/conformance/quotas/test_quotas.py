"""The embedded cluster returns the recorded responses of a real API server with its quota controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .replay import ours, recorded

if TYPE_CHECKING:
    from .draw import Object

LEAST = 400


@pytest.mark.parametrize("scenario", recorded(), ids=lambda one: str(one["namespace"]))
def test_responses_and_usage_are_those_of_a_server(scenario: Object) -> None:
    mine = ours(scenario["namespace"], scenario["requests"])
    for place, (one, real) in enumerate(zip(mine, scenario["answers"], strict=True)):
        assert (place, one) == (place, real)


def test_the_recorded_responses_are_of_several_sorts() -> None:
    answers = [one for scenario in recorded() for one in scenario["answers"]]
    assert len(answers) >= LEAST
    words = "\n".join(one["message"] for one in answers)
    assert "exceeded quota: " in words
    assert "failed quota: " in words
