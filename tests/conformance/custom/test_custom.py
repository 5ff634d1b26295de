"""The embedded cluster says of recorded definitions and objects what a real API server said."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import Any

import pytest

from . import cases
from .__main__ import ours_to
from .judge import Ours, timeless

RECORDED = cases.recorded()
NAMES = [one["definition"]["metadata"]["name"] for one in RECORDED]


def test_there_are_many_cases_of_many_projects() -> None:
    groups = {one["definition"]["spec"]["group"] for one in RECORDED}
    said = Counter(next(iter(case["said"])) for one in RECORDED for case in one["cases"])
    assert len(groups) >= 10
    assert said.total() >= 1000
    assert said["invalid"] >= 300 < said["object"]


@pytest.mark.parametrize("entry", RECORDED, ids=NAMES)
def test_the_same_is_taken_and_refused(entry: dict[str, Any]) -> None:
    with closing(Ours()) as ours:
        defined = ours.define(entry["definition"])
        if "object" in defined:
            defined["status"] = timeless(ours.status_of(entry["definition"]))
        assert defined == entry["defined"]
        state: dict[str, Any] = {}
        for case in entry["cases"]:
            assert ours_to(ours, case, state) == case["said"], case["object"]
