"""CronJob schedules and time zones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...eras import Era
from ...problems import Problem, invalid
from ...unchecked import as_text
from ..eras import NO_ZONE, TWO_ZONES, ZONED_SCHEDULE

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
FIELDS: tuple[tuple[int, int, dict[str, int]], ...] = (
    (0, 59, {}),
    (0, 23, {}),
    (1, 31, {}),
    (1, 12, {name: number for number, name in enumerate(_MONTHS, 1)}),
    (0, 6, {name: number for number, name in enumerate(_DAYS)}),
)
"""Minutes, hours, days of the month, months, and days of the week: minimum, maximum, and names."""
SHORT = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_DURATION = re.compile(r"[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)")
_ZONE_PART = re.compile(r"[A-Za-z.\-_0-9+]{1,14}")
MOST = 2**63 - 1


class BadSchedule(ValueError):
    """An invalid schedule, with the server's message."""


def schedule(at: str, written: str, zone: Any, *, zoned: bool) -> Iterator[Problem]:
    """Validate a schedule. `zoned`: its old value contained a time zone, which it may keep."""
    try:
        _read(written)
    except BadSchedule as error:
        yield invalid(at, written, str(error))
    parts = written.split()
    if "TZ" in written and len(parts) != len(FIELDS):
        why = f"Expected exactly {len(FIELDS)} fields, found {len(parts)}: {written}"
        yield from NO_ZONE.limit([invalid(at, written, why)])
    if "TZ" in written and not zoned:
        why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
        yield from ZONED_SCHEDULE.limit([invalid(at, written, why)])
    if "TZ" in written and zone is not None:
        found = invalid(at, written, "cannot use both timeZone field and TZ or CRON_TZ in schedule")
        yield from (TWO_ZONES if not zoned else Era()).limit([found])


def _read(written: str) -> None:
    if written.startswith(("TZ=", "CRON_TZ=")):
        zone, space, rest = written.partition("=")[2].partition(" ")
        if not space:
            raise BadSchedule("invalid schedule format: runtime error: slice bounds out of range [:-1]")
        if not _is_zone(zone):
            raise BadSchedule(f"provided bad location {zone}: unknown time zone {zone}")
        written = rest.strip()
    if written.startswith("@"):
        _read_short(written)
        return
    parts = written.split()
    if len(parts) != len(FIELDS):
        raise BadSchedule(f"expected exactly {len(FIELDS)} fields, found {len(parts)}: [{' '.join(parts)}]")
    for part, (low, high, names) in zip(parts, FIELDS, strict=True):
        for one in filter(None, part.split(",")):
            _read_range(one, low, high, names)


def _read_short(written: str) -> None:
    duration = written.removeprefix("@every ")
    if duration != written:
        if not _DURATION.fullmatch(duration):
            raise BadSchedule(f'failed to parse duration {written}: time: invalid duration "{duration}"')
    elif written not in SHORT:
        raise BadSchedule(f"unrecognized descriptor: {written}")


def _read_range(one: str, low: int, high: int, names: dict[str, int]) -> None:
    bounds, *steps = one.split("/")
    first, *rest = bounds.split("-")
    if first in ("*", "?"):
        start, end = low, high
    else:
        start = end = _number(first, names)
        if len(rest) > 1:
            raise BadSchedule(f"too many hyphens: {one}")
        if rest:
            end = _number(rest[0], names)
    if len(steps) > 1:
        raise BadSchedule(f"too many slashes: {one}")
    step = _number(steps[0], {}) if steps else 1
    if steps and not rest:
        end = high
    if start < low:
        raise BadSchedule(f"beginning of range ({start}) below minimum ({low}): {one}")
    if end > high:
        raise BadSchedule(f"end of range ({end}) above maximum ({high}): {one}")
    if start > end:
        raise BadSchedule(f"beginning of range ({start}) beyond end of range ({end}): {one}")
    if not step:
        raise BadSchedule(f"step of range should be a positive number: {one}")


def _number(written: str, names: dict[str, int]) -> int:
    if written.lower() in names:
        return names[written.lower()]
    if not re.fullmatch("[+-]?[0-9]+", written):
        raise BadSchedule(f'failed to parse int from {written}: strconv.Atoi: parsing "{written}": invalid syntax')
    if len(written.lstrip("+-0")) > len(str(MOST)):
        raise BadSchedule(f'failed to parse int from {written}: strconv.Atoi: parsing "{written}": value out of range')
    found = int(written)
    if found < 0:
        raise BadSchedule(f"negative number ({found}) not allowed: {written}")
    return found


def time_zone(at: str, zone: Any) -> Iterator[Problem]:
    """Validate a time zone."""
    if zone is None:
        return
    name = as_text(zone)
    if not name:
        yield invalid(at, name, "timeZone must be nil or non-empty string")
        return
    for part in name.split("/"):
        if part in (".", "..") or part.startswith("-") or not _ZONE_PART.fullmatch(part):
            yield invalid(at, name, f"unknown time zone {name}")
            return
    if name.lower() == "local":
        why = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
        yield invalid(at, name, why)
    if name != "Local" and not _is_zone(name):
        yield invalid(at, name, "time: invalid location name" if ".." in name else f"unknown time zone {name}")


def _is_zone(name: str) -> bool:
    """Whether a time zone exists. Without a time zone database, any name is valid."""
    from zoneinfo import ZoneInfo  # reads files, and is only needed for time zones

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        try:
            ZoneInfo("Etc/UTC")
        except (KeyError, OSError):
            return True
        return False
    return True
