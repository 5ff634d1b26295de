"""The summary of a run: the number of findings by cluster and kind."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ..apiserver.text.text import how_many, shown, some
from .results import COLUMNS
from .rows import UNREADABLE, UNTRACKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .results import Key, Results


WORST = ("error", "breaking", "warning", "notable", "info")
"""The severities of all checks, the worst first."""
UNDECIDED = (UNREADABLE, UNTRACKED)
"""The findings for objects that could not be evaluated."""
NAMELESS = "(none)"
"""A placeholder for an empty name, such as the kind of unreadable data."""
GAPS = {
    "absent": "expected, but in no readable dump",
    "unexpected": "unexpected, but there is a dump",
    "incomplete": "partly unreadable, so findings may be missing",
    "lacking": "the dump has no objects of some kinds in the config, so it may be incomplete",
    "undumped": "config, but no dump",
    "unconfigured": "dump, but no config, so not checked",
}
"""Titles of the gaps in the results, by their names in JSON."""
MARKS = {"incomplete": "incomplete", "unconfigured": "no config"}
"""Short titles of the gaps. A cluster with a gap is not reported as clean, even if it has no findings."""
FAILING = {"absent", "unexpected", "incomplete"}
"""The gaps that end a run with 2."""
GAPS_UNKNOWN = "empty and missing dumps are reported once all parts are in the results"
_MOST = 20
"""Maximum number of lines printed for one list."""
_FEW = 5
"""Maximum number of clusters listed in one line."""


class Summary(NamedTuple):
    """The row and object counts of a run."""

    counts: dict[tuple[str, str, str, str], int]
    """Number of rows for each cluster, kind, what and severity."""
    looked: dict[str, dict[str, int]]
    """Number of checked objects for each cluster and kind; unreadable data has an empty kind."""
    gaps: dict[str, dict[str, str]] = {}  # noqa: RUF012 - never modified
    """The clusters of each gap in `GAPS`, each with its details."""
    gaps_unknown: bool = False
    """Whether parts are missing from the results, so that gaps were not searched for."""

    @property
    def objects(self) -> int:
        """Number of checked objects."""
        return sum(self.clusters.values())

    @property
    def clusters(self) -> dict[str, int]:
        """Number of checked objects for each cluster."""
        return {name: sum(kinds.values()) for name, kinds in self.looked.items()}

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(self.counts.values())

    @property
    def undecided(self) -> int:
        """Number of rows about objects that could not be evaluated."""
        return sum(count for key, count in self.counts.items() if is_undecided(*key[2:]))

    @property
    def clean(self) -> list[str]:
        """The clusters without rows."""
        return sorted(self.looked.keys() - {key[0] for key in self.counts})

    @property
    def well(self) -> list[str]:
        """The clusters that were checked completely and have no rows."""
        unknown = {cluster for gap in MARKS for cluster in self.gaps.get(gap, ())}
        return [cluster for cluster in self.clean if self.looked[cluster] and cluster not in unknown]

    def plus(self, counts: Counter[Key]) -> Summary:
        """A copy with more rows."""
        return self._replace(counts=dict(sorted((counts + Counter(self.counts)).items())))

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


def is_undecided(what: str, severity: str) -> bool:
    """Whether an object could not be evaluated. A manager may have the same name, but not this severity."""
    return what in UNDECIDED and severity == WORST[0]


def badness(severity: str) -> int:
    """The index of a severity in `WORST`."""
    return WORST.index(severity) if severity in WORST else len(WORST)


def summarized(results: Results, keys: Mapping[str, str | None]) -> Summary:
    """Summarize these parts, read one after the other.

    Each part comes with its cluster, which may have no objects, or with None if it may have several clusters.
    """
    counts: Counter[Key] = Counter()
    looked: dict[str, Counter[str]] = {}
    for part, whose in keys.items():
        if whose is not None:
            looked.setdefault(whose, Counter())
        for cluster, kinds in results.about(part).kinds.items():
            looked.setdefault(cluster, Counter()).update(kinds)
        counts.update(results.counts(part))
    found = {cluster: dict(sorted(looked[cluster].items())) for cluster in sorted(looked)}
    return Summary(dict(sorted(counts.items())), found)


def facts(summary: Summary) -> dict[str, Any]:
    """A summary as JSON data."""
    return {
        "objects": summary.objects,
        "rows": summary.rows,
        "counts": [{**dict(zip(COLUMNS, key, strict=True)), "rows": count} for key, count in summary.counts.items()],
        "looked": [
            {"cluster": cluster, "kind": kind, "objects": count}
            for cluster, kinds in summary.looked.items()
            for kind, count in (kinds or {"": 0}).items()
        ],
        **{name: [*summary.gaps.get(name, ())] for name in GAPS},
    }


def text(summary: Summary) -> Iterator[str]:
    """A summary as text: clusters, findings and kinds, the worst first."""
    there = {key[3] for key in summary.counts}
    severities = [one for one in WORST if one in there]
    yield f"{how_many(summary.rows, 'row')} about {how_many(summary.objects, 'object')}"
    for column in ("cluster", "what", "kind") if severities else ():
        last, numbers = _last_column(summary, column)
        found = summary.by(column)
        names = {name: shown(name) or NAMELESS for name, _ in found[:_MOST]}
        width = max(map(len, (column, *names.values())))
        yield ""
        yield f"{column:<{width}} {''.join(f'{one:>10}' for one in (*severities, *last))}"
        for name, counts in found[:_MOST]:
            cells = [*(counts.get(one, 0) for one in severities), *(numbers.get(name, 0) for _ in last)]
            yield f"{names[name]:<{width}} {''.join(f'{one:>10}' for one in cells)}"
        if len(found) > _MOST:
            yield f"and {len(found) - _MOST} more (-o json lists them)"
        if column == "cluster" and summary.well:
            yield f"{how_many(len(summary.well), 'more cluster')} without findings"
    for gap, clusters in summary.gaps.items():
        yield f"{GAPS[gap]}: {_named(clusters)}"
    if summary.gaps_unknown:
        yield GAPS_UNKNOWN


def _named(clusters: Mapping[str, str]) -> str:
    names = [f"{shown(one)}: {shown(about)}" if about else shown(one) for one, about in clusters.items()]
    return f"{how_many(len(clusters), 'cluster')} ({some(names, _FEW)})"


def _last_column(summary: Summary, column: str) -> tuple[list[str], dict[str, int]]:
    """The title of the last column, if any, and its number for each value."""
    if column == "cluster":
        return ["objects"], summary.clusters
    at = COLUMNS.index(column)
    clusters = {(key[at], key[0]) for key in summary.counts}
    return ["clusters"], Counter(name for name, _ in clusters)
