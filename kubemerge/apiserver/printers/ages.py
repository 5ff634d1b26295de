"""Durations as kubectl prints them: `90s`, `7m30s`, `47h`, `3d4h`, `2y30d`."""

from __future__ import annotations

import re
from datetime import datetime, timezone

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "y": 365 * 86_400}
STEPS = (
    (120, "s", ""),
    (10 * 60, "m", "s"),
    (3 * 3600, "m", ""),
    (8 * 3600, "h", "m"),
    (48 * 3600, "h", ""),
    (8 * 86_400, "d", "h"),
    (2 * SECONDS["y"], "d", ""),
    (8 * SECONDS["y"], "y", "d"),
    (float("inf"), "y", ""),
)
"""The maximum seconds for the first unit, with the rest in the second unit."""

_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)")


def moment(text: object) -> datetime | None:
    """Parse a time of the API. Return None if it is invalid."""
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    if not found:
        return None
    try:
        return datetime.fromisoformat(found[1] + found[2].replace("Z", "+00:00"))
    except ValueError:
        return None


def now() -> datetime:
    """Return the current time, for ages."""
    return datetime.now(timezone.utc)


def age(text: object) -> str:
    """Return the age of a timestamp."""
    then = moment(text)
    return "<unknown>" if then is None else duration((now() - then).total_seconds())


def duration(seconds: float) -> str:
    """Return a duration as text."""
    if seconds < -1:
        return "<invalid>"
    whole = max(0, int(seconds))
    unit, rest = next((unit, rest) for below, unit, rest in STEPS if whole < below)
    count, left = divmod(whole, SECONDS[unit])
    more = left // SECONDS[rest] if rest else 0
    return f"{count}{unit}" + (f"{more}{rest}" if more else "")
