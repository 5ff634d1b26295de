"""Every place that reports a problem or a warning has a recorded response of a real API server, and ours is the same.

`asked/*.yaml` and `recorded/` have the requests and the responses of 1.37.1, and of the releases that cases name.
`without_answer.yaml` lists the places without a response.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ...conftest import read_yaml
from . import asked, places, replay
from .tracing import said_in

HERE = Path(__file__).parent
ALLOWED: dict[str, list[str]] = read_yaml(HERE / "without_answer.yaml")
LISTED = [identity for listed in ALLOWED.values() for identity in listed]
MOST_WITHOUT, MOST_DIFFERENT = 0.04, 0.08


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """All responses again, in a process in which the modules are traced."""
    command = [sys.executable, "-m", "tests.conformance.wordings.check"]
    done = subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_place_has_a_recorded_answer(report: dict[str, Any]) -> None:
    without = set(report["places"]) - set(report["covered"])
    assert {report["places"][one]: one for one in without - set(LISTED)} == {}, "record one, see record.py"


def test_the_list_of_places_without_an_answer_is_short_and_up_to_date(report: dict[str, Any]) -> None:
    assert [one for one in LISTED if one not in report["places"]] == [], "these places are gone"
    assert [one for one in LISTED if one in report["covered"]] == [], "these places have an answer"
    assert len(LISTED) <= MOST_WITHOUT * len(report["places"])


def test_our_responses_equal_the_server_except_for_listed_differences(report: dict[str, Any]) -> None:
    assert report["different"] == []


def test_there_are_few_listed_differences() -> None:
    cases = replay.recorded()
    assert len([case for case in cases if "differs" in case]) <= MOST_DIFFERENT * len(cases)


@pytest.mark.parametrize("area", asked.areas())
def test_every_request_has_a_recorded_answer(area: str) -> None:
    known = replay.answers(area)
    assert [case["ask"] for case in asked.cases(area) if asked.digest(case) not in known] == []


SOURCE = '''
"""A docstring is no place."""
WHY = "must be a number"
def check(at, value):
    """Neither is this one."""
    yield required(at)
    yield invalid(at, value, WHY)
    if value == "some other words":
        yield invalid(at, value, f"must be {value} or less")
    raise BadRequest("the body is no object", advice="look at the body")
'''


def test_sentences_and_calls_that_build_problems_are_places() -> None:
    found = [place.identity for place in places.in_module("m", ast.parse(SOURCE))]
    assert found == [
        "WHY: must be a number",
        "check: required(at)",
        "check: invalid(at)",
        "check: must be {} or less",
        "check: the body is no object",
    ]


def test_the_same_words_in_one_function_are_numbered() -> None:
    tree = ast.parse("def f():\n yield required('a')\n yield required('a')\n")
    found = places.numbered(places.in_module("m", tree))
    assert [place.identity for place in found] == ["f: required(a)", "f: required(a) #2"]


def test_words_count_if_the_answer_has_them() -> None:
    assert said_in("must be 5", "spec.a: Invalid value: 6: must be 5")
    assert said_in("must be {} or {}", "must be a or b")
    assert not said_in("must be {} or less", "must be 5")
    assert not said_in("must be 5", "")
    assert said_in(
        "the request has been rejected by the admission of {}", "the request has been rejected by the admission of a"
    )
    assert not said_in("must be {}", "must be a")
