"""The embedded cluster returns the recorded responses of a real API server to requests with bound policies."""

from __future__ import annotations

import os

import pytest

from ..ownership.real.server import Server, ServerUnavailable
from .real import theirs
from .replay import answers_in, answers_of_ours, ours, recorded, requests_of
from .scenarios import areas, scenarios

DIFFER = {
    ("expressions", "kinds as validating policies see them", 3): "labels that a server generates for the Pods of a Job "
    "are labels of the Job only once it is read",
    ("mutations", "keys that are no text", 0): "Go prints the error as the value of the field above",
}
"""Requests with another response, by area, scenario and number."""
LEAST = 340


@pytest.mark.parametrize("area", areas())
def test_responses_are_those_of_a_server(area: str) -> None:
    known = recorded(area)
    differing = []
    for one in scenarios(area):
        real = known[one["name"]]
        assert real["requests"] == requests_of(one), "record it again"
        for place, (mine, other) in enumerate(zip(answers_of_ours(one), answers_in(real), strict=True)):
            if mine != other and (area, one["name"], place) not in DIFFER:
                differing.append((one["name"], place, mine, other))
    assert differing == []


def test_listed_differences_still_differ() -> None:
    for area, name, place in DIFFER:
        one = next(one for one in scenarios(area) if one["name"] == name)
        assert ours(one)[place] != recorded(area)[name]["answers"][place]


def test_there_are_as_many_responses_as_before() -> None:
    assert sum(len(answers_in(one)) for area in areas() for one in recorded(area).values()) >= LEAST


@pytest.mark.slow
def test_a_server_still_returns_the_recorded_responses() -> None:
    if "KUBEMERGE_REAL_RESET" not in os.environ:
        pytest.skip("needs a server that can be reset")
    try:
        server = Server()
    except ServerUnavailable as error:
        pytest.skip(str(error))
    one = scenarios("mutations")[0]
    assert theirs(server, one) == recorded("mutations")[one["name"]]["answers"]
