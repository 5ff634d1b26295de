"""The embedded cluster returns the recorded responses of a real API server to requests with bound policies."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...conftest import read_yaml
from ..recordings import require_resettable_server
from .real import theirs
from .replay import answers_in, answers_of_ours, ours, recorded, requests_of
from .scenarios import FOLDER, areas, scenarios

HERE = Path(__file__).parent
NO_DEFAULT = "an embedded cluster has no default ServiceCIDR"
ANY_TOKEN = "without a token file, every token is that of the administrator"
NO_CONNECTIONS = "an embedded cluster runs no containers and serves no connections to them"
DIFFER = {
    ("others", "only the API server changes ServiceCIDRs", 0): NO_DEFAULT,
    ("others", "only the API server changes ServiceCIDRs", 3): NO_DEFAULT,
    ("others", "reviews are not seen by any policy", 0): ANY_TOKEN,
    ("others", "webhooks do not see reviews either", 0): ANY_TOKEN,
    ("resources", "flowcontrol.apiserver.k8s.io", 4): "a controller of the server writes the condition Dangling later",
    **{("resources", "connections", number): NO_CONNECTIONS for number in range(1, 7)},
    ("expressions", "kinds as validating policies see them", 3): "labels that a server generates for the Pods of a Job "
    "are labels of the Job only once it is read",
    ("mutations", "keys that are no text", 0): "Go prints the error as the value of the field above",
}
"""Requests with another response, by area, scenario and number."""
LEAST = 1200
SLOW = {"resources", "limits"}
"""Areas with many requests of the same kinds, or with costly expressions."""
AREAS = [pytest.param(area, marks=[pytest.mark.slow] if area in SLOW else []) for area in areas()]


@pytest.mark.parametrize("area", AREAS)
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
    for area, name in {(area, name): None for area, name, _ in DIFFER}:
        mine = ours(next(one for one in scenarios(area) if one["name"] == name))
        known = recorded(area)[name]["answers"]
        listed = [place for place in range(len(known)) if (area, name, place) in DIFFER]
        assert [place for place in listed if mine[place] == known[place]] == []


def test_there_are_as_many_responses_as_before() -> None:
    assert sum(len(answers_in(one)) for area in areas() for one in recorded(area).values()) >= LEAST


def test_covered_tests_of_upstream_have_scenarios() -> None:
    table = read_yaml(HERE / "upstream.yaml")
    covered = {test for tests in table["covered"].values() for test in tests}
    sources = {one["source"] for area in areas() for one in read_yaml(FOLDER / f"{area}.yaml") if "source" in one}
    assert {source for source in sources if source.startswith("Test")} == covered
    assert all((HERE / folder).is_dir() for folder in table["elsewhere"].values())
    assert table["partly"].keys() <= covered
    assert not table["left_out"].keys() & (covered | table["elsewhere"].keys())


@pytest.mark.slow
def test_a_server_still_returns_the_recorded_responses() -> None:
    server = require_resettable_server()
    one = scenarios("mutations")[0]
    assert theirs(server, one) == recorded("mutations")[one["name"]]["answers"]
