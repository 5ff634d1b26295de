"""Gaps in the data: clusters without dumps or objects, and objects of the config that are missing from dumps."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from ..apiserver.text.text import shown, some
from .checks.drift import MISSING
from .checks.table import FIND_MISSING
from .missing import cluster_groups
from .results import Tally
from .rows import UNREADABLE, Row, batch
from .summary import WORST
from .workers import cluster_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from .checks.table import CheckSpec
    from .missing import ClusterGroup
    from .reading.parts import Part
    from .results import Results
    from .summary import Summary

    FindMissing = Callable[[CheckSpec, Sequence[ClusterGroup]], Iterator[Any]]

_EMPTY = "its dump has no objects. Dump the cluster again, or remove the dump"

_FEW = 3
"""Number of kinds listed for a cluster."""


def key_of(parts: Iterable[str]) -> str:
    """The key of an extra part, which stores the rows of all gaps."""
    return blake2b("\n".join(sorted(parts)).encode(), digest_size=16, person=b"missing").hexdigest()


def with_gaps(
    results: Results,
    spec: CheckSpec,
    parts: Mapping[str, Part],
    summary: Summary,
    failed: Sequence[Part] = (),
    expected: Set[str] | None = None,
    *,
    find_missing: FindMissing,
) -> tuple[Summary, list[str]]:
    """Add the gaps to the summary, and return the keys of the parts with their rows: one, or none.

    If parts have `failed`, missing objects are unknown. The `expected` clusters are not stored in the results, so the
    results can be reused with other expected clusters. `find_missing` returns the rows of missing objects, as batches.
    """
    dumped = _dumped(results, parts, failed)
    owners = {file.cluster for file in dict(spec.options).get("config") or ()}
    incomplete = _incomplete(results, parts, summary, failed)
    more = [] if failed else _more(results, spec, parts, summary, incomplete, find_missing)
    for key in more:
        summary = summary.plus(results.counts(key))
    found = {
        "absent": dict.fromkeys(sorted(expected - dumped) if expected else (), ""),
        "unexpected": dict.fromkeys(sorted(dumped - expected) if expected else (), ""),
        "incomplete": dict.fromkeys(sorted(incomplete), ""),
        "lacking": _lacking(summary) if spec.check in FIND_MISSING else {},
        "undumped": dict.fromkeys(_undumped(owners - {""} - dumped, parts, incomplete, failed), ""),
        "unconfigured": dict.fromkeys(sorted(dumped - owners) if owners and "" not in owners else (), ""),
    }
    gaps = {name: clusters for name, clusters in found.items() if clusters}
    return summary._replace(gaps=gaps, gaps_unknown=bool(failed)), more


def _more(
    results: Results,
    spec: CheckSpec,
    parts: Mapping[str, Part],
    summary: Summary,
    incomplete: Set[str],
    find_missing: FindMissing,
) -> list[str]:
    """The key of the part with the rows of all gaps; it is written if it does not exist."""
    key, empty = key_of(parts), [*_empty(results, parts)]
    if results.done(key) is None:
        if not empty and spec.check not in FIND_MISSING:
            return []
        groups = cluster_groups(results, [*parts], summary.looked, incomplete) if spec.check in FIND_MISSING else []
        results.write(key, _batches(empty, find_missing(spec, groups) if groups else ()), Tally())
    return [key]


def _batches(empty: list[Row], missing: Iterable[Any]) -> Iterator[Any]:
    if empty:
        yield batch(empty)
    yield from missing


def _empty(results: Results, parts: Mapping[str, Part]) -> Iterator[Row]:
    """A row for each cluster with empty dumps, which are treated like missing dumps.

    A Parquet file may be empty: its clusters are known only from its rows.
    """
    looked, sources = Counter[str](), dict[str, str]()
    for key, part in parts.items():
        if cluster_of(part) is not None:
            looked[part.source.cluster] += results.about(key).objects
            sources.setdefault(part.source.cluster, shown(part.source.name))
    for cluster, count in sorted(looked.items()):
        if not count:
            yield Row(cluster, what=UNREADABLE, severity="error", text=_EMPTY, source=sources[cluster])


def _incomplete(results: Results, parts: Mapping[str, Part], summary: Summary, failed: Sequence[Part]) -> set[str]:
    """The clusters with unreadable data. Any object of the config could be in that data.

    Unreadable data in a Parquet file may belong to any of the file's clusters. It is recorded under the file's name.
    """
    found = {key[0] for key in summary.counts if key[2:] == (UNREADABLE, WORST[0])}
    found |= {part.source.cluster for part in failed}
    files = {
        part.source for part in (*parts.values(), *failed) if cluster_of(part) is None and part.source.cluster in found
    }
    return found.union(*(results.about(key).kinds for key, part in parts.items() if part.source in files))


def _lacking(summary: Summary) -> dict[str, str]:
    """The clusters whose dumps have no object of a kind in their config, each with these kinds."""
    found: dict[str, list[str]] = {}
    for cluster, kind, *what in summary.counts:
        if what == [MISSING, WORST[0]] and not summary.looked.get(cluster, {}).get(kind):
            found.setdefault(cluster, []).append(kind)
    return {cluster: some(kinds, _FEW) for cluster, kinds in found.items()}


def _undumped(found: Set[str], parts: Mapping[str, Part], incomplete: Set[str], failed: Sequence[Part]) -> list[str]:
    """These clusters, which have a config, but no dump; none if the files do not reveal all their clusters."""
    if any(cluster_of(part) is None and part.source.cluster in incomplete for part in (*parts.values(), *failed)):
        return []
    return sorted(found)


def _dumped(results: Results, parts: Mapping[str, Part], failed: Sequence[Part]) -> set[str]:
    """The clusters with dumps; for a Parquet file, those with readable data.

    Unreadable data belongs to the cluster that the file is named after, unless the file names another one.
    """
    found = {part.source.cluster for part in (*parts.values(), *failed) if cluster_of(part) is not None}
    for key, part in parts.items():
        if cluster_of(part) is None:
            kinds = results.about(key).kinds
            found |= {cluster for cluster in kinds if cluster != part.source.cluster or {*kinds[cluster]} != {""}}
    return found
