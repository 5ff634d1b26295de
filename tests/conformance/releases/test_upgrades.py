"""`compare A B -f` reports what really differs between two real servers, and nothing else."""

from __future__ import annotations

import itertools

import pytest

from tests.kubemerge.apiserver.releases import fates

from .cases import every, representative
from .record import recorded
from .upgrades import fields, objects

OFTEN = {("1.25", "1.29"), ("1.29", "1.37")}
RELEASES = [*recorded()]
PAIRS = sorted({*itertools.pairwise(RELEASES), (RELEASES[0], RELEASES[-1]), *OFTEN})
BY_FIELD = [("1.20", "1.37"), *sorted(OFTEN)]
"""`python -m tests.conformance.releases.upgrades --fields` compares all pairs."""


@pytest.mark.parametrize(("old", "new"), sorted(OFTEN))
def test_objects(old: str, new: str) -> None:
    assert objects(old, new, representative()) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_object(old: str, new: str) -> None:
    assert objects(old, new, every()) == {}


@pytest.mark.parametrize(("old", "new"), sorted(OFTEN))
def test_some_fields(old: str, new: str) -> None:
    assert fields(old, new, fates.requests()[::25]) == {}


@pytest.mark.slow
@pytest.mark.left_out
@pytest.mark.parametrize(("old", "new"), BY_FIELD)
def test_every_field(old: str, new: str) -> None:
    assert fields(old, new, fates.requests()) == {}
