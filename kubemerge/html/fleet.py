"""The fleet page: clusters by kinds, the most frequent findings, and sample rows with a query for all of them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..fleet.overview import looked
from ..fleet.summary import FAILING, GAPS, GAPS_UNKNOWN, MARKS, NAMELESS, WORST, badness, is_undecided
from .bundles import SYMBOLS
from .rendering import UNSEEN, page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..fleet.overview import FindingGroup, Overview

MOST_CLUSTERS = 200
MOST_KINDS = 30
"""Maximum number of rows and columns of the table. The rest is combined in one more row and column."""
_LONG, _SENTENCE = 120, 300
"""Maximum lengths of a name or value, and of a finding's text."""
_NAMED = 3
"""Maximum number of kinds that are named."""
_FAILED = 20
"""Maximum number of failed parts, and of incompletely known clusters, that are named."""
_LISTED = 200
"""Maximum number of failed parts or such clusters in an expandable list, and of inspected kinds."""
STYLES = dict(zip(WORST, "bbnni", strict=True))
"""The colour of each severity."""
SIGNS = {**SYMBOLS, "error": SYMBOLS["breaking"], "warning": SYMBOLS["notable"], "info": "·"}
LEADS = {
    "lint": ("finding", "Findings of lint for the objects of each cluster."),
    "upgrade": ("finding", "Effects of the upgrade on the objects of each cluster."),
    "drift": ("difference", "Changes by an apply of the config in each cluster, and missing objects."),
    "repair": ("field or patch", "Drifted fields in each cluster, the patches that repair them, and missing objects."),
    "owners": ("owner", "Field owners in each cluster, one row per owner and field."),
    "migrate": ("field", "Predicted effects of the first server-side apply in each cluster."),
}
"""The name of one row of each work, and the lead of its page."""


class RunInfo(NamedTuple):
    """The origin of the results."""

    work: str
    facts: Sequence[tuple[str, str]]
    """The options, as names and values."""
    folder: str
    """Where the rows are."""
    failed: Sequence[tuple[str, str]] = ()
    """The files of parts that are not in the results, and why."""


@dataclass(frozen=True)
class Cell:
    """The findings for one kind in one cluster."""

    counts: Mapping[int, int]
    """The number of rows of each finding, by the finding's number on the page."""
    worst: str
    """The worst severity."""
    number: int
    """The number of rows with the worst severity. Less severe findings may be far more frequent."""
    style: str

    @property
    def data(self) -> str:
        """The counts as the script reads them."""
        return " ".join(f"{at}:{count}" for at, count in sorted(self.counts.items()))

    @property
    def first(self) -> int:
        """The number of the worst that was found."""
        return min(self.counts)


@dataclass(frozen=True)
class FleetLine:
    """A cluster, or those that are left."""

    name: str
    where: str
    """The condition that finds its rows."""
    objects: int
    """The number of inspected objects that have rows."""
    of: int
    """The number of inspected objects."""
    mark: str
    """The reason why the results are incomplete, if they are."""
    total: Cell | None
    cells: tuple[Cell | None, ...]
    empty: tuple[str, ...]
    """The meaning of an empty cell: "none" (no objects of the kind), "unknown" (not inspected), or no findings.

    The first entry is the total's.
    """


@dataclass(frozen=True)
class Column:
    """A kind, or those that are left."""

    name: str
    where: str


class Table(NamedTuple):
    """The clusters by kinds."""

    lines: list[FleetLine]
    columns: list[Column]
    at_cluster: dict[str, int]
    """The line of each cluster."""
    at_kind: dict[str, int]
    """The column of each kind."""
    steps: list[int]
    """From which numbers on the colours are stronger."""


@dataclass(frozen=True)
class FindingRow:
    """Something that was found."""

    number: int
    what: FindingGroup
    where: str
    kinds: str

    @property
    def example(self) -> str:
        """The text of one of its rows."""
        return self.what.sample[0].text if self.what.sample else ""

    @property
    def valued(self) -> bool:
        """Whether its rows have values."""
        return any(row.before is not None or row.after is not None for row in self.what.sample)


@dataclass(frozen=True)
class Remainder:
    """The unlisted findings of one severity."""

    number: int
    severity: str
    whats: int
    rows: int


def fleet_page(found: Overview, made: RunInfo) -> str:
    """The page of the results of a run."""
    summary = found.summary
    left = _left(found)
    listed = [_listed(at, one) for at, one in enumerate(found.whats)]
    severities = Counter[str]()
    for key, count in summary.counts.items():
        severities[key[3]] += count
    there = sorted(severities, key=badness)
    return page(
        "fleet.html.j2",
        made=made,
        noun=LEADS[made.work][0],
        lead=LEADS[made.work][1],
        found=found,
        summary=summary,
        clusters=len(found.by_cluster.keys() | summary.looked.keys()),
        gaps=[(GAPS[name], [*clusters.items()], name in FAILING) for name, clusters in summary.gaps.items()],
        gaps_unknown=GAPS_UNKNOWN if summary.gaps_unknown else "",
        looked=looked(summary),
        unfolded=_LISTED,
        touched=sum(found.by_cluster.values()),
        severities=[(name, severities[name], SIGNS.get(name, ""), STYLES.get(name, "")) for name in there],
        signs=SIGNS,
        styles=STYLES,
        undecided=[one for one in listed if is_undecided(*one.what[:2])],
        listed=listed,
        left=left,
        table=_table(found, left),
        kinds=_some_kinds,
        short=_short,
        sentence=_SENTENCE,
        named=_FAILED,
        nameless=NAMELESS,
        shown_rows=sum(len(one.sample) for one in found.whats),
        source=f"'{made.folder.rstrip('/').replace(QUOTE, QUOTE * 2)}/part-*.parquet'",
        python=ascii,
    )


