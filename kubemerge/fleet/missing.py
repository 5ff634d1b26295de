"""Objects of the config that are missing in clusters. Workers find them in the results of all parts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from .checks.drift import Drift
from .results import Results, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from .checks.table import Checks
    from .rows import Row

_PARTS = 16
"""Maximum number of parts whose results one task reads, unless a single cluster has more."""


class ClusterGroup(NamedTuple):
    """Clusters whose missing objects one task finds."""

    folder: str
    """The folder of the results."""
    keys: tuple[str, ...]
    """The parts with objects of these clusters."""
    clusters: tuple[tuple[str, frozenset[str]], ...]
    """Each cluster with the kinds in its dumps, which may differ from the kinds in its config."""


def cluster_groups(
    results: Results, keys: Sequence[str], looked: Mapping[str, Mapping[str, int]], incomplete: Set[str]
) -> list[ClusterGroup]:
    """The clusters in the results, without `incomplete` ones, in the order of their last parts.

    Clusters with the same parts are in one group, so that each part is read about once.
    """
    of: dict[str, list[str]] = {}
    for key in keys:
        for cluster in results.about(key).clusters:
            parts = of.pop(cluster, [])
            parts.append(key)
            of[cluster] = parts
    groups: list[ClusterGroup] = []
    held: list[tuple[str, frozenset[str]]] = []
    read: dict[str, None] = {}
    for cluster in [one for one in of if one not in incomplete]:
        own = of[cluster]
        more = sum(1 for key in own if key not in read)
        if held and more and len(read) + more > _PARTS:
            groups.append(ClusterGroup(results.folder, tuple(read), tuple(held)))
            held, read = [], {}
        held.append((cluster, frozenset(looked.get(cluster, ()))))
        read |= dict.fromkeys(own)
    return [*groups, ClusterGroup(results.folder, tuple(read), tuple(held))] if held else groups


def missing_rows(checks: Checks, group: ClusterGroup) -> Iterator[list[Row]]:
    """The rows of each cluster's missing objects.

    The objects found in a cluster are released after its last part, because those of all clusters need too much memory.
    """
    results, tally, kinds = Results(group.folder), Tally(), dict(group.clusters)
    left = Counter([cluster for key in group.keys for cluster in results.about(key).clusters])
    for key in group.keys:
        found = results.seen(key)
        tally.add({}, {cluster: found[cluster] for cluster in found.keys() & kinds.keys()})
        for cluster in sorted(found):
            left[cluster] -= 1
            if not left[cluster] and cluster in kinds:
                check, seen = checks.of(cluster), tally.seen.pop(cluster)
                if isinstance(check, Drift):
                    yield [*check.missing(cluster, seen, kinds[cluster])]
