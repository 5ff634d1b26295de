"""Durations on the command line, as Go reads them."""

from __future__ import annotations

import click
import pytest

from kubemerge.cli.options.durations import duration

OPTION = click.Option(["--timeout"])
CONTEXT = click.Context(click.Command("x"))

SECONDS = {
    "2s": 2,
    "1m": 60,
    "1m30s": 90,
    "1.5h": 5400,
    "500ms": 0.5,
    "1s500ms": 1.5,
    "5": 5,
    "0.1": 0.1,
    ".5s": 0.5,
    "3us": 3e-6,
    "0": 30,
    "0s": 30,
}


@pytest.mark.parametrize("text", SECONDS)
def test_what_can_be_read(text: str) -> None:
    assert duration(zero=30)(CONTEXT, OPTION, text) == pytest.approx(SECONDS[text])


@pytest.mark.parametrize("text", ["", "s", "1x", "-1s", "1m 30s", "soon", "1ss", "inf", "nan", "\u0662s"])
def test_what_cannot(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"is not a duration. Write it as 30s or 1m30s"):
        duration(zero=30)(CONTEXT, OPTION, text)


def test_no_time_where_that_has_no_meaning() -> None:
    with pytest.raises(click.BadParameter, match="is not a valid time limit"):
        duration()(CONTEXT, OPTION, "0s")
