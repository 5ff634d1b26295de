"""Choose pairs with kubectl's answers for the fast test.

`python -m tests.conformance.livediff --count 2000 --keep FILE` asks a server.
`python -m tests.conformance.livediff.record FILE` chooses few of these pairs that show everything: each kind changed,
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .batch import Case
    from .ours import Answers

RECORDED = Path(__file__).parent / "cases.jsonl.gz"
LONGEST = 30_000
"""Longer pairs are left out."""
MOST = 400


def recorded() -> list[Case]:
    """The recorded pairs."""
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def store(cases: list[Case]) -> None:
    """Write the pairs."""
    text = "".join(json.dumps(case, separators=(",", ":"), sort_keys=True) + "\n" for case in cases)
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))


def features(case: Case, answered: Answers) -> Iterator[str]:
    """What a pair shows."""
    kind = case["kind"]
    for manner in case["manners"]:
        yield f"{manner}, {'refused' if 'refused' in case else 'answered'}"
    if "refused" in case:
        yield f"{kind} refused"
    else:
        changed = changes(case["before"], case["merged"])
        yield f"{kind} {'changed' if changed else 'unchanged'}"
        yield from (f"{kind}{general(path)}" for path, *_ in changed if path.count("/") < 4)
    for command, lines in differences(case, answered).items():
        yield from (f"{command}: {kind}: {cause(line)}" for line in lines if "value /" not in cause(line))


def chosen(cases: list[Case]) -> list[Case]:
    """The shortest pairs that show everything, sorted by number."""
    cases = [*{key_of(case["config"]): case for case in cases}.values()]
    with tempfile.TemporaryDirectory() as folder:
        answered = answers(cases, Path(folder))
    shown: set[str] = set()
    found: list[Case] = []
    for case in sorted(cases, key=lambda case: len(json.dumps(case))):
        new = {*features(case, answered)} - shown
        if new and len(found) < MOST and len(json.dumps(case)) < LONGEST:
            shown |= new
            found.append(case)
    return sorted(found, key=lambda case: int(case["id"]))


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    pairs = chosen([json.loads(line) for line in lines])
    store(pairs)
    print(f"{len(pairs)} of {len(lines)} pairs, {RECORDED.stat().st_size} bytes")
