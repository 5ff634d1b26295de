"""Recorded responses of a real server, a test for each one.

The fast tests replay these responses in a separate process, in which no function can be changed.
"""

from __future__ import annotations

import pytest

from ..conformance.wordings import replay

CASES = replay.recorded()
pytestmark = [pytest.mark.slow, pytest.mark.left_out]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_an_answer(number: int) -> None:
    case = CASES[number]
    assert replay.difference(replay.ours(case), case) == case.get("differs", "")
