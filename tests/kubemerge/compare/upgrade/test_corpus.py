"""Every known hazard of the corpus is found, in its release and at its place, and objects without hazards pass."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.compare.chain import Side
from kubemerge.compare.replay import replay
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs

from .corpus import Hazard, clean, hazards

if TYPE_CHECKING:
    from kubemerge.compare.model import Replay

HAZARDS = hazards()
CLEAN = clean()
NEWEST = "1.37"
"""The newest release in the corpus."""


@cache
def sides(first: str) -> list[Side]:
    known = engine.releases()
    return [Side(one, engine.load(one)) for one in known[known.index(first) : known.index(NEWEST) + 1]]


def played(content: dict[str, Any], chain: list[Side]) -> Replay:
    return replay(Inputs(Manifest("corpus.yaml", content), None, None), chain)


def around(hazard: Hazard) -> list[Side]:
    """The release before the hazard, its release, and the newest."""
    known = [side.name for side in sides("1.15")]
    at = known.index(hazard.at)
    return [sides("1.15")[index] for index in dict.fromkeys((at - 1, at, len(known) - 1))]


def test_the_corpus_is_large_and_says_where_everything_is_stated() -> None:
    assert len(HAZARDS) >= 300
    assert len({(str(one.content), one.at, one.finds, one.path) for one in HAZARDS}) == len(HAZARDS)
    assert all(one.source for one in HAZARDS)
    assert len(CLEAN) >= 500
    assert len({str({**one, "metadata": {**one["metadata"], "name": ""}}) for one in CLEAN}) == len(CLEAN)


@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda one: f"{one.at} {one.content['kind']} {one.path or one.finds}")
def test_a_hazard_is_found_between_its_release_and_the_one_before(hazard: Hazard) -> None:
    found = [one for one in played(hazard.content, around(hazard)).findings if one.severity != "info"]
    assert (hazard.at, hazard.finds) in {(one.at, one.sort) for one in found if hazard.path in one.path}, found


def test_what_is_gone_names_its_successor_or_another_way() -> None:
    without = []
    for hazard in HAZARDS:
        if hazard.finds == "gone":
            (one,) = [one for one in played(hazard.content, around(hazard)).findings if one.sort == "gone"]
            if not one.advice:
                without.append(hazard.content["kind"])
    assert without == ["PodScheduling"]


@pytest.mark.slow
def test_over_all_releases_each_hazard_is_found_once_and_where_it_belongs() -> None:
    for hazard in HAZARDS:
        found = [
            (one.at, one.sort)
            for one in played(hazard.content, sides("1.15")).findings
            if hazard.path in one.path and one.sort == hazard.finds and one.severity != "info"
        ]
        assert Counter(found)[hazard.at, hazard.finds] == 1, (hazard, found)


@pytest.mark.parametrize("part", range(10))
def test_nothing_is_found_where_nothing_is(part: int) -> None:
    chain = [side for side in sides("1.16") if side.name in ("1.16", "1.19", "1.22", "1.26", "1.29", "1.33", NEWEST)]
    for content in CLEAN[part::10]:
        assert [one for one in played(content, chain).findings if one.severity != "info"] == [], content


@pytest.mark.slow
def test_nothing_is_found_over_all_releases_where_nothing_is() -> None:
    for content in CLEAN:
        assert [one for one in played(content, sides("1.16")).findings if one.severity != "info"] == [], content
