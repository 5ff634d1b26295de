"""The tests that are chosen for a site."""

from __future__ import annotations

import pytest

from .baseline import IMPORT, Baseline
from .sites import Site, sites

SOURCE = """\
MOST = 1

def few(a):
    if a > MOST:
        return 2
    return 3

def cached():
    return few(4)

def maker():
    def made():
        return 6
    return made
"""
OTHER = "def more(): return few(5)\n"


def lines(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


BASELINE = Baseline(
    seconds={"all": 0.1, "wide": 0.1, "slow": 2.0, "narrow": 0.1, "caller": 0.1},
    lines={
        "x.py": {
            IMPORT: lines(1, 3, 8, 9, 11, 12, 14),
            "wide": lines(4, 5),
            "slow": lines(4, 5),
            "narrow": lines(4, 5, 6),
            "failed": lines(4),
        },
        "y.py": {"caller": lines(1), "wide": lines(3)},
        "z.py": {"all": lines(1)},
    },
    sources={"x.py": SOURCE, "y.py": OTHER},
)


def site(change: str) -> Site:
    return next(site for site in sites("x.py", SOURCE) if site.change == change)


@pytest.mark.parametrize(
    ("change", "tests"),
    [
        ("2 -> 3", ["narrow", "wide", "slow", "caller", "all"]),
        ("3 -> 4", ["narrow", "caller", "wide", "slow", "all"]),
        ("4 -> 5", ["narrow", "wide", "all", "caller", "slow"]),
        ("1 -> 2", ["narrow", "wide", "all", "caller", "slow"]),
    ],
)
def test_likely_killers_come_first(change: str, tests: list[str]) -> None:
    assert BASELINE.chosen(site(change), 10) == tests


def test_tests_are_chosen_for_a_number_of_seconds() -> None:
    assert BASELINE.chosen(site("2 -> 3"), 0.25) == ["narrow", "wide"]
    assert BASELINE.chosen(site("2 -> 3"), 0.01) == ["narrow"]


def test_a_test_that_does_not_fit_leaves_the_time_to_others() -> None:
    assert BASELINE.chosen(site("2 -> 3"), 0.45) == ["narrow", "wide", "caller", "all"]


def test_files_take_turns() -> None:
    seconds = {"many::1": 0.1, "many::2": 0.1, "many::3": 0.1, "few::1": 0.15}
    lines_ = {"x.py": {test: lines(4, 5) for test in seconds}}
    baseline = Baseline(seconds=seconds, lines=lines_, sources={"x.py": SOURCE})
    assert baseline.chosen(site("2 -> 3"), 10) == ["many::1", "few::1", "many::2", "many::3"]


def test_what_runs_at_import_is_changed_before() -> None:
    assert {change: BASELINE.is_at_import(site(change)) for change in ("1 -> 2", "2 -> 3", "4 -> 5", "6 -> 7")} == {
        "1 -> 2": True,
        "2 -> 3": False,
        "4 -> 5": True,
        "6 -> 7": True,
    }
