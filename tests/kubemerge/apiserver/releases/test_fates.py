"""The fate of every field is the one that a real server of the release gave it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kubemerge.apiserver.releases import COMPARED, full_version

from .fates import (
    CHANGED,
    DROPPED,
    KEPT,
    NOT_SERVED,
    REJECTED,
    UNKNOWN,
    FieldRequest,
    fate_of,
    ours,
    recorded,
    recorded_releases,
    requests,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

RELEASES = recorded_releases()
LISTED = yaml.safe_load(Path(__file__).with_name("differ.yaml").read_text(encoding="utf-8"))
"""By release, the fields whose fates are known to differ, by their kinds."""
WANTED = 0.995


@cache
def changing() -> dict[str, list[FieldRequest]]:
    """One field of each name and history, in the releases next to a change of its fate."""
    fates = [recorded(release).fates for release in RELEASES]
    seen: set[tuple[str, str]] = set()
    found: dict[str, list[FieldRequest]] = {release: [] for release in RELEASES}
    for one in requests():
        history = "".join(known.get((one.called, one.place), UNKNOWN) for known in fates)
        known = [at for at, fate in enumerate(history) if fate not in UNKNOWN + NOT_SERVED]
        borders = {at for pair in pairwise(known) if history[pair[0]] != history[pair[1]] for at in pair}
        if borders and (str(one.path[-1]), history) not in seen:
            seen.add((str(one.path[-1]), history))
            for at in borders:
                found[RELEASES[at]].append(one)
    return found


def wrong(release: str, asked: Iterable[FieldRequest]) -> list[str]:
    """Fields with another fate that are not listed, and listed ones whose fate is equal."""
    real = recorded(release).fates
    known = [one for one in asked if real.get((one.called, one.place), UNKNOWN) not in UNKNOWN + NOT_SERVED]
    listed = {(kind, place) for kind, places in (LISTED.get(release) or {}).items() for place in places}
    return [
        f"{one.called} {one.place}: {letter}, real {real[one.called, one.place]}"
        for one, letter in ours(release, known)
        if (letter != real[one.called, one.place]) is ((one.called, one.place) not in listed)
    ]


@pytest.mark.parametrize("release", RELEASES)
def test_fields_whose_fate_changes(release: str) -> None:
    assert wrong(release, changing()[release]) == []


@pytest.mark.slow
@pytest.mark.left_out
@pytest.mark.parametrize("release", RELEASES)
def test_every_field(release: str) -> None:
    assert wrong(release, requests()) == []


@pytest.mark.parametrize("release", RELEASES)
def test_few_differences_are_listed(release: str) -> None:
    real = [one for one in recorded(release).fates.values() if one not in UNKNOWN + NOT_SERVED]
    listed = sum(map(len, (LISTED.get(release) or {}).values()))
    assert len(real) > 8000
    assert listed <= (1 - WANTED) * len(real)


def test_fates() -> None:
    body: dict[str, Any] = {"spec": {"list": [{"a": 1}]}}
    one = FieldRequest("v1", "Pod", ("spec", "list", 0, "a"), body)
    assert one.place == "spec.list[0].a"
    fates = [fate_of(one, 201, {"spec": {"list": [{"a": value}]}}) for value in (1, 2, None)]
    assert fates == [KEPT, CHANGED, DROPPED]
    assert fate_of(one, 201, {}) == DROPPED
    assert (fate_of(one, 422, {}), fate_of(one, 404, {})) == (REJECTED, NOT_SERVED)


def test_the_version_of_a_release_is_that_of_the_real_server() -> None:
    versions = {release: recorded(release).version.partition(",")[0] for release in recorded_releases()}
    assert versions == {release: full_version(release) for release in COMPARED}
