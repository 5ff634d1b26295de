"""Recorded rules and definitions have the responses of upstream code: verdicts, messages, costs and estimates."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.conformance.build import OracleUnavailable

from . import cases, draw, ours
from .__main__ import differences
from .oracle import answers

RECORDED = cases.recorded()
RULES = [one for one in RECORDED if "said" in one]
DEFINITIONS = [one for one in RECORDED if "definition" in one]
UNLIKE: frozenset[str] = frozenset()
"""Recorded rules with known differences, because a server visits the keys of a map in random order."""


def test_cases_cover_many_kinds() -> None:
    said = [answer for one in RULES for answer in one["said"]]
    assert len(said) >= 2000
    assert len(DEFINITIONS) >= 90
    kinds = Counter("error" if "error" in one else "problem" if "problems" in one else "holds" for one in said)
    assert min(kinds.values()) >= 200
    assert sum("exceeds budget" in each for one in DEFINITIONS for each in one["problems"]) >= 50


@pytest.mark.parametrize("number", range(len(RULES)))
def test_rules_have_the_same_costs_and_verdicts(number: int) -> None:
    one = RULES[number]
    listed = one["schema"]["x-kubernetes-validations"]
    for rule, there, here in zip(listed, one["said"], ours.said(one), strict=True):
        if rule["rule"] not in UNLIKE:
            assert differences(there, ours.comparable(here)) == {}, rule


@pytest.mark.parametrize("number", range(len(DEFINITIONS)))
def test_definitions_have_the_same_problems(number: int) -> None:
    one = DEFINITIONS[number]
    assert ours.problems(one["definition"]) == one["problems"]


@pytest.mark.slow
def test_recorded_results_of_the_server_code_are_current() -> None:
    questions: list[dict[str, Any]] = [{"op": "rules", **one} for one in RULES[:50]]
    try:
        found = [*answers(questions)]
    except OracleUnavailable as error:
        pytest.skip(str(error))
    for one, answer in zip(RULES, found, strict=False):
        assert [ours.comparable(each) for each in answer["rules"]] == one["said"]


@pytest.mark.slow
def test_new_rules_agree() -> None:
    drawn = [draw.case(Random(f"new {number}")) for number in range(200)]
    try:
        found = [*answers({"op": "rules", **one} for one in drawn)]
    except OracleUnavailable as error:
        pytest.skip(str(error))
    tally: Counter[bool] = Counter()
    for one, answer in zip(drawn, found, strict=True):
        for there, here in zip(answer.get("rules", ()), ours.said(one), strict=False):
            tally[differences(ours.comparable(there), ours.comparable(here)) == {}] += 1
    assert tally[True] >= 0.99 * tally.total()