QUOTE = "'"


def _literal(text: str) -> str:
    """A text as an SQL literal. Invisible characters are spelled out, so that the query can be copied from the page."""
    parts = re.split(f"({UNSEEN.pattern}|[\t\r\n])", text)
    said = [f"chr({ord(one)})" if at % 2 else f"'{one.replace(QUOTE, QUOTE * 2)}'" for at, one in enumerate(parts)]
    return " || ".join(one for one in said if one != QUOTE * 2) or QUOTE * 2


def _listed(number: int, what: FindingGroup) -> FindingRow:
    where = f"what = {_literal(what.name)} AND severity = {_literal(what.severity)}"
    return FindingRow(number, what, where, _some_kinds(what.kinds))


def _some_kinds(kinds: Sequence[str]) -> str:
    if len(kinds) > _NAMED:
        return f"{len(kinds)} kinds"
    return ", ".join(one or NAMELESS for one in kinds)


def _left(found: Overview) -> list[Remainder]:
    """The unlisted findings by severity."""
    shown = {one[:2] for one in found.whats}
    rows: Counter[str] = Counter()
    whats: dict[str, set[str]] = {}
    for key, count in found.summary.counts.items():
        if key[2:] not in shown:
            rows[key[3]] += count
            whats.setdefault(key[3], set()).add(key[2])
    return [
        Remainder(len(found.whats) + at, severity, len(whats[severity]), rows[severity])
        for at, severity in enumerate(sorted(rows, key=badness))
    ]


def _table(found: Overview, left: Sequence[Remainder]) -> Table:
    """The clusters and the kinds, the worst first; the last of each stands for all that are left."""
    summary = found.summary
    clusters = [*(name for name, _ in summary.by("cluster")), *summary.clean]
    kinds = [name for name, _ in summary.by("kind")]
    rows, columns = _places(clusters, MOST_CLUSTERS), _places(kinds, MOST_KINDS)
    numbers = {one[:2]: at for at, one in enumerate(found.whats)}
    others = {one.severity: one.number for one in left}
    counts: dict[tuple[int, int], Counter[int]] = {}
    for (cluster, kind, what, severity), count in summary.counts.items():
        number = numbers[what, severity] if (what, severity) in numbers else others[severity]
        counts.setdefault((rows[cluster], columns[kind]), Counter())[number] += count
    heat = _Heat(counts.values(), [*(one.severity for one in found.whats), *(one.severity for one in left)])
    heads = [_column(names) for names in _together(kinds, MOST_KINDS)]
    lines = [
        _line(names, found, tuple(heat.cell(counts.get((at, column))) for column in range(len(heads))), heat, kinds)
        for at, names in enumerate(_together(clusters, MOST_CLUSTERS))
    ]
    return Table(lines, heads, rows, columns, heat.steps)


def _column(names: Sequence[str]) -> Column:
    if len(names) == 1:
        return Column(names[0] or NAMELESS, f"kind = {_literal(names[0])}")
    return Column(f"{len(names)} more", "")


def _line(
    names: Sequence[str], found: Overview, cells: tuple[Cell | None, ...], heat: _Heat, kinds: Sequence[str]
) -> FleetLine:
    total: Counter[int] = sum((Counter(cell.counts) for cell in cells if cell), Counter())
    there: Counter[str] = Counter()
    for name in names:
        there.update(found.summary.looked.get(name, {}))
    gaps = found.summary.gaps
    mark = next((MARKS[gap] for gap in MARKS if any(name in gaps.get(gap, ()) for name in names)), "")
    groups = _together(kinds, MOST_KINDS)
    having = [bool(there), *("" in group or any(there[one] for one in group) for group in groups)]
    return FleetLine(
        names[0] if len(names) == 1 else f"{len(names)} more",
        f"cluster = {_literal(names[0])}" if len(names) == 1 else "",
        sum(found.by_cluster.get(name, 0) for name in names),
        there.total(),
        mark,
        heat.cell(total, 0),
        cells,
        tuple("unknown" if mark else "" if one else "none" for one in having),
    )


def _together(names: Sequence[str], most: int) -> list[Sequence[str]]:
    """Each name alone, and those that are left together."""
    return [*([one] for one in names[:most]), *([names[most:]] if len(names) > most else [])]


def _places(names: Sequence[str], most: int) -> dict[str, int]:
    return {name: min(at, most) for at, name in enumerate(names)}


class _Heat:
    """Colour strength: a third of the cells has the weakest colour, and a third the strongest."""

    def __init__(self, cells: Iterable[Mapping[int, int]], severities: Sequence[str]) -> None:
        self._severities = severities
        numbers = sorted(self._worst(cell)[1] for cell in cells)
        self.steps = [numbers[(len(numbers) * share - 1) // 3] for share in (1, 2)] if numbers else []

    def _worst(self, counts: Mapping[int, int]) -> tuple[str, int]:
        """The worst severity, and how often there is something as bad."""
        worst = min((self._severities[at] for at in counts), key=badness)
        return worst, sum(count for at, count in counts.items() if self._severities[at] == worst)

    def cell(self, counts: Mapping[int, int] | None, level: int | None = None) -> Cell | None:
        """A cell with these findings."""
        if not counts:
            return None
        worst, number = self._worst(counts)
        if level is None:
            level = 1 + sum(number > step for step in self.steps)
        return Cell(counts, worst, number, f"{STYLES.get(worst, 'i')}{level or ''}")


def _short(text: str, most: int = _LONG) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
