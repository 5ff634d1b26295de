"""The upgrade page: effects on objects, each change once, and releases where an apply has another result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..compare.model import SEVERITIES
from ..compare.upgrade.folded import folded, summary
from .bundles import SYMBOLS, words
from .bundles import BundleRow as Rule
from .releases import order, ranges, span
from .rendering import page
from .tables import Head, against_the_last, neighbours, shortened
from .values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..compare.model import Group, Replay, Split
    from ..compare.upgrade.folded import Fold
    from .tables import Table
    from .values import Value

_COLOURS = ("i", "n", "g", "p", "t", "b")


@dataclass(frozen=True)
class Labelled:
    """A group of releases with its letter and colour."""

    group: Group
    letter: str
    style: str
    releases: str


@dataclass(frozen=True)
class ReplayedField:
    """A field whose value changes with a release."""

    path: str
    before: Value | None
    after: Value | None


@dataclass(frozen=True)
class Break:
    """A release with another result: the differences, and the rules that caused it."""

    split: Split
    fields: tuple[ReplayedField, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class ReplayedObject:
    """One object of the page."""

    replay: Replay
    number: int
    groups: tuple[Labelled, ...]
    releases: tuple[tuple[str, Labelled, bool], ...]
    """Every release with its group, and whether the result splits there."""
    breaks: tuple[Break, ...]
    results: Table | None
    inputs: Table | None


_SHOWN = 60
"""Maximum number of objects that all get a section of the page. Beyond it, only objects whose apply result differs do.
"""
_WITH_RESULTS = 25
"""Maximum number of these with their results side by side."""
_WITH_PLACES = 60
"""Up to how many objects of a change have their files beside them."""
_OPEN = 6
"""Up to how many objects of a change are named without unfolding."""


@dataclass(frozen=True)
class ReplayedChange:
    """A change of the page."""

    fold: Fold
    symbol: str
    before: Value | None
    after: Value | None

    @property
    def is_long(self) -> bool:
        """Whether its objects are folded."""
        return len(self.fold.replays) > _OPEN

    @property
    def places(self) -> bool:
        """Whether its objects have their files beside them."""
        return len(self.fold.replays) <= _WITH_PLACES


def replay_page(replays: Sequence[Replay]) -> str:
    """The page of the effects of releases on objects."""
    folds = folded(replays)
    found = summary(replays, folds)
    changes = [_change(one) for one in folds]
    touched = [one for one in replays if one.findings or one.splits]
    shown = touched if len(touched) <= _SHOWN else [one for one in touched if one.splits]
    shown = shown or (list(replays) if len(replays) == 1 else [])
    objects = [_object(number, replay, results=number < _WITH_RESULTS) for number, replay in enumerate(shown)]
    sides = sorted({name for one in replays for group in one.groups for name in group.releases}, key=order)
    return page(
        "replay.html.j2",
        title=replays[0].name if len(replays) == 1 else f"{len(replays)} objects",
        span=span(sides) if sides else "",
        changes=changes,
        symbols=SYMBOLS,
        counts={severity: sum(one.finding.severity == severity for one in folds) for severity in SEVERITIES},
        objects=objects,
        same=[one for one in replays if not one.findings and not one.splits] if len(replays) > 1 else [],
        tiles=[
            ("changed", found.changed, "±", ""),
            *((name, number, SYMBOLS[name], name[0]) for name, number in found.by_severity.items() if number),
            ("unchanged", found.objects - found.changed, "=", ""),
        ],
    )


def _change(fold: Fold) -> ReplayedChange:
    one = fold.finding
    valued = one.before is not None or one.after is not None
    return ReplayedChange(
        fold, SYMBOLS[one.severity], shown(one.before) if valued else None, shown(one.after) if valued else None
    )


def _object(number: int, replay: Replay, *, results: bool) -> ReplayedObject:
    groups = tuple(_labelled(at, group, len(replay.groups)) for at, group in enumerate(replay.groups))
    split = {one.at for one in replay.splits}
    releases = sorted(
        ((name, labelled) for labelled in groups for name in labelled.group.releases), key=lambda one: order(one[0])
    )
    return ReplayedObject(
        replay,
        number,
        groups,
        tuple((name, labelled, name in split) for name, labelled in releases),
        tuple(_break(one) for one in replay.splits),
        _results(groups) if results else None,
        _inputs(replay) if results and replay.live is not None else None,
    )


def _labelled(at: int, group: Group, many: int) -> Labelled:
    style = "failed" if group.outcome is None else _COLOURS[at % len(_COLOURS)] if many > 1 else "i"
    return Labelled(group, _letter(at), style, ranges(group.releases))


def _letter(at: int) -> str:
    return chr(ord("A") + at) if at < 26 else str(at + 1)


def _break(split: Split) -> Break:
    fields = tuple(ReplayedField(one.path, shown(one.before), shown(one.after)) for one in split.differences)
    return Break(split, fields, tuple(Rule(rule, words(rule.before), words(rule.after)) for rule in split.rules))


def _results(groups: Sequence[Labelled]) -> Table | None:
    columns: list[tuple[Head, Any]] = [
        (Head(labelled.letter, labelled.releases), labelled.group.outcome.merged)
        for labelled in groups
        if labelled.group.outcome is not None
    ]
    if not columns:
        return None
    return neighbours(columns) if len(columns) == 1 else shortened(neighbours(columns))


def _inputs(replay: Replay) -> Table:
    columns = [("last applied", replay.last_applied), ("live", replay.live), ("config", replay.config)]
    return against_the_last([(Head(name), document) for name, document in columns if document is not None])
