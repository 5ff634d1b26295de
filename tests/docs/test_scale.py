"""The figures of docs/scale.md have the right order of magnitude on any machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import engine
from benchmarks.documents import works
from benchmarks.fleet import engines
from benchmarks.fleet.command_costs import costs
from benchmarks.fleet.sample_fleet import Fleet, write_fleet
from benchmarks.vs_reference import measurements
from engine.values import go_json
from tests.conformance.oracle import Oracle, OracleUnavailable
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
TIMES = 6
"""The factor by which a figure may be too large or too small: machines differ, and this one may be busy."""
MEASURED = ("three-way patch", "apply the patch")


def table(first: str) -> dict[str, list[str]]:
    """The rows of the table with this heading of the first column, by its cells."""
    lines = PAGE.partition(f"| {first} |")[2].partition("\n\n")[0].splitlines()[2:]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name: cells for name, *cells in found}


def about(shown: float, measured: float) -> bool:
    return shown / TIMES <= measured <= shown * TIMES


@pytest.mark.slow
def test_what_an_object_costs() -> None:
    shown = {name: float(cell) for name, (cell,) in table("work").items()}
    measured = costs(150, rounds=2)
    assert shown.keys() == measured.keys()
    wrong = {name: (shown[name], cost) for name, cost in measured.items() if not about(shown[name], cost)}
    assert not wrong


def test_the_plain_loop_forgets_what_it_has_counted_as_workers_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = Fleet(tmp_path, 2, 20)
    write_fleet(fleet)
    given = engines.EngineInput(fleet.dumps(2), fleet.config, 1, tmp_path)
    work = engines._drift_request(given).create()

    class Made:
        def create(self) -> Any:
            return work

    monkeypatch.setattr(engine, "accelerate", bool)
    monkeypatch.setattr(engines, "_drift_request", lambda _: Made())
    assert engines.plain(given).rows > 0
    assert (work.objects, [len(found) for found in work.seen.values()]) == (1, [1])


@pytest.mark.slow
@pytest.mark.left_out
@pytest.mark.parametrize("accelerated", [False, True])
def test_what_a_merge_costs_beside_the_reference(accelerated: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = slice(2, 4) if accelerated else slice(2)
    if accelerated:
        pytest.importorskip("orjson", reason="orjson is not installed")
        monkeypatch.setattr(go_json, "_quick", go_json._Accelerated())
        assert engine.accelerate()
    shown = {name: [float(cell) for cell in cells[columns]] for name, cells in table("object").items()}
    wrong = {}
    try:
        with Oracle() as oracle:
            for work in works():
                if work.name not in shown:
                    continue
                rows = {row.name: row for row in measurements(work)}
                for name, ratio in zip(MEASURED, shown.pop(work.name), strict=True):
                    for _ in range(3):
                        rows[name].again(oracle, 0.05)
                    if not about(ratio, rows[name].ratio):
                        wrong[work.name, name] = (ratio, rows[name].ratio)
    except OracleUnavailable as error:
        pytest.skip(str(error))
    assert not shown
    assert not wrong


def test_the_model_is_what_the_figures_come_to() -> None:
    """20 million objects by the cost of one object, shared by 64 processors."""
    shown = {name: float(cell) for name, (cell,) in table("work").items()}
    for name, (hours, minutes, *_) in table("20 million objects").items():
        whole = shown[name] * 20_000_000 / 1000 / 3600
        assert float(re.sub(r"[^\d.]", "", hours)) == pytest.approx(whole, rel=0.1, abs=0.06)
        assert float(re.sub(r"[^\d.]", "", minutes)) == pytest.approx(whole * 60 / 64, rel=0.1, abs=0.6)
