"""`compare A B -f` reports what really differs between two real servers, and nothing else."""

from __future__ import annotations

import itertools

import pytest

from tests.kubemerge.apiserver.releases import fates

from .cases import every, representative
from .record import recorded
from .upgrades import compared, distinct, fields, objects

OFTEN = {("1.25", "1.29"), ("1.29", "1.37")}
RELEASES = [*recorded()]
PAIRS = sorted({*itertools.pairwise(RELEASES), (RELEASES[0], RELEASES[-1]), *OFTEN})
BY_FIELD = [("1.20", "1.37"), *sorted(OFTEN)]
"""`python -m tests.conformance.releases.upgrades --fields` compares all pairs."""


@pytest.mark.parametrize(("old", "new"), sorted(OFTEN))
def test_objects(old: str, new: str) -> None:
    assert objects(old, new, representative()) == {}


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("1.20", "1.21", "gated workloads 6"),  # a server sets its own value in a field whose gate is off
        ("1.20", "1.21", "gated kinds 0"),
        ("1.25", "1.26", "values of selectors 4"),  # a selector with an invalid value is rejected in other words
        ("1.20", "1.37", "gated volumes 2"),  # an inner field whose gate is off drops the outer field
    ],
)
def test_objects_of_old_releases(old: str, new: str, name: str) -> None:
    cases = [one for one in every() if one.name == name]
    assert len(compared(old, new, cases)) == 1
    assert objects(old, new, cases) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_object(old: str, new: str) -> None:
    assert objects(old, new, every()) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), sorted(OFTEN))
def test_some_fields(old: str, new: str) -> None:
    assert fields(old, new, distinct(old, new, fates.requests())[::8]) == {}


@pytest.mark.slow
@pytest.mark.left_out
@pytest.mark.parametrize(("old", "new"), BY_FIELD)
def test_every_field(old: str, new: str) -> None:
    assert fields(old, new, fates.requests()) == {}
