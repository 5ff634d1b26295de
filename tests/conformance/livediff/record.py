"""Choose pairs with kubectl's responses for the fast test.

`python -m tests.conformance.livediff --count 2000 --keep FILE` records a server's responses. `python -m
tests.conformance.livediff.record FILE` chooses few of these pairs that cover everything. That is each kind changed,
unchanged and rejected, each changed field, each way to write the object and the config, and each class of differences
that kubemerge still has.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from .changes import changes, general
from .compare import cause, differences
from .kubectl import key_of
from .ours import answers
from .spellings import EMPTY_METADATA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .batch import Case
    from .ours import Answers

RECORDED = Path(__file__).parent / "cases.jsonl.gz"
LONGEST = 30_000
"""Longer pairs are left out."""
MOST = 320


def recorded() -> list[Case]:
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def store(cases: list[Case]) -> None:
    """Write the pairs."""
    text = "".join(json.dumps(case, separators=(",", ":"), sort_keys=True) + "\n" for case in cases)
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))


def states(case: Case, answered: Answers) -> Iterator[str]:
    """The kinds of changes of an object, and of its generation."""
    kind = case["kind"]
    if "refused" in case:
        yield f"{kind} rejected"
        return
    changed = changes(case["before"], case["merged"])
    counted = any(path == "/metadata/generation" for path, *_ in changed)
    yield f"{kind} {'changed' if changed else 'unchanged'}, generation {'raised' if counted else 'kept'}"


def manners(case: Case, answered: Answers) -> Iterator[str]:
    """The ways to write the object, the spellings of the config, and the remaining differences."""
    metadata = case["config"]["metadata"]
    if "refused" in case:
        return
    yield from (f"metadata.{name}: {json.dumps(metadata[name])[:4]}" for name in metadata.keys() & {*EMPTY_METADATA})
    yield from case["manners"]
    if case["stored"] is None:
        yield "rejected by apply alone"
    for command, lines in differences(case, answered).items():
        yield from (f"{command}: {cause(line)}" for line in lines if "value /" not in cause(line))


def paths(case: Case, answered: Answers) -> Iterator[str]:
    """The fields that a pair changes."""
    if "refused" not in case:
        yield from (f"{case['kind']}{general(path)}" for path, *_ in changes(case["before"], case["merged"]))


def chosen(cases: list[Case]) -> list[Case]:
    """The shortest pairs that cover everything, and pairs that change other fields; sorted by number."""
    cases = [*{key_of(case["config"]): case for case in cases}.values()]
    with tempfile.TemporaryDirectory() as folder:
        answered = answers(cases, Path(folder), fleet=False)
    short = [case for case in sorted(cases, key=lambda case: len(json.dumps(case))) if len(json.dumps(case)) < LONGEST]
    shown: set[str] = set()
    found: dict[int, Case] = {}
    for features in (states, manners, paths):
        for case in short:
            new = {*features(case, answered)} - shown
            if new and len(found) < MOST:
                shown |= new
                found[case["id"]] = case
    return [found[number] for number in sorted(found)]


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    pairs = chosen([json.loads(line) for line in lines])
    store(pairs)
    print(f"{len(pairs)} of {len(lines)} pairs, {RECORDED.stat().st_size} bytes")
