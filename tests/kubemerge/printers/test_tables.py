"""The cells of the tables that `get` prints, as kubectl has them."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from kubemerge.apiserver.printers import ages
from kubemerge.apiserver.printers.ages import age, duration, moment
from kubemerge.apiserver.printers.printer_columns import BUILT_IN

MINUTE, HOUR, DAY, YEAR = 60, 3600, 86_400, 365 * 86_400

DURATIONS = {
    -5: "<invalid>",
    -0.5: "0s",
    0.9: "0s",
    59: "59s",
    119.9: "119s",
    2 * MINUTE: "2m",
    9 * MINUTE + 59: "9m59s",
    10 * MINUTE + 30: "10m",
    179 * MINUTE: "179m",
    3 * HOUR: "3h",
    7 * HOUR + 59 * MINUTE: "7h59m",
    8 * HOUR + 59 * MINUTE: "8h",
    47 * HOUR: "47h",
    2 * DAY: "2d",
    2 * DAY + 5 * HOUR: "2d5h",
    8 * DAY + 5 * HOUR: "8d",
    729 * DAY: "729d",
    2 * YEAR: "2y",
    2 * YEAR + DAY: "2y1d",
    8 * YEAR + DAY: "8y",
    100 * YEAR: "100y",
}


@pytest.mark.parametrize("seconds", DURATIONS)
def test_durations_in_words(seconds: float) -> None:
    assert duration(seconds) == DURATIONS[seconds]


def test_ages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ages, "now", lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc))
    assert age("2026-01-02T03:03:05Z") == "60s"
    assert age("2026-01-02T04:03:05.123456Z") == "<invalid>"
    assert age("2026-01-02T04:04:00+01:00") == "5s"
    assert {age(what) for what in (None, 7, "", "yesterday", "2026-13-02T03:03:05Z")} == {"<unknown>"}
    assert moment("2026-02-30T00:00:00Z") is None


ODD: list[dict[str, Any]] = [
    {"metadata": {"name": "x"}},
    {"metadata": {"name": "x", "labels": None}, "spec": None, "status": None},
    {"metadata": {"name": "x"}, "spec": [], "status": "odd", "data": 7, "subsets": [None, 1]},
    {
        "metadata": {"name": "x"},
        "spec": {"containers": 7, "ports": [7], "externalIPs": None, "rules": {}, "accessModes": 7, "selector": 7},
        "status": {"conditions": {}, "containerStatuses": [None], "loadBalancer": [], "accessModes": "x"},
    },
]


@pytest.mark.parametrize("one", ODD)
@pytest.mark.parametrize("kind", BUILT_IN)
def test_a_row_for_whatever_a_dump_holds(kind: tuple[str, str], one: dict[str, Any]) -> None:
    for column in BUILT_IN[kind]:
        assert isinstance(str(column.cell(one)), str)


@pytest.mark.parametrize(
    ("kind", "title", "cell"),
    [
        (("apps", "Deployment"), "READY", "0/0"),
        (("apps", "StatefulSet"), "READY", "0/0"),
        (("batch", "Job"), "COMPLETIONS", "0/1"),
        (("apps", "ReplicaSet"), "DESIRED", "0"),
        (("", "ConfigMap"), "DATA", "0"),
        (("storage.k8s.io", "StorageClass"), "VOLUMEBINDINGMODE", "Immediate"),
    ],
)
def test_counts_of_an_object_without_them(kind: tuple[str, str], title: str, cell: str) -> None:
    found = {column.title: column.cell({"metadata": {"name": "x"}}) for column in BUILT_IN[kind]}
    assert str(found[title]) == cell
