"""Durations as Go parses them: `1h30m`, and in the format `duration` also `2 weeks`."""

from __future__ import annotations

import re

MOST_DIGITS = 100
"""The maximum number of digits. More are out of range in any unit."""
_SECOND = 10**9
_UNITS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": _SECOND,
    "m": 60 * _SECOND,
    "h": 3600 * _SECOND,
}
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)")
_LONG_PART = re.compile(r"([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)")
_LONG_UNITS = {
    ("ns", "nano"): _UNITS["ns"],
    ("us", "µs", "micro"): _UNITS["us"],
    ("ms", "milli"): _UNITS["ms"],
    ("s", "sec"): _UNITS["s"],
    ("m", "min"): _UNITS["m"],
    ("h", "hr", "hour"): _UNITS["h"],
    ("d", "day"): 24 * _UNITS["h"],
    ("w", "wk", "week"): 7 * 24 * _UNITS["h"],
}
"""The names of each unit, and its nanoseconds. The last name may have more characters."""


def nanoseconds(text: str) -> int | None:
    """Return the nanoseconds of a duration such as `1h30m`. None if it is invalid. Upstream: `time.ParseDuration`."""
    sign = -1 if text.startswith("-") else 1
    rest = text[1:] if text[:1] in ("+", "-") else text
    parts = _PART.findall(rest)
    if (not parts and rest != "0") or "".join(number + unit for number, unit in parts) != (rest if parts else ""):
        return None
    total = 0
    for number, unit in parts:
        whole, _, fraction = number.partition(".")
        whole, fraction = whole.lstrip("0"), fraction[:MOST_DIGITS]
        if len(whole) > MOST_DIGITS:
            return None
        total += int(whole or 0) * _UNITS[unit] + int(fraction or 0) * _UNITS[unit] // 10 ** len(fraction)
    return None if total >= 2**63 + (sign < 0) else sign * total


def nanoseconds_of_format(text: str) -> int | None:
    """Return the nanoseconds of a value of the format `duration`. They wrap around, as in Go.

    Upstream: `strfmt.ParseDuration`.
    """
    total = nanoseconds(text)
    if total is not None:
        return total
    for number, unit in _LONG_PART.findall(text):
        if len(number.lstrip("0")) > MOST_DIGITS or int(number) >= 2**63:
            return None
        for names, size in _LONG_UNITS.items():
            if unit.lower() in names or unit.lower().startswith(names[-1]):
                total = (total or 0) + int(number) * size
    return None if total is None else (total + 2**63) % 2**64 - 2**63
