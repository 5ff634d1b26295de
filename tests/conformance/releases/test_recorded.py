"""The recorded answers of real API servers of several releases, against ours."""

from __future__ import annotations

from functools import cache

import pytest

from .cases import every, representative
from .judge import differences, ours
from .known import is_known
from .record import recorded

RELEASES = tuple(recorded())
OFTEN = {"1.22", "1.25", "1.29", "1.33", RELEASES[-1]}
COMPARED = [
    *(
        (release, True) if release in OFTEN else pytest.param(release, True, marks=pytest.mark.slow)
        for release in RELEASES[1:]
    ),
    *(pytest.param(release, False, marks=(pytest.mark.slow, pytest.mark.left_out)) for release in RELEASES),
]
"""Releases, each with whether only the cases run that have another answer than in the release before."""


@cache
def found(release: str, *, changes: bool = False) -> dict[str, dict[str, list[str]]]:
    """The differences in a release by case, or only of the cases whose answer is another one in the release before."""
    answers, result = recorded()[release], {}
    before = recorded()[RELEASES[RELEASES.index(release) - 1]] if changes else {}
    for case in every() if not changes else representative():
        if case.name in answers and answers[case.name] != before.get(case.name):
            own = ours(case, release)
            assert own is not None, case.name
            result[case.name] = differences(own, answers[case.name])
    return result


@pytest.mark.parametrize(("release", "changes"), COMPARED)
def test_no_warning_is_false_or_missed(release: str, changes: bool) -> None:
    different = {name: one["warnings"] for name, one in found(release, changes=changes).items() if "warnings" in one}
    assert different == {}


@pytest.mark.parametrize(("release", "changes"), COMPARED)
def test_verdicts_stored_objects_and_reported_fields_are_equal(release: str, changes: bool) -> None:
    different = {name: one for name, one in found(release, changes=changes).items() if one.keys() - {"warnings"}}
    assert {name: one for name, one in different.items() if not is_known(name, release)} == {}


def test_every_release_has_five_hundred_objects() -> None:
    assert all(len(answers) >= 500 for answers in recorded().values())
    assert {"1.25", "1.29", "1.33", "1.37"} <= {*RELEASES}
