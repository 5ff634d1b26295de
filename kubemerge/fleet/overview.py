"""The content of a fleet's page: counts of objects and clusters, fields, and sample rows.

The parts are read one after the other. Only counts and the sampled rows of earlier parts are kept in memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Any, NamedTuple

from .extra import library
from .results import COLUMNS
from .rows import Row
from .sampling import quotas
from .summary import WORST, badness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .results import Key, Results
    from .summary import Summary

MOST_ROWS = 3000
"""Maximum number of rows on a page."""
MOST_WHATS = 100
"""Maximum number of findings that the rows are sampled from."""
MOST_FIELDS = 40
"""Maximum number of fields that are listed."""
_COUNTED = 100_000
"""Maximum number of fields counted at once. Paths contain map keys, so there may be as many as objects."""
_OBJECT = ("cluster", "kind", "namespace", "name", "source")
"""The columns that identify an object; unreadable data has only its source."""
_ELEMENT = r'\[(?:[^"\]](?:[^"\]]|"(?:[^"\\]|\\.)*")*)?\]'
"""Pattern for the part of a path that names one list element, as opposed to a quoted field name."""


@dataclass
class Tally:
    """The counts of a finding, with its clusters and kinds."""

    rows: int = 0
    objects: int = 0
    worst: int = len(WORST)
    """Index of the worst severity in `WORST`."""
    clusters: int = 0
    """A bit for each cluster, to save memory."""
    kinds: int = 0

    @property
    def severity(self) -> str:
        """The worst severity."""
        return WORST[self.worst] if self.worst < len(WORST) else ""


class FindingGroup(NamedTuple):
    """A finding with one severity."""

    name: str
    severity: str
    rows: int
    objects: int
    clusters: int
    kinds: tuple[str, ...]
    sample: tuple[Row, ...]


class FieldTotals(NamedTuple):
    """A field; elements of a list are counted as one field."""

    path: str
    severity: str
    """The worst severity of its findings."""
    rows: int
    objects: int
    clusters: int
    kinds: tuple[str, ...]


class KindTotals(NamedTuple):
    """A kind that was checked."""

    kind: str
    objects: int
    clusters: int
    without: tuple[str, ...]
    """The clusters whose dumps have no object of this kind."""


class Overview(NamedTuple):
    """The results of a run for its page."""

    summary: Summary
    parts: int
    by_cluster: dict[str, int]
    """Number of checked objects with rows, for each cluster."""
    whats: tuple[FindingGroup, ...]
    """The worst first; at most `MOST_WHATS`."""
    fields: tuple[FieldTotals, ...]
    more_fields: bool
    """Whether more fields were found than are listed."""
    at_least: bool
    """Whether the counts of fields are lower bounds, because there were too many fields to count."""


def overview(results: Results, keys: Sequence[str], summary: Summary, *, most: int = MOST_ROWS) -> Overview:
    """The overview of these parts; `summary` is theirs."""
    counts = summary.counts
    pairs = _pairs(counts)
    clusters = [name for name, _ in summary.by("cluster")]
    taking = quotas(counts, pairs, clusters, most)
    seen = _Seen(sorted(clusters), sorted({key[1] for key in counts}))
    for key in keys:
        seen.add(results.read(key), taking, looked=results.about(key).objects > 0)
    places = {name: at for at, name in enumerate(clusters)}
    whats = tuple(seen.what(pair, places) for pair in pairs)
    listed = nlargest(MOST_FIELDS, seen.fields.items(), key=lambda one: (-one[1].worst, one[1].rows, one[0]))
    fields = tuple(seen.field(path, tally) for path, tally in listed)
    more = len(seen.fields) > len(fields) or seen.forgot
    return Overview(summary, len(keys), seen.by_cluster, whats, fields, more, seen.forgot)


def looked(summary: Summary) -> list[KindTotals]:
    """The kinds that were checked, the most frequent first."""
    objects: Counter[str] = Counter()
    having: dict[str, set[str]] = {}
    for cluster, kinds in summary.looked.items():
        for kind, count in kinds.items():
            objects[kind] += count
            having.setdefault(kind, set()).add(cluster)
    return [
        KindTotals(kind, count, len(having[kind]), tuple(sorted(summary.looked.keys() - having[kind])))
        for kind, count in sorted(objects.items(), key=lambda one: (-one[1], one[0]))
        if kind  # unreadable data has no kind
    ]


def _pairs(counts: Mapping[Key, int]) -> list[tuple[str, str]]:
    """The pairs of finding and severity, the worst and most frequent first."""
    total: dict[tuple[str, str], int] = {}
    for key, count in counts.items():
        total[key[2:]] = total.get(key[2:], 0) + count
    return sorted(total, key=lambda one: (badness(one[1]), -total[one], one))[:MOST_WHATS]


class _Seen:
    """The counts and sample rows of the parts read so far."""

    def __init__(self, clusters: Sequence[str], kinds: Sequence[str]) -> None:
        self._clusters = {name: 1 << at for at, name in enumerate(clusters)}
        self._kinds = {name: 1 << at for at, name in enumerate(kinds)}
        self.by_cluster = dict.fromkeys(clusters, 0)
        self.whats: dict[tuple[str, str], Tally] = {}
        self.fields: dict[str, Tally] = {}
        self.sample: dict[tuple[str, str], list[Row]] = {}
        self.forgot = False

    def add(self, table: Any, taking: dict[Key, int], *, looked: bool) -> None:
        """Count the rows of a part, and keep the sampled ones.

        `looked` is false for the part with the rows of gaps, because no objects were checked for it.
        """
        for cluster, _, _, _, objects in _grouped(table) if looked else ():
            self.by_cluster[cluster] += objects
        for what, severity, *found in _grouped(table, "what", "severity"):
            self._count(self.whats.setdefault((what, severity), Tally()), *found)
        compute = library("pyarrow.compute")
        paths = compute.replace_substring_regex(table.column("path"), _ELEMENT, "[]")
        for path, *found in _grouped(table.set_column(table.schema.get_field_index("path"), "path", paths), "path"):
            if path:
                self._count(self.fields.setdefault(path, Tally()), *found)
        if len(self.fields) > _COUNTED:
            self._forget()
        for row in _taken(table, taking):
            self.sample.setdefault((row.what, row.severity), []).append(row)

    def _count(self, tally: Tally, cluster: str, kind: str, worst: int, rows: int, objects: int) -> None:
        tally.rows += rows
        tally.objects += objects
        tally.worst = min(tally.worst, worst)
        tally.clusters |= self._clusters[cluster]
        tally.kinds |= self._kinds[kind]

    def _forget(self) -> None:
        """Drop the less frequent half of the fields."""
        kept = nlargest(_COUNTED // 2, self.fields.items(), key=lambda one: (-one[1].worst, one[1].rows, one[0]))
        self.fields, self.forgot = dict(kept), True

    def what(self, pair: tuple[str, str], places: Mapping[str, int]) -> FindingGroup:
        """A finding, with its sample rows by cluster, the worst first."""
        tally = self.whats[pair]
        sample = sorted(self.sample.get(pair, []), key=lambda one: (places[one.cluster], [text or "" for text in one]))
        return FindingGroup(
            *pair, tally.rows, tally.objects, tally.clusters.bit_count(), self._kinds_of(tally), tuple(sample)
        )

    def field(self, path: str, tally: Tally) -> FieldTotals:
        """A field with its counts."""
        return FieldTotals(
            path, tally.severity, tally.rows, tally.objects, tally.clusters.bit_count(), self._kinds_of(tally)
        )

    def _kinds_of(self, tally: Tally) -> tuple[str, ...]:
        return tuple(name for name, bit in self._kinds.items() if tally.kinds & bit)


def _grouped(table: Any, *names: str) -> Iterator[tuple[Any, ...]]:
    """Group by these columns, cluster and kind, with the index of the worst severity and the rows and objects."""
    arrow, compute = library("pyarrow"), library("pyarrow.compute")
    places = compute.index_in(table.column("severity"), arrow.array(WORST, arrow.string()))
    table = table.append_column("worst", compute.fill_null(places, len(WORST)))
    objects = table.group_by([*names, *_OBJECT]).aggregate([("worst", "min"), ([], "count_all")])
    found = objects.group_by([*names, "cluster", "kind"]).aggregate(
        [("worst_min", "min"), ("count_all", "sum"), ([], "count_all")]
    )
    columns = (*names, "cluster", "kind", "worst_min_min", "count_all_sum", "count_all")
    return zip(*(found.column(name).to_pylist() for name in columns), strict=True)


def _taken(table: Any, taking: dict[Key, int]) -> Iterable[Row]:
    """The sampled rows of a part: the first ones of each group."""
    if not taking:
        return []
    arrow = library("pyarrow")
    numbered = table.select(COLUMNS).append_column("at", arrow.array(range(table.num_rows), arrow.int64()))
    groups = numbered.group_by([*COLUMNS], use_threads=False).aggregate([("at", "list")])
    keys = zip(*(groups.column(name).to_pylist() for name in COLUMNS), strict=True)
    places: list[int] = []
    for number, key in enumerate(keys):
        if wanted := taking.get(key, 0):
            found = groups.column("at_list")[number].values.slice(0, wanted).to_pylist()
            places += found
            taking[key] = wanted - len(found)
            if not taking[key]:
                del taking[key]
    return [Row(**one) for one in table.take(arrow.array(places, arrow.int64())).to_pylist()]
