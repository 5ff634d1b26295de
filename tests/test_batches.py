"""Batches of tests in pytest-xdist: the same results, by the same names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CONFTEST = "from tests.batches import register as pytest_configure\n"
TESTS = """
import pytest

@pytest.fixture(scope="module")
def shared():
    yield 1
    raise ValueError("at the end")

@pytest.mark.xfail
@pytest.mark.parametrize("number", range(2))
def test_expected(number):
    assert number

@pytest.mark.parametrize("number", range(100))
def test_number(number, shared):
    if number == 50:
        pytest.skip("a reason")
    assert number != 37
"""
OPTIONS = ("-q", "-rfE", "--disable-plugin-autoload", "-p", "xdist", "-c", os.devnull)


def run(folder: Path, *options: str) -> str:
    """The output of pytest for `TESTS`."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rfE",
        "--disable-plugin-autoload",
        "-p",
        "xdist",
        "-c",
        os.devnull,
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, *options], cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_it.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [("-n", "2"), ("-n", "2", "-vv"), ("-n", "2", "--durations=3"), ("-n", "0")], ids=str
)
def test_results_and_names_are_those_of_single_tests(folder: Path, options: tuple[str, ...]) -> None:
    said = run(folder, *options)
    assert "FAILED test_it.py::test_number[37] - assert 37 != 37" in said
    assert re.search(r"^ERROR test_it.py::test_number\[\d+\] - ValueError: at the end$", said, re.MULTILINE)
    assert "1 failed, 98 passed, 1 skipped, 1 xfailed, 1 xpassed" in said


@pytest.mark.slow
def test_a_failed_test_runs_again_by_its_name(folder: Path) -> None:
    run(folder, "-n", "2")
    said = run(folder, "-n", "2", "--last-failed", "-k", "37")
    assert "1 failed" in said
    assert "passed" not in said


@pytest.mark.slow
def test_one_report_is_sent_for_tests_that_pass(folder: Path) -> None:
    dots = run(folder, "-n", "2").splitlines()[0].count(".")
    assert dots < 10
