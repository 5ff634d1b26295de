"""Compare strategic merge patches with older releases of the reference, and record its answers.

`python -m tests.conformance.algorithms.strategic --count 500` compares random cases with each release.
`python -m tests.conformance.algorithms.strategic --record` writes cases/strategic.jsonl.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from functools import cache
from itertools import count as numbers
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from engine.tables.behaviour import behaviour_of
from engine.tables.types import Types

from ..draw import Draw
from ..fuzz import answered, ours, theirs
from ..generate import DOCUMENTS
from ..inputs import DOCUMENTS_OF, Case, question
from ..oracle import Oracle
from ..schemas import engine_schema
from .build import strategic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine import Schema

FILE = Path(__file__).parent / "cases" / "strategic.jsonl"
VERSIONS = ("0.22.17", "0.23.17", "0.25.16", "0.27.16", "0.28.15")
"""The newest patch releases of k8s.io/apimachinery around each change, and one between."""
OPS = ("apply", "apply", "apply", "apply", "apply", "merge_patches", "three_way")
SELECTOR = {"go": "MergeItem"}
REPEAT = 300
"""Repetitions of a question with another answer: Go walks its maps in random order."""
DRAWN, KEPT = 400, 8
"""The number of random cases for each pair of releases, and how many of them are recorded."""


@cache
def schema_of(version: str) -> Schema:
    """The test type with the algorithms of a release."""
    newest = engine_schema("MergeItem")
    types = Types(newest.types.data, None, None)
    minor, patch = map(int, version.split(".")[1:])
    types.once("behaviour", lambda: behaviour_of(minor, patch))
    return newest.of_types(types)


def drawn(version: str, seeds: Iterable[int]) -> Iterator[Case]:
    """Random cases. A patch often adds what the target lacks, since releases differ in that."""
    schema = engine_schema("MergeItem")
    for seed in seeds:
        random = Random(zlib.crc32(f"{version} {seed}".encode()))
        draw = Draw(schema, random, 1 + seed % 4)
        case: Case = {"op": random.choice(OPS), "schema": "MergeItem"}
        case |= DOCUMENTS[case["op"]](draw)
        if case["op"] == "apply" and draw.chance(0.7):
            case["target"] = without_some(random, case["target"])
        text = json.dumps(case)
        if '"anyItem"' not in text:  # Go types and OpenAPI differ in it, in every release
            yield json.loads(text)


def without_some(random: Random, value: Any) -> Any:
    """The value without some of its fields, at any depth."""
    if isinstance(value, dict):
        kept = {key: inner for key, inner in value.items() if key in ("name", "port") or random.random() < 0.75}
        return {key: without_some(random, inner) for key, inner in kept.items()}
    return [without_some(random, inner) for inner in value] if isinstance(value, list) else value


def differs(oracle: Oracle, case: Case, version: str) -> bool:
    """True if the engine gives an answer that the reference never gives.

    In every release, Go types reject a list in the field of an object, and OpenAPI does not.
    """
    said = ours(case, schema_of(version))
    answer = oracle.ask({**question(case, SELECTOR), "repeat": REPEAT})
    return said not in theirs(answer) and "expected slice or array type" not in answer.get("error", "")


def compare(version: str, count: int, seed: int) -> int:
    """Compare random cases with one version. Print differences, and return their number."""
    cases = list(islice(drawn(version, numbers(seed)), count))
    found = results = changed = 0
    with Oracle(strategic(version)) as oracle:
        for case, answer in zip(cases, oracle.ask_many(question(one, SELECTOR) for one in cases), strict=True):
            said = ours(case, schema_of(version))
            results += "result" in answer
            changed += said != ours(case, engine_schema("MergeItem"))
            if theirs(answer) != {said} and differs(oracle, case, version):
                found += 1
                print(json.dumps(case), answer, said, sep="\n  ")
    facts = f"{len(cases)} cases, {results} with a result, {changed} unlike the newest release"
    print(f"{version}: {facts}, {found} differences")
    return found


def recorded() -> Iterator[dict[str, Any]]:
    """For each pair of releases with different behaviour, the smallest cases that they answer differently."""
    for version in VERSIONS:
        others = [one for one in VERSIONS if one != version and behaviour(one) != behaviour(version)]
        with Oracle(strategic(version)) as oracle:
            for other in others:
                yield from _between(oracle, version, other)


def behaviour(version: str) -> frozenset[str]:
    return schema_of(version).types.behaviour


def _between(oracle: Oracle, version: str, other: str) -> Iterator[dict[str, Any]]:
    cases = [one for one in drawn(f"{version} {other}", range(DRAWN)) if _tells(one, version, other)]
    for case in sorted(cases, key=lambda one: len(json.dumps(one)))[:KEPT]:
        answer = oracle.ask({**question(case, SELECTOR), "repeat": 40})
        if "result" in answer or "error" in answer:
            expect = {"result": answer["result"]} if "result" in answer else {"error": answer["error"]}
            yield {"version": version, **{name: case[name] for name in ("op", *DOCUMENTS_OF[case["op"]])}, **expect}


def _tells(case: Case, version: str, other: str) -> bool:
    one, two = (answered(case, schema_of(release)) for release in (version, other))
    return repr(one) != repr(two)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    if given.record:
        lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in recorded()]
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return 0
    return min(1, sum(compare(version, given.count, given.seed) for version in VERSIONS))


if __name__ == "__main__":
    sys.exit(main())
