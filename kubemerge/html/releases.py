"""Releases by number, for people to read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RELEASE = re.compile(r"(\d+)\.(\d+)")


def order(side: str) -> tuple[int, ...]:
    """The sort key of a release; other names come after releases."""
    found = _RELEASE.fullmatch(side)
    return (0, *map(int, found.groups())) if found else (1,)


def span(sides: Sequence[str]) -> str:
    """From the first to the last: `Kubernetes 1.8 to 1.37`."""
    named = "Kubernetes " if all(map(_RELEASE.fullmatch, sides)) else ""
    return f"{named}{sides[0]} to {sides[-1]}"


def ranges(releases: Iterable[str]) -> str:
    """Releases in few words: `1.8 to 1.12, 1.15`."""
    runs: list[list[str]] = []
    for release in sorted(releases, key=order):
        if runs and _follows(runs[-1][-1], release):
            runs[-1].append(release)
        else:
            runs.append([release])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _follows(before: str, after: str) -> bool:
    one, other = order(before), order(after)
    return len(one) == len(other) == 3 and one[1] == other[1] and one[2] + 1 == other[2]
