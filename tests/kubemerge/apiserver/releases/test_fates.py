"""The fate of every field is the one that a real server of the release gave it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

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

RELEASES = recorded_releases()
LISTED = yaml.safe_load(Path(__file__).with_name("differ.yaml").read_text(encoding="utf-8"))
"""By release, the fields whose fates are known to differ, by their kinds."""
WANTED = 0.995


@cache
def changing() -> tuple[FieldRequest, ...]:
    """One field of each name and history, of those whose fate is not the same in all releases."""
    fates = [recorded(release).fates for release in RELEASES]
    found: dict[tuple[str, str], FieldRequest] = {}
    for one in requests():
        history = "".join(known.get((one.called, one.place), UNKNOWN) for known in fates)
        if len({*history} - {NOT_SERVED, UNKNOWN}) > 1:
            found.setdefault((str(one.path[-1]), history), one)
    return tuple(found.values())


def wrong(release: str, asked: tuple[FieldRequest, ...]) -> list[str]:
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
    assert wrong(release, changing()) == []


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
