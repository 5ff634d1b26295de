"""Effects that servers report themselves, as warnings and rejections, and those in the table of hazards."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...apiserver.eras import minor_of
from ...apiserver.errors import PolicyRejection
from ...apiserver.pipeline import newest_warnings
from ...apiserver.policies.decisions import PolicyWarning
from ...apiserver.problems import body
from ...kinds.hazards import hazards_of
from ...output.problems import masked
from ...output.secrets import is_secret
from ..model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .stored import Simulation

_INERT = re.compile(r"(?:non-functional|disabled by default) in v(1\.[0-9]+)\+")
_AHEAD = ("deprecated",)
"""Findings that are no less severe if every side has them, because they announce a later change."""
_HIDDEN = "the API server now warns about the object (see kubemerge lint)"
_DEPRECATED = re.compile(r"deprecated (?:since|in) v(1\.[0-9]+)\+?")


def stated(config: dict[str, Any], played: Sequence[Simulation]) -> Iterator[Finding]:
    """The reported and documented effects on the object, on the sides where they begin."""
    served = [one for one in played if not one.problem and one.side.tables.release]
    if not served:
        return
    for hazard, place in hazards_of(config):
        found = _since(hazard.since, served, played)
        if found:
            yield _finding(found, hazard.sort, hazard.severity, place, hazard.text, hazard.advice, hazard.source)
    newest = newest_warnings(served[-1].answer, str(served[-1].side.tables.release))
    own = [words for words in newest if not isinstance(words, PolicyWarning)]
    announced = [*_announced(own, served, played)]
    yield from announced
    yield from _warned(played, {(one.at, one.path) for one in announced if one.previous}, hides=is_secret(config))
    yield from _refusals(config, played)


def _announced(
    warnings: Sequence[str], served: Sequence[Simulation], played: Sequence[Simulation]
) -> Iterator[Finding]:
    """The changes that warnings of a server announce, in the release that the warning names."""
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


def _warned(played: Sequence[Simulation], known: set[tuple[str, str]], *, hides: bool) -> Iterator[Finding]:
    """Warnings that a side sends and the side before does not.

    With `hides`, for a Secret, the message of a policy is not shown, because it may contain any value.
    """
    for before, after in pairwise(played):
        if before.answer.object is None or after.answer.object is None:
            continue
        earlier = {*before.answer.warnings}
        for words in dict.fromkeys(after.answer.warnings):
            is_of_annotation = words.startswith("annotation")
            place, _, said = words.rpartition(": ") if is_of_annotation else words.partition(": ")
            is_placed = said and (is_of_annotation or _is_field(place, after.answer.object))
            is_of_policy = isinstance(words, PolicyWarning)
            if is_of_policy or not is_placed:
                place, said = "", str(words)
            if words not in earlier and (after.side.name, place) not in known:
                is_hidden = hides and is_of_policy
                text = _HIDDEN if is_hidden else f"the API server now warns: {said}"
                yield Finding(after.side.name, before.side.name, "warned", "info", place, text)


def _is_field(place: str, content: dict[str, Any]) -> bool:
    """Whether a place begins with a field of the object, unlike "tls" in "tls: private key does not match"."""
    return re.split(r"[.\[]", place, maxsplit=1)[0] in content


def _refusals(config: dict[str, Any], played: Sequence[Simulation]) -> Iterator[Finding]:
    """The sides whose server begins to reject the object, or to accept it."""
    for after in (one for one in played if not one.problem):
        before = _before(after, played)
        known = before.answer.problems if before else ()
        if before and known and after.answer.object is not None:
            text = f"the API server accepts it (before, it rejected {known[0].path or 'the object'})"
            yield Finding(after.side.name, before.side.name, "accepted", "info", "", text)
        by_policy = isinstance(after.answer.error, PolicyRejection)
        paths, texts = {one.path for one in known}, {*known}
        for problem in after.answer.problems:
            if problem.path not in paths or (by_policy and problem not in texts):
                text = f"the API server rejects it: {body(masked(problem, config))}"
                severity = "info" if known else "breaking"
                yield _finding((after, before), "refused", severity, problem.path, text, "", "")


def _since(
    release: str, served: Sequence[Simulation], played: Sequence[Simulation]
) -> tuple[Simulation, Simulation | None] | None:
    """The first side with a release at least as new as this one, with the side before it."""
    at = next((one for one in served if _minor(str(one.side.tables.release)) >= _minor(release)), None)
    if at is None:
        return None
    return at, _before(at, played)


def _before(at: Simulation, played: Sequence[Simulation]) -> Simulation | None:
    """The side before one, if it serves the kind."""
    return next((one for one, other in pairwise(played) if other is at and not one.problem), None)


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
    return minor_of(release)
