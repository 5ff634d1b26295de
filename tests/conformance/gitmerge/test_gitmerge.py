"""Random merges of real and generated manifests."""

from __future__ import annotations

import pytest

from .draw import case
from .judge import problems
from .run import outcome

FEW, MANY = range(40), range(40, 10_000)


@pytest.mark.parametrize("number", FEW)
def test_a_random_merge(number: int) -> None:
    """No value is lost, invented or hidden, and every line comes from a side."""
    assert outcome(number).problems == []


@pytest.mark.slow
@pytest.mark.left_out
def test_random_merges() -> None:
    found = {number: outcome(number) for number in MANY}
    assert {number: one.problems for number, one in found.items() if one.problems} == {}
    by_line = [one.how for one in found.values() if one.how.startswith("by line: the merged text")]
    assert len(by_line) < len(MANY) / 1000


def test_the_judge_notices_a_lost_value() -> None:
    """Each side, returned as the result, lost the changes of the other one."""
    noticed = 0
    for number in range(12):
        base, ours, theirs = case(number)
        noticed += ours != base != theirs and bool(
            problems(base, ours, theirs, ours) or problems(base, ours, theirs, theirs)
        )
    assert noticed > 6
