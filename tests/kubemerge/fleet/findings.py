"""Results of a large fleet without the work: rows as lint and drift write them, the same for the same seed.

`python -m tests.kubemerge.fleet.findings FOLDER ROWS [CLUSTERS] [KINDS]` writes them as a run does.
"""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING

from kubemerge.fleet.overview import overview
from kubemerge.fleet.results import Results, Tally
from kubemerge.fleet.rows import Row, batch
from kubemerge.fleet.summary import summarized

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kubemerge.fleet.overview import Overview

WHATS = {"KM001": "error", "KM025": "warning", "KM026": "info", "changed": "warning", "missing": "error"}
BATCH = 4096


def tally_of(rows: Iterable[Row], looked: int | None = None) -> Tally:
    """The tally of a part with these rows. Each row is about another object, unless `looked` gives their number."""
    found = Tally()
    for row in rows:
        found.add({row.cluster: {row.kind: 1 if looked is None else looked}})
        if looked is not None:
            break
    return found


def rows(count: int, clusters: int, kinds: int, seed: int = 1) -> Iterator[Row]:
    """Rows of clusters one after the other. Some clusters and kinds have more findings than others."""
    random = Random(seed)
    whats, kind = [*WHATS], 0
    for number in range(count):
        cluster = number * clusters // count
        if number % 3 == 0:  # another object
            kind = min(int(random.expovariate(5 / kinds)), kinds - 1)
        what = random.choices(whats, (cluster % 7, 5, 20, 3, kind % 3 * 0.1))[0]
        name = f"app-{number // 3}"
        yield Row(
            f"prod-{cluster:03}",
            f"team-{number // 3 % 17}",
            f"Kind{kind:02}",
            name,
            f"spec.template.spec.containers[name={name}].env[{number % 9}].value",
            what,
            WHATS[what],
            '"before"' if what == "changed" else None,
            '{"name":"SETTING","value":"after"}' if what == "changed" else None,
            f"One sentence about what was found in {name}, as long as such sentences are.",
            f"dumps/prod-{cluster:03}/objects.jsonl:byte {number // 3 * 1800}",
        )


def write(folder: str, count: int, clusters: int = 200, kinds: int = 40, parts: int = 60) -> list[str]:
    """Write them into a folder of results, and return the keys of its parts."""
    results, found = Results(folder), rows(count, clusters, kinds)
    results.prepare()
    keys = [f"{number:032x}" for number in range(parts)]
    for number, key in enumerate(keys):
        left = count * (number + 1) // parts - count * number // parts
        sizes = [min(BATCH, left - at) for at in range(0, left, BATCH)]
        tally = Tally()
        tally.add({"prod-000": {"Kind00": left}})
        results.write(key, (batch([next(found) for _ in range(size)]) for size in sizes), tally)
    return keys


def overview_of(
    *parts: Iterable[Row],
    clusters: Sequence[str | None] = (),
    looked: Sequence[int] = (),
    folder: str = "memory://fleet",
    most: int = 3000,
) -> Overview:
    """The overview of results of these parts, of which each has a cluster, and objects that were looked at."""
    results = Results(folder)
    results.prepare()
    results.remove(results.keys())
    keys = {}
    for number, part in enumerate(parts):
        key, found = f"{number:032x}", [*part]
        results.write(key, [batch(found)], tally_of(found, looked[number] if looked else None))
        keys[key] = clusters[number] if clusters else None
    return overview(results, [*keys], summarized(results, keys), most=most)


if __name__ == "__main__":
    write(sys.argv[1], *map(int, sys.argv[2:]))
