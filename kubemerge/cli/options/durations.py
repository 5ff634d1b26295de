"""Durations in kubectl's syntax: `30s`, `1m30s`, `500ms`. A plain number is seconds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "ns": 1e-9}
"""The length of each unit. Microseconds have two spellings that look alike."""
USUAL = 30.0
"""Seconds to wait by default."""
MOST = 100_000 * 3600.0
"""The longest duration. Much longer ones exceed the range of clocks."""
_NUMBER = r"(\d+\.?\d*|\.\d+)"
_PART = re.compile(rf"{_NUMBER}({'|'.join(sorted(SECONDS, key=len, reverse=True))})", re.ASCII)
_WHOLE = re.compile(rf"(?:{_PART.pattern})+", re.ASCII)
_PLAIN = re.compile(_NUMBER, re.ASCII)


def duration(zero: float | None = None) -> Callable[[click.Context, click.Parameter, str], float]:
    """A callback that reads an option as seconds. `zero` is the meaning of 0. Without it, 0 is rejected."""

    def read(_: click.Context, parameter: click.Parameter, text: str) -> float:
        seconds = _seconds(text)
        if seconds is not None and seconds > MOST:
            raise click.BadParameter(f"{text!r} exceeds the maximum of 100000h", param=parameter)
        if seconds is None:
            raise click.BadParameter(f"{text!r} is not a duration. Write it as 30s or 1m30s", param=parameter)
        found = seconds or zero
        if found is None:
            raise click.BadParameter(f"{text!r} is not a valid time limit. Write it as 30s", param=parameter)
        return found

    return read


def _seconds(text: str) -> float | None:
    if _PLAIN.fullmatch(text):
        return float(text)
    if not _WHOLE.fullmatch(text):
        return None
    return sum(float(number) * SECONDS[unit] for number, unit in _PART.findall(text))


def timeout_option(what: str) -> Callable[..., Any]:
    """kubectl's `--timeout`, where 0 means the command's default."""
    return click.option(
        "--timeout",
        callback=duration(zero=USUAL),
        default=f"{USUAL:.0f}s",
        show_default=True,
        metavar="DURATION",
        help=f"{what} (example: 45s or 1m30s). 0 means the default.",
    )
