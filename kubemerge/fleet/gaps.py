"""What is known only when all parts are there: clusters without objects, and what of the config is not there."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from ..apiserver.text.text import shown, some
from .results import Tally
from .rows import POISONED, Row, batch
from .running import whose
from .summary import WORST, counted
from .works.drift import MISSING, Drift
from .works.table import Works

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from .reading.parts import Part
    from .results import Results
    from .summary import Summary
    from .works.table import Asked

_EMPTY = "its dump has no objects. Dump the cluster again, or remove the dump"

_FEW = 3
"""How many kinds are named of a cluster."""


def key_of(parts: Iterable[str]) -> str:
    """What names the part that has the rows of all gaps."""
    return blake2b("\n".join(sorted(parts)).encode(), digest_size=16, person=b"missing").hexdigest()


def with_gaps(
    results: Results,
    asked: Asked,
    parts: Mapping[str, Part],
    summary: Summary,
    failed: Sequence[Part] = (),
    expected: Set[str] | None = None,
) -> tuple[Summary, list[str]]:
    """The summary with what is not there, and the parts that have these rows: one, or none.

    Where parts have `failed`, nobody knows what is missing. Which clusters are `expected` is not in the results, so
    they are good for any.
    """
    dumped = _dumped(results, parts, failed)
    owners = {file.cluster for file in dict(asked.options).get("config") or ()}
    torn = _torn(results, parts, summary, failed)
    more = [] if failed else _more(results, asked, parts, summary, torn)
    for key in more:
        summary = summary.plus(counted(results, key))
    found = {
        "absent": dict.fromkeys(sorted(expected - dumped) if expected else (), ""),
        "unexpected": dict.fromkeys(sorted(dumped - expected) if expected else (), ""),
        "incomplete": dict.fromkeys(sorted(torn), ""),
        "lacking": _lacking(summary) if asked.work == "drift" else {},
        "undumped": dict.fromkeys(_undumped(owners - {""} - dumped, parts, torn, failed), ""),
        "unconfigured": dict.fromkeys(sorted(dumped - owners) if owners and "" not in owners else (), ""),
    }
    gaps = {name: clusters for name, clusters in found.items() if clusters}
    return summary._replace(gaps=gaps, untold=bool(failed)), more


def _more(results: Results, asked: Asked, parts: Mapping[str, Part], summary: Summary, torn: Set[str]) -> list[str]:
    """The part with the rows of what is not there, which is written if it is not there itself."""
    key, empty = key_of(parts), [*_empty(results, parts)]
    if results.done(key) is None:
        if not empty and asked.work != "drift":
            return []
        results.write(key, _batches(results, asked, parts, summary, torn, empty), Tally())
    return [key]


def _batches(
    results: Results, asked: Asked, parts: Iterable[str], summary: Summary, torn: Set[str], empty: list[Row]
) -> Iterator[Any]:
    if empty:
        yield batch(empty)
    if asked.work != "drift":
        return
    works = Works(asked)
    for cluster, seen in _seen(results, [*parts]):
        work = works.of(cluster)
        there = summary.looked.get(cluster, {})
        rows = [*work.missing(cluster, seen, there)] if isinstance(work, Drift) and cluster not in torn else []
        if rows:
            yield batch(rows)


def _empty(results: Results, parts: Mapping[str, Part]) -> Iterator[Row]:
    """The clusters in whose dumps there is nothing, as if no dump of them was made.

    A file of Parquet may have nothing: which clusters it is about is in its rows.
    """
    looked, sources = Counter[str](), dict[str, str]()
    for key, part in parts.items():
        if whose(part) is not None:
            looked[part.source.cluster] += results.about(key).objects
            sources.setdefault(part.source.cluster, shown(part.source.name))
    for cluster, count in sorted(looked.items()):
        if not count:
            yield Row(cluster, what=POISONED, severity="error", text=_EMPTY, source=sources[cluster])


def _torn(results: Results, parts: Mapping[str, Part], summary: Summary, failed: Sequence[Part]) -> set[str]:
    """The clusters with something that could not be read, which may be any object of the config.

    What cannot be read of a file of Parquet may be of any of its clusters, and goes by the name of the file.
    """
    found = {key[0] for key in summary.counts if key[2:] == (POISONED, WORST[0])}
    found |= {part.source.cluster for part in failed}
    files = {part.source for part in (*parts.values(), *failed) if whose(part) is None and part.source.cluster in found}
    return found.union(*(results.about(key).kinds for key, part in parts.items() if part.source in files))


def _lacking(summary: Summary) -> dict[str, str]:
    """The clusters that miss all objects of a kind, and have no other object of it: with these kinds."""
    found: dict[str, list[str]] = {}
    for cluster, kind, *what in summary.counts:
        if what == [MISSING, WORST[0]] and not summary.looked.get(cluster, {}).get(kind):
            found.setdefault(cluster, []).append(kind)
    return {cluster: some(kinds, _FEW) for cluster, kinds in found.items()}


def _undumped(found: Set[str], parts: Mapping[str, Part], torn: Set[str], failed: Sequence[Part]) -> list[str]:
    """These clusters, which have a config of their own, but no dump; nobody if the files do not tell all clusters."""
    if any(whose(part) is None and part.source.cluster in torn for part in (*parts.values(), *failed)):
        return []
    return sorted(found)


def _dumped(results: Results, parts: Mapping[str, Part], failed: Sequence[Part]) -> set[str]:
    """The clusters of which there are dumps; of a file of Parquet those of which something could be read.

    What could not be is of the cluster that the file is named after, unless it says another one.
    """
    found = {part.source.cluster for part in (*parts.values(), *failed) if whose(part) is not None}
    for key, part in parts.items():
        if whose(part) is None:
            kinds = results.about(key).kinds
            found |= {cluster for cluster in kinds if cluster != part.source.cluster or {*kinds[cluster]} != {""}}
    return found


def _seen(results: Results, parts: list[str]) -> Iterator[tuple[str, set[str]]]:
    """Each cluster, and what of its config is there; one is forgotten after its last part, as all are too many."""
    left = Counter([cluster for one in parts for cluster in results.about(one).clusters])
    tally = Tally()
    for one in parts:
        tally.add({}, results.seen(one))
        for cluster in results.about(one).clusters:
            left[cluster] -= 1
            if not left[cluster]:
                yield cluster, tally.seen.pop(cluster)
