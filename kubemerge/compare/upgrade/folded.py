"""The findings of many objects, grouped for reports: equal ones once, with their objects."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from engine.values.go_json import encode

from ...kinds.hazard import POD_SPECS
from ..model import SEVERITIES, SORTS
from .findings import worst
from .places import without_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model import Finding, Replay


class Fold(NamedTuple):
    """An effect of releases, with the objects that it applies to."""

    finding: Finding
    path: str
    """The field; if it occurs at several places, its path without elements, relative to the pod spec."""
    replays: tuple[Replay, ...]


class Summary(NamedTuple):
    """The number of objects affected by an upgrade, by severity."""

    objects: int
    changed: int
    by_severity: dict[str, int]
    """Number of objects, by the worst severity of their findings."""
    by_side: dict[str, dict[str, int]]
    """Number of findings on each side, by severity; equal ones of several objects count once."""


def at_least(replay: Replay, severity: str) -> Replay:
    """The replay with findings of at least this severity."""
    from dataclasses import replace

    shown = SEVERITIES[: SEVERITIES.index(severity) + 1]
    return replace(replay, findings=tuple(one for one in replay.findings if one.severity in shown))


def hidden(replays: Sequence[Replay], severity: str) -> dict[str, int]:
    """The number of changes of each severity below this one; equal ones count once.

    A finding on every side is not a change.
    """
    counts = Counter(one.finding.severity for one in folded(replays) if one.finding.previous)
    return {one: counts[one] for one in SEVERITIES[SEVERITIES.index(severity) + 1 :]}


def folded(replays: Iterable[Replay]) -> list[Fold]:
    """Every finding once: in the order of the sides, the worst first, then by the number of its objects."""
    found: dict[object, list[tuple[Replay, Finding]]] = {}
    sides: dict[str, int] = {}
    for replay in replays:
        for group in replay.groups:
            sides.update(dict.fromkeys(group.releases, 0))
        for one in replay.findings:
            found.setdefault(_alike(replay, one), []).append((replay, one))
    order = {side: at for at, side in enumerate(sorted(sides, key=_number))}
    folds = [_fold(alike) for alike in found.values()]
    sorts = list(SORTS)
    return sorted(
        folds,
        key=lambda one: (
            order.get(one.finding.at, 0),
            SEVERITIES.index(one.finding.severity),
            sorts.index(one.finding.sort),
            -len(one.replays),
            one.path,
        ),
    )


def summary(replays: Sequence[Replay], folds: Sequence[Fold]) -> Summary:
    """The number of objects that change, and the sides on which they do."""
    found = Counter(worst(one.findings) for one in replays if one.findings)
    sides: dict[str, dict[str, int]] = {}
    for one in folds:
        counts = sides.setdefault(one.finding.at, dict.fromkeys(SEVERITIES, 0))
        counts[one.finding.severity] += 1
    by_severity = {severity: found[severity] for severity in SEVERITIES}
    return Summary(len(replays), sum(found.values()), by_severity, sides)


def _alike(replay: Replay, one: Finding) -> object:
    values = encode([one.before, one.after])
    return one.at, one.previous, one.sort, one.severity, _place(replay, one.path), one.text, one.advice, values


def _fold(alike: Sequence[tuple[Replay, Finding]]) -> Fold:
    replay, first = alike[0]
    paths = {one.path for _, one in alike}
    objects = {id(found): found for found, _ in alike}
    path = first.path if len(paths) == 1 else _place(replay, first.path)
    return Fold(first, path, tuple(objects.values()))


def _place(replay: Replay, path: str) -> str:
    """A path without elements; relative to the pod spec inside of it."""
    plain = without_keys(path)
    spec = POD_SPECS.get(str(replay.config.get("kind")))
    if spec and plain.startswith(f"{spec}."):
        return f"PodSpec.{plain.removeprefix(f'{spec}.')}"
    return plain


def _number(side: str) -> tuple[int, ...]:
    parts = side.split(".")
    return (0, *map(int, parts)) if all(one.isdigit() for one in parts) else (-1,)
