"""Times as Go parses them: which texts are no time, and Go's message about each."""

from __future__ import annotations

import re
from calendar import monthrange

from .....output.go_text import quoted

_TIMES = """
    allocationTimestamp beginRefreshAt completionTime creationTimestamp deletionTimestamp deprecatedFirstTimestamp
    deprecatedLastTimestamp expirationTimestamp finishedAt firstTimestamp lastHeartbeatTime lastPhaseTransitionTime
    lastProbeTime lastScaleTime lastScheduleTime lastSuccessfulTime lastTimestamp lastTransitionTime lastUpdateTime
    notAfter notBefore startTime startedAt time timeAdded
"""
TIMES = frozenset(_TIMES.split())
"""The fields that hold a time in every built-in type that has them (read off the OpenAPI of 1.37)."""
MICRO_TIMES = frozenset({"acquireTime", "eventTime", "lastObservedTime", "renewTime"})
"""The fields that hold a time with microseconds."""

_DATE = (("2006", r"\d{4}"), ("-", "-"), ("01", r"\d\d"), ("-", "-"), ("02", r"\d\d"), ("T", "T"))
_CLOCK = (("15", r"\d\d?"), (":", ":"), ("04", r"\d\d"), (":", ":"), ("05", r"\d\d"))
_FRACTION = re.compile(r"[.,]\d+")
_MICRO = (".000000", r"[.,]\d{6}(?!\d)")
_ZONE = ("Z07:00", r"Z|[+-]\d\d:\d\d")
_MOST = {"15": ("hour", 23), "04": ("minute", 59), "05": ("second", 59)}


def problem(text: str, *, micro: bool = False) -> str:
    """Go's message about a text that is no time; empty for a time."""
    layout = f"2006-01-02T15:04:05{'.000000' if micro else ''}Z07:00"
    begin, rest, wrong = f"parsing time {quoted(text)}", text, ""
    found: dict[str, int] = {}
    for name, pattern in (*_DATE, *_CLOCK, *((_MICRO,) if micro else ()), _ZONE):
        if name == "Z07:00" and not micro and (fraction := _FRACTION.match(rest)):
            rest = rest[fraction.end() :]
        part = re.match(pattern, rest, re.ASCII)
        if part is None:
            return f"{begin} as {quoted(layout)}: cannot parse {quoted(rest)} as {quoted(name)}"
        if name.isdecimal():
            found[name] = int(part[0])
            wrong = wrong or _out_of_range(name, found)
        elif name == "Z07:00" and part[0] != "Z":
            wrong = wrong or _zone(part[0])
        if wrong and name != "02":  # Go looks at the day only when it has read everything
            return f"{begin}: {wrong} out of range"
        rest = rest[part.end() :]
    if rest:
        return f"{begin}: extra text: {quoted(rest)}"
    if not 1 <= found["02"] <= monthrange(max(found["2006"], 1), found["01"])[1]:
        return f"{begin}: day out of range"
    return ""


def _out_of_range(name: str, found: dict[str, int]) -> str:
    if name == "01":
        return "" if 1 <= found[name] <= 12 else "month"
    what, most = _MOST.get(name, ("", 0))
    return what if what and found[name] > most else ""


def _zone(text: str) -> str:
    if int(text[1:3]) > 24:
        return "time zone offset hour"
    return "time zone offset minute" if int(text[4:]) > 60 else ""
