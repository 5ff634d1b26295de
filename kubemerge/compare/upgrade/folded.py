"""The findings of many objects as people read them: equal ones once, with the objects that they are about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from engine.values.go_json import encode

from ...kinds.hazards import POD_SPECS
from ..model import SEVERITIES, SORTS
from .findings import worst
from .places import without_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model import Finding, Replay


class Fold(NamedTuple):
    """One thing that releases do, and the objects that they do it to."""

    finding: Finding
    path: str
    """The field; where objects have it at several places, the place without elements, from the spec of the pod on."""
    replays: tuple[Replay, ...]


class Summary(NamedTuple):
    """How many objects an upgrade touches, and how badly."""

    objects: int
    changed: int
    by_severity: dict[str, int]
    """How many objects there are by the worst that happens to them."""
    by_side: dict[str, dict[str, int]]
    """How many findings there are on each side, by severity; equal ones of several objects count once."""


def at_least(replay: Replay, severity: str) -> Replay:
    """The replay with findings that are at least so bad."""
    from dataclasses import replace

    shown = SEVERITIES[: SEVERITIES.index(severity) + 1]
    return replace(replay, findings=tuple(one for one in replay.findings if one.severity in shown))


def hidden(replays: Sequence[Replay], severity: str) -> dict[str, int]:
    """How many changes have each severity below this one; equal ones count once.

    A finding about all sides is no change.
    """
    counts = Counter(one.finding.severity for one in folded(replays) if one.finding.previous)
    return {one: counts[one] for one in SEVERITIES[SEVERITIES.index(severity) + 1 :]}


def folded(replays: Iterable[Replay]) -> list[Fold]:
    """Every finding once: in the order of the sides, the worst first, then by how many objects it is about."""
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
    """How many objects change, and on which sides."""
    found = Counter(worst(one.findings) for one in replays if one.findings)
    sides: dict[str, dict[str, int]] = {}
    for one in folds:
        counts = sides.setdefault(one.finding.at, dict.fromkeys(SEVERITIES, 0))
        counts[one.finding.severity] += 1
    by_severity = {severity: found[severity] for severity in SEVERITIES}
    return Summary(len(replays), sum(found.values()), by_severity, sides)


def _alike(replay: Replay, one: Finding) -> object:
    values = encode([one.before, one.after])
    return one.at, one.previous, one.sort, one.severity, _place(replay, one.path), one.text, one.way_out, values


def _fold(alike: Sequence[tuple[Replay, Finding]]) -> Fold:
    replay, first = alike[0]
    paths = {one.path for _, one in alike}
    objects = {id(found): found for found, _ in alike}
    path = first.path if len(paths) == 1 else _place(replay, first.path)
    return Fold(first, path, tuple(objects.values()))


def _place(replay: Replay, path: str) -> str:
    """A path without elements; in the spec of a pod, from there on."""
    plain = without_keys(path)
    spec = POD_SPECS.get(str(replay.config.get("kind")))
    if spec and plain.startswith(f"{spec}."):
        return f"PodSpec.{plain.removeprefix(f'{spec}.')}"
    return plain


def _number(side: str) -> tuple[int, ...]:
    parts = side.split(".")
    return (0, *map(int, parts)) if all(one.isdigit() for one in parts) else (-1,)
