"""The page of a comparison: a matrix of releases by kinds, a time line per kind, and all changes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ..compare.model import SEVERITIES
from ..compare.reports.facts import by_severity
from .bundles import SYMBOLS, bundled
from .releases import span
from .rendering import page
from .shared import GROUP, shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..compare.folding import Key
    from ..compare.model import Comparison, RuleChange, Step
    from .bundles import Bundle

STEP = 14
"""The distance between two releases on a time line."""

_LOTS = 150
"""Maximum number of rows for which the lists of changes and the time lines are unfolded."""


@dataclass(frozen=True)
class Cell:
    """The changes of one kind in one step."""

    step: int
    counts: dict[str, int]
    symbol: str
    label: str
    """The number of changes, or `new` and `gone` for the kind itself."""
    style: str
    """The worst severity and how many there are: `b2`."""

    @property
    def word(self) -> bool:
        """Whether the label is a word, not a number."""
        return not self.label.isdigit()

    @property
    def place(self) -> int:
        """The position of the step on a time line: at the release on its right."""
        return (self.step + 1) * STEP + STEP // 2


@dataclass(frozen=True)
class CompareLine:
    """A kind: a row of the matrix and a time line."""

    number: int
    key: Key
    counts: dict[str, int]
    cells: tuple[Cell | None, ...]
    served: tuple[bool, ...]
    """For each side, whether it has the kind."""

    @property
    def version(self) -> str:
        """The version without the group, which is the heading above it in the matrix."""
        return self.key[0].rpartition("/")[2]

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The start and end of each range on the time line in which the kind is served."""
        runs = [list(run) for has, run in groupby(range(len(self.served)), key=self.served.__getitem__) if has]
        return [(run[0] * STEP + STEP // 2, run[-1] * STEP + STEP // 2) for run in runs]


@dataclass(frozen=True)
class Column:
    """A step: a column of the matrix and a list of changes."""

    number: int
    step: Step
    counts: dict[str, int]
    bundles: list[Bundle]


def compare_page(comparison: Comparison, *, title: str | None = None) -> str:
    """The page of a comparison."""
    comparison = shared(comparison)
    columns = [
        Column(number, step, by_severity(step.changes), bundled(step.changes))
        for number, step in enumerate(comparison.steps)
    ]
    lines = _lines(comparison)
    return page(
        "compare.html.j2",
        title=title or span(comparison.sides),
        sides=comparison.sides,
        columns=columns,
        groups=[(name, list(members)) for name, members in groupby(lines, key=_group)],
        numbers={line.key: line.number for line in lines},
        quiet=sorted(comparison.served.keys() - {line.key for line in lines}),
        folded=any(line.key[0].startswith(GROUP) for line in lines),
        counts=by_severity(comparison.changes),
        facts=_facts(comparison, sum(not line.key[0].startswith(GROUP) for line in lines)),
        symbols=SYMBOLS,
        unit=STEP,
        lots=sum(len(bundle.rows) for column in columns for bundle in column.bundles) > _LOTS,
    )


def _facts(comparison: Comparison, touched: int) -> list[tuple[str, int]]:
    """The comparison in figures."""
    whole = [change.aspects for change in comparison.changes if not change.path]
    return [
        ("kinds compared", len(comparison.served) or touched),
        ("kinds changed", touched),
        ("kinds added", sum("kind added" in aspects for aspects in whole)),
        ("kinds removed", sum("kind removed" in aspects for aspects in whole)),
    ]


def _lines(comparison: Comparison) -> list[CompareLine]:
    """The kinds that change, by API group and name."""
    found: dict[Key, list[list[RuleChange]]] = {}
    for number, step in enumerate(comparison.steps):
        for change in step.changes:
            found.setdefault(change.key, [[] for _ in comparison.steps])[number].append(change)
    return [_line(number, key, found[key], comparison) for number, key in enumerate(sorted(found, key=_place))]


def _line(number: int, key: Key, steps: Sequence[Sequence[RuleChange]], comparison: Comparison) -> CompareLine:
    has = comparison.served.get(key, frozenset(comparison.sides))
    cells = tuple(_cell(at, changes) if changes else None for at, changes in enumerate(steps))
    counts = by_severity(change for changes in steps for change in changes)
    return CompareLine(number, key, counts, cells, tuple(side in has for side in comparison.sides))


def _cell(step: int, changes: Sequence[RuleChange]) -> Cell:
    counts = by_severity(changes)
    worst = next(severity for severity in SEVERITIES if counts[severity])
    level = 1 + (len(changes) > 3) + (len(changes) > 20)
    return Cell(step, counts, SYMBOLS[worst], _label(changes), f"{worst[0]}{level}")


def _label(changes: Iterable[RuleChange]) -> str:
    aspects = {aspect for change in changes for aspect in change.aspects}
    if "kind added" in aspects:
        return "new"
    return "gone" if "kind removed" in aspects else str(sum(1 for _ in changes))


def _group(line: CompareLine) -> str:
    return line.key[0].rpartition("/")[0] or "core"


def _place(key: Key) -> tuple[str, str, str]:
    """The sort key of a kind: by group. The core group has no name and comes first."""
    api_version, kind = key
    return api_version.rpartition("/")[0], kind, api_version
