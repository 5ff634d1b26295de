"""A comparison of releases finds the same changes as a straight comparison of their snapshots, and nothing else."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.compare.chain import Side, compare

from ...conftest import snapshot
from .expanding import findings

if TYPE_CHECKING:
    from kubemerge.compare.model import Comparison, RuleChange

    from .expanding import Finding

GATES = {"stored", "not stored"}
"""Aspects of feature gates, which snapshots of specifications do not state."""
TELLING = ["1.12 1.13", *(pytest.param(one, marks=pytest.mark.slow) for one in ("1.22 1.23", "1.29 1.30"))]
"""Steps in which strategies, merge keys, list types, kinds and fields change."""


def comparison(*releases: str) -> Comparison:
    return compare([Side(release, engine.load(release)) for release in releases])


def found_by(releases: Comparison) -> list[list[Finding]]:
    """The changes, without those that snapshots do not state: key defaults (`codegen/key_defaults.py`) and gates."""
    return [
        sorted(
            (change.api_version, change.kind, change.path, change.aspects)
            for change in step.changes
            if not _only_a_default(change) and not {*change.aspects} & GATES
        )
        for step in releases.steps
    ]


def _only_a_default(change: RuleChange) -> bool:
    rule = change.before or change.after
    return change.aspects == ("map keys",) and rule is not None and rule.kind == "primitive"


@pytest.mark.parametrize("step", TELLING)
def test_a_step_finds_what_the_snapshots_say(step: str) -> None:
    left, right = step.split()
    expected = sorted(findings(snapshot(left), snapshot(right)))
    assert found_by(comparison(left, right)) == [expected]
    assert len(expected) > 100


@pytest.mark.slow
@pytest.mark.left_out
def test_the_chain_of_all_releases_finds_what_the_snapshots_say() -> None:
    releases = engine.releases()
    found = found_by(comparison(*releases))
    for (left, right), step in zip(pairwise(releases), found, strict=True):
        assert step == sorted(findings(snapshot(left), snapshot(right))), (left, right)
    assert sum(map(len, found)) > 9000


@pytest.mark.slow
def test_the_two_ends_differ_by_what_their_snapshots_say() -> None:
    assert found_by(comparison("1.8", "1.37")) == [sorted(findings(snapshot("1.8"), snapshot("1.37")))]
