"""What the results of a run come to: how often what was found, in which clusters and kinds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ..output.text import how_many, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .results import Results

COLUMNS = ("cluster", "kind", "what", "severity")
WORST = ("error", "breaking", "warning", "notable", "info")
"""The severities of all works, the worst first."""
_MOST = 20
"""How many lines of one list are printed as text."""


class Summary(NamedTuple):
    """The results of a run, counted."""

    objects: int
    counts: dict[tuple[str, str, str, str], int]
    """How many rows there are of each cluster, kind, what and severity."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(self.counts.values())

    def unreadable(self, what: str) -> int:
        """How many rows say that an object could not be looked at."""
        return sum(count for key, count in self.counts.items() if key[2] == what)

    def by(self, column: str) -> list[tuple[str, dict[str, int]]]:
        """The values of a column with their counts by severity, the worst first."""
        at = COLUMNS.index(column)
        found: dict[str, Counter[str]] = {}
        for key, count in self.counts.items():
            found.setdefault(key[at], Counter())[key[3]] += count
        return sorted(
            ((name, dict(counts)) for name, counts in found.items()),
            key=lambda one: (*(-one[1].get(severity, 0) for severity in WORST), one[0]),
        )


def summarized(results: Results, keys: Iterable[str]) -> Summary:
    """The summary of these parts, read one after the other."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    objects = 0
    for key in keys:
        objects += results.about(key).objects
        table = results.read(key, [*COLUMNS]).group_by([*COLUMNS]).aggregate([([], "count_all")])
        columns = [table.column(name).to_pylist() for name in (*COLUMNS, "count_all")]
        for cluster, kind, what, severity, count in zip(*columns, strict=True):
            counts[cluster, kind, what, severity] += count
    return Summary(objects, dict(sorted(counts.items())))


def facts(summary: Summary) -> dict[str, Any]:
    """A summary for programs."""
    return {
        "objects": summary.objects,
        "rows": summary.rows,
        "counts": [{**dict(zip(COLUMNS, key, strict=True)), "rows": count} for key, count in summary.counts.items()],
    }


def text(summary: Summary) -> Iterator[str]:
    """A summary for people: clusters, what was found, and kinds, the worst first."""
    there = {key[3] for key in summary.counts}
    severities = [one for one in WORST if one in there]
    yield f"{how_many(summary.rows, 'row')} about {how_many(summary.objects, 'object')}"
    for column in ("cluster", "what", "kind") if severities else ():
        found = summary.by(column)
        width = max(len(column), *(len(shown(name)) for name, _ in found[:_MOST]))
        yield ""
        yield f"{column:<{width}} {''.join(f'{one:>10}' for one in severities)}"
        for name, counts in found[:_MOST]:
            yield f"{shown(name):<{width}} {''.join(f'{counts.get(one, 0):>10}' for one in severities)}"
        if len(found) > _MOST:
            yield f"and {len(found) - _MOST} more (-o json has them)"
