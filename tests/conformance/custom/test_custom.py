"""For recorded definitions and objects, the embedded cluster gives the same responses as a real API server."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import Any

import pytest

from . import cases
from .__main__ import ours_to
from .judge import EmbeddedServer, timeless

RECORDED = cases.recorded()
NAMES = [one["definition"]["metadata"]["name"] for one in RECORDED]


def test_cases_cover_many_projects() -> None:
    groups = {one["definition"]["spec"]["group"] for one in RECORDED}
    said = Counter(next(iter(case["said"])) for one in RECORDED for case in one["cases"])
    assert len(groups) >= 10
    assert said.total() >= 1000
    assert said["invalid"] >= 300 < said["object"]


@pytest.mark.parametrize("entry", RECORDED, ids=NAMES)
def test_same_objects_are_accepted_and_rejected(entry: dict[str, Any]) -> None:
    with closing(EmbeddedServer()) as ours:
        defined = ours.define(entry["definition"])
        if "object" in defined:
            defined["status"] = timeless(ours.status_of(entry["definition"]))
        assert defined == entry["defined"]
        state: dict[str, Any] = {}
        for case in entry["cases"]:
            assert ours_to(ours, case, state) == case["said"], case["object"]
