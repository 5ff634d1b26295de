"""The recorded answers of real API servers of several releases, against ours."""

from __future__ import annotations

from functools import cache

import pytest

from .cases import every
from .judge import differences, ours
from .record import recorded

RELEASES = tuple(recorded())
BY_DEFAULT = ("1.25", "1.29", "1.33", "1.37")
SOME = [
    pytest.param(one, marks=() if one in BY_DEFAULT else (pytest.mark.slow, pytest.mark.left_out)) for one in RELEASES
]


@cache
def found(release: str) -> dict[str, dict[str, list[str]]]:
    """The differences in a release by case."""
    answers, result = recorded()[release], {}
    for case in every():
        if case.name in answers:
            own = ours(case, release)
            assert own is not None, case.name
            result[case.name] = differences(own, answers[case.name])
    return result


@pytest.mark.parametrize("release", SOME)
def test_no_warning_is_false_or_missed(release: str) -> None:
    different = {name: one["warnings"] for name, one in found(release).items() if "warnings" in one}
    assert different == {}


def test_every_release_has_two_hundred_objects() -> None:
    assert all(len(answers) >= 200 for answers in recorded().values())
    assert {"1.25", "1.29", "1.33", "1.37"} <= {*RELEASES}
