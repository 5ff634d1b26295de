"""Recorded writes to the reference, without the reference."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import engine
from tests.conformance.ownership.compare import differs, places
from tests.conformance.ownership.recorded import NAMED, RANDOM, UPGRADES, named_cases, played, recorded
from tests.conformance.ownership.sequences import answered

kept = cache(recorded)
ANSWERS = {line["name"]: line["answers"] for line in recorded(NAMED)}


@pytest.mark.parametrize("case", named_cases(), ids=lambda case: case["name"])
def test_a_named_sequence_of_writes_is_as_recorded(case: dict[str, Any]) -> None:
    found = [said for _, said in played(case, answered)]
    for number, (ours, theirs) in enumerate(zip(found, ANSWERS[case["name"]], strict=True)):
        assert not differs(ours, theirs), (number, *places(ours, theirs))


def test_every_recorded_sequence_has_its_writes() -> None:
    assert {case["name"] for case in named_cases()} == ANSWERS.keys()


@pytest.mark.parametrize("part", range(8))
def test_random_writes_are_as_recorded(part: int) -> None:
    lines = kept(RANDOM)[part::8]
    assert lines
    for line in lines:
        ours = answered(line["write"])
        assert not differs(ours, line["answer"]), (line["write"], *places(ours, line["answer"]))


@pytest.mark.parametrize("part", range(4))
def test_handing_over_is_as_recorded(part: int) -> None:
    lines = kept(UPGRADES)[part::4]
    assert lines
    for line in lines:
        ours = engine.upgrade_managed_fields(
            line["live"], set(line["from"]), line["to"], subresource=line["subresource"] or None
        )
        assert ours == line["answer"], line
