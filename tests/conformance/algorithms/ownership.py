"""Compare server-side apply and field ownership with older releases of the reference, and record its answers.

`python -m tests.conformance.algorithms.ownership --count 500` compares random sequences of writes with each release.
`python -m tests.conformance.algorithms.ownership --record` writes cases/ownership.jsonl.gz.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.tables.behaviour import behaviour_of

from ..oracle import Oracle
from ..ownership.compare import differs, kind_of, places
from ..ownership.kinds import KINDS
from ..ownership.recorded import store
from ..ownership.sequences import NO_SUBRESOURCES, answered, question, sequence
from .build import ownership

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.tables.behaviour import Behaviour

    from ..ownership.sequences import Write

FILE = Path(__file__).parent / "cases" / "ownership.jsonl.gz"
VERSIONS = ("0.22.5", "0.22.17", "0.25.16", "0.28.15", "0.29.15", "0.33.13", "0.34.4", "0.36.1", "0.36.3")
"""A version with each structured-merge-diff: 4.1.2, 4.2.1, 4.2.3 (twice), 4.4.1, 4.6.0, 6.3.0, 6.3.2 and 6.3.3."""
KNOWN = [kind for kind in KINDS if kind.of not in ("", *NO_SUBRESOURCES)]
"""Kinds with a schema, which has the release."""
ALL_KEYS: dict[str, Any] = {
    "kind": "example.com/v1 Shape crds",
    "version": "example.com/v1",
    "do": "apply",
    "manager": "kubectl",
    "force": False,
    "subresource": "",
    "time": "2024-01-02T00:00:00Z",
    "live": None,
    "object": {
        "apiVersion": "example.com/v1",
        "kind": "Shape",
        "metadata": {"name": "n", "namespace": "s"},
        "spec": {"ports": [{"protocol": "UDP"}]},
    },
}
"""An element without its first key, which has no default."""
LONGEST, KEPT, DRAWN = 2500, 6, 400
"""The longest recorded write, the number of recorded ones for each change, and the number of sequences to draw from."""


def behaviour(version: str) -> Behaviour:
    minor, patch = map(int, version.split(".")[1:])
    return behaviour_of(minor, patch)


def drawn(version: str, seeds: Iterable[int]) -> list[tuple[Write, dict[str, Any]]]:
    """The writes of random sequences with the engine's responses.

    Until 1.26, servers took a list key `on` of a custom resource for a boolean (YAML), and ignored it. The engine does
    not, so these writes are left out.
    """
    own, misread = behaviour(version), int(version.split(".")[1]) <= 26
    writes = chain.from_iterable(sequence(seed, own, KNOWN) for seed in seeds)
    return [(write, ours) for write, ours in writes if not (misread and '"switches"' in json.dumps(write))]


def compare(version: str, count: int, seed: int, show: int) -> int:
    """Compare random sequences with one version. Print differences, and return their number."""
    writes = drawn(version, range(seed, seed + count))
    seen: Counter[str] = Counter()
    found = changed = 0
    with Oracle(ownership(version)) as oracle:
        answers = oracle.ask_many([question(write) for write, _ in writes])
    for (write, ours), answer in zip(writes, answers, strict=True):
        theirs = answer.get("result") or {"error": answer.get("error") or answer}
        seen[kind_of(theirs)] += 1
        changed += differs(ours, answered(write))
        if differs(ours, theirs):
            found += 1
            if found <= show:
                print(json.dumps(write, ensure_ascii=False)[:1500])
                print("\n".join(places(ours, theirs)[:12]), flush=True)
    facts = f"{count} sequences, {len(writes)} writes {dict(seen)}, {changed} unlike the newest release"
    print(f"{version}: {facts}, {found} differences", flush=True)
    return found


def recorded() -> Iterator[dict[str, Any]]:
    """For each behaviour of each version, the smallest writes whose answer depends on it."""
    for version in VERSIONS:
        own = behaviour(version)
        writes = [write for write, _ in drawn(version, range(-DRAWN, 0))]
        small = sorted((one for one in writes if len(json.dumps(one)) < LONGEST), key=lambda one: len(json.dumps(one)))
        chosen: dict[str, Write] = {"keys": ALL_KEYS}
        for name in sorted(own):
            telling = (one for one in small if differs(answered(one, own), answered(one, own - {name})))
            chosen.update((json.dumps(one), one) for one in islice(telling, KEPT))
        with Oracle(ownership(version)) as oracle:
            for write in chosen.values():
                said = oracle.ask(question(write))
                yield {"version": version, "write": write, "answer": said.get("result") or {"error": said["error"]}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="*", default=VERSIONS)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="how many differences of each version are printed")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    if given.record:
        store(FILE, list(recorded()))
        return 0
    return min(1, sum(compare(version, given.count, given.seed, given.show) for version in given.versions))


if __name__ == "__main__":
    sys.exit(main())
