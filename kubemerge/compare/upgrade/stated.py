"""Documented effects of releases: warnings and rejections of the newest server, and the table of hazards."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import engine

from ...apiserver.pipeline import newest_warnings
from ...apiserver.problems import body
from ...kinds.hazards import hazards_of
from ...kinds.stricter import stricter_since
from ...output.problems import masked
from ..model import Finding
from .places import without_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...apiserver.problems import Problem
    from .stored import Simulation

_INERT = re.compile(r"(?:non-functional|disabled by default) in v(1\.[0-9]+)\+")
_AHEAD = ("deprecated",)
"""Findings that are no less severe if every side has them, because they announce a later change."""
_DEPRECATED = re.compile(r"deprecated (?:since|in) v(1\.[0-9]+)\+?")


def stated(config: dict[str, Any], played: Sequence[Simulation]) -> Iterator[Finding]:
    """The documented effects on the object, on the sides where they begin."""
    served = [one for one in played if not one.problem and one.side.tables.release]
    if not served:
        return
    for hazard, place in hazards_of(config):
        found = _since(hazard.since, served, played)
        if found:
            yield _finding(found, hazard.sort, hazard.severity, place, hazard.text, hazard.advice, hazard.source)
    judged = served[-1].judged()
    yield from _warnings(newest_warnings(judged, str(served[-1].side.tables.release)), served, played)
    yield from _refusals(config, judged.problems, served, played)


def _warnings(warnings: Sequence[str], served: Sequence[Simulation], played: Sequence[Simulation]) -> Iterator[Finding]:
    """Warnings of a server, in the release that the warning itself names."""
    for words in dict.fromkeys(warnings):
        place, _, said = words.partition(": ")
        inert, deprecated = _INERT.search(said), _DEPRECATED.search(said)
        ways = said.partition("; ")[2]
        source = "the API server's warning"
        found = _since(inert[1], served, played) if inert else None
        if inert and found:
            yield _finding(found, "inert", "breaking", place, f"no effect any more: {said}", ways, source)
        elif deprecated and (found := _since(deprecated[1], served, played)):
            text = said.partition("; ")[0]
            severity = "notable" if inert or found[1] else "info"  # the server begins to warn within the range
            yield _finding(found, "deprecated", severity, place, text, ways, source)


def _refusals(
    config: dict[str, Any], problems: Sequence[Problem], served: Sequence[Simulation], played: Sequence[Simulation]
) -> Iterator[Finding]:
    """Rejections of a server, on the first side with the rejection.

    Only the newest server is queried, so its messages apply to sides with the same fields of the object as the last.
    """
    last = served[-1]
    alike = [one for one in served if one.dropped == last.dropped] if problems else []
    for problem in problems:
        place, said = problem.path, body(masked(problem, config))
        text = f"the API server rejects it: {said}"
        known = stricter_since(str(config.get("kind")), problem)
        if known is not None:
            found = _since(known.since, alike, played)
            if found:
                yield _finding(found, "refused", "breaking", place, text, "", known.source)
            continue
        first = next(one for one in alike if problem in one.judged().problems)
        previous = _before(first, played)
        lost = {*first.dropped} - {*(previous.dropped if previous else first.dropped)}
        if previous is not None and any(without_keys(one).startswith(without_keys(place)) for one in lost):
            yield _finding((first, previous), "refused", "breaking", place, text, "", "")
        else:
            text = f"the newest release rejects it, and others may: {said}"
            yield Finding(last.side.name, "", "refused", _newest(last), place, text)


def _newest(one: Simulation) -> str:
    """The severity of a rejection by the newest release: lower if the upgrade ends at an older release."""
    return "breaking" if one.side.tables.release == engine.releases()[-1] else "info"


def _since(
    release: str, served: Sequence[Simulation], played: Sequence[Simulation]
) -> tuple[Simulation, Simulation | None] | None:
    """The first side with a release at least as new as this one, with the side before it."""
    at = next((one for one in served if _minor(str(one.side.tables.release)) >= _minor(release)), None)
    if at is None:
        return None
    before = _before(at, played)
    return (at, None) if before is None or before.problem else (at, before)


def _before(at: Simulation, played: Sequence[Simulation]) -> Simulation | None:
    return next((one for one, other in pairwise(played) if other is at), None)


def _finding(
    found: tuple[Simulation, Simulation | None],
    sort: str,
    severity: str,
    place: str,
    text: str,
    advice: str,
    source: str,
) -> Finding:
    """A finding; if it began before the first side, it is only informational."""
    at, before = found
    if before is None and sort not in _AHEAD:
        severity, text = "info", f"{text} (also in the release you start from)"
    return Finding(at.side.name, before.side.name if before else "", sort, severity, place, text, advice, source=source)


def _minor(release: str) -> int:
    return int(release.partition(".")[2])
