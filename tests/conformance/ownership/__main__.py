"""Compare the engine with the reference on random sequences of writes, and print differing writes as cases.

`python -m tests.conformance.ownership --count 20000 --seed 1` counts writes, not sequences.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any

from ..oracle import Oracle
from .compare import differs, kind_of, places
from .kinds import KINDS
from .sequences import Write, question, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BATCH = 200


def writes(seed: int) -> Iterator[tuple[Write, dict[str, Any]]]:
    """An endless stream of writes, with the engine's responses."""
    return chain.from_iterable(sequence(number) for number in count(seed * 1_000_000))


def differences(
    oracle: Oracle, drawn: Iterator[tuple[Write, dict[str, Any]]], seen: Counter[str]
) -> Iterator[tuple[Write, Any, Any]]:
    """The differing writes, with both responses."""
    while batch := list(islice(drawn, BATCH)):
        answers = oracle.ask_many([question(write) for write, _ in batch])
        for (write, ours), answer in zip(batch, answers, strict=True):
            theirs = answer.get("result") or {"error": answer.get("error") or answer}
            seen[kind_of(theirs)] += 1
            seen[f"{write['do']} {write['subresource']}".strip()] += 1
            if differs(ours, theirs):
                yield write, ours, theirs


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, send, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.ownership", description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="how many writes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="how many differences are printed in full")
    chosen = parser.parse_args(arguments)
    seen: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()
    with Oracle() as oracle:
        for found, (write, ours, theirs) in enumerate(
            differences(oracle, islice(writes(chosen.seed), chosen.count), seen)
        ):
            by_kind[write["kind"]] += 1
            if found < chosen.show:
                print(json.dumps(write, ensure_ascii=False))
                print("\n".join(places(ours, theirs)[:20]), flush=True)
    print(f"{chosen.count} writes to {len(KINDS)} kinds: {dict(seen)}")
    print(f"{sum(by_kind.values())} differences {dict(by_kind) or ''}")
    return 1 if by_kind else 0


if __name__ == "__main__":
    sys.exit(main())
