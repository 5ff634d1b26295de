"""Times as Go parses and prints them, with Go's errors."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime, timedelta, timezone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DATE = (("2006", r"\d{4}"), ("-", "-"), ("01", r"\d\d"), ("-", "-"), ("02", r"\d\d"), ("T", "T"))
_CLOCK = (("15", r"\d\d?"), (":", ":"), ("04", r"\d\d"), (":", ":"), ("05", r"\d\d"))
_ANY_FRACTION = ("", r"(?:[.,]\d+)?")
_MICRO = (".000000", r"[.,]\d{6}(?!\d)")
_ZONE = ("Z07:00", r"Z|[+-]\d\d:\d\d")
_PLAIN = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", re.ASCII)
"""Times in the form that is printed, on days that every month has: nearly all, and quickly recognised."""
_MOST = {"15": ("hour", 23), "04": ("minute", 59), "05": ("second", 59)}


def quoted(text: str) -> str:
    r"""Return a text as Go's time errors quote it: bytes that are not printable ASCII as `\x09`."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(byte) if 32 <= byte < 128 else f"\\x{byte:02x}" for byte in escaped) + '"'


def problem(text: str, *, micro: bool = False, local: bool = False) -> str:
    """Go's message about a text that is no time; empty for a time. `local`: the time must have no zone."""
    if not micro and not local and _PLAIN.fullmatch(text):
        return ""
    rest, wrong = text, ""
    found: dict[str, int] = {}
    for name, pattern in (*_DATE, *_CLOCK, _MICRO if micro else _ANY_FRACTION, *(() if local else (_ZONE,))):
        part = re.match(pattern, rest, re.ASCII)
        if part is None:
            layout = f"2006-01-02T15:04:05{'.000000' if micro else ''}{'' if local else 'Z07:00'}"
            return f"parsing time {quoted(text)} as {quoted(layout)}: cannot parse {quoted(rest)} as {quoted(name)}"
        if name.isdecimal():
            found[name] = int(part[0])
            wrong = wrong or _out_of_range(name, found)
        elif name == "Z07:00" and part[0] != "Z":
            wrong = wrong or _zone(part[0])
        if wrong and name != "02":  # Go looks at the day only when it has read everything
            return f"parsing time {quoted(text)}: {wrong} out of range"
        rest = rest[part.end() :]
    if rest:
        return f"parsing time {quoted(text)}: extra text: {quoted(rest)}"
    from calendar import monthrange  # few times are printed differently

    if not 1 <= found["02"] <= monthrange(max(found["2006"], 1), found["01"])[1]:
        return f"parsing time {quoted(text)}: day out of range"
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


_PARTS = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)", re.ASCII)


def printed(text: Any, *, micro: bool = False) -> Any:
    """Return a time as Go prints it: in UTC, with whole seconds or microseconds. The zero time is null."""
    if not micro and isinstance(text, str) and text != _ZERO and _PLAIN.fullmatch(text):
        return text
    found = as_time(text, micro=micro)
    if found is None:
        return text  # imported objects are not validated
    if found == _FIRST:
        return None
    shown = found.strftime("%m-%dT%H:%M:%S") + (f".{found.microsecond:06}" if micro else "")
    return f"{found.year:04}-{shown}Z"


def as_time(value: Any, *, micro: bool = False) -> datetime | None:
    """Parse a time. None for other values, and for times before the year 1 and after 9999."""
    if not isinstance(value, str) or problem(value, micro=micro):
        return None
    with suppress(OverflowError, ValueError):
        return parsed(value)
    return None


def parsed(text: str) -> datetime:
    """Parse a time without a `problem`. Raise OverflowError or ValueError before the year 1 and after 9999."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise ValueError(text)
    *numbers, fraction, zone = parts.groups()
    year, month, day, hour, minute, second = map(int, numbers)
    offset = timedelta()
    if zone != "Z":
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:])) * (-1 if zone[0] == "-" else 1)
    micros = int((fraction or "").ljust(6, "0")[:6])
    return datetime(year, month, day, hour, minute, second, micros, timezone.utc) - offset


_ZERO = "0001-01-01T00:00:00Z"
_FIRST = datetime(1, 1, 1, tzinfo=timezone.utc)
