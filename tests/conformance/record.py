"""Record the reference's responses: `python -m tests.conformance.record` turns inputs/ and seeds into cases/.

The same inputs give the same bytes. The first line of each file has the versions of the reference. With `--add
case.yaml --to kinds`, the cases of a YAML file are added to inputs/kinds.jsonl, and only that one is recorded.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

from codegen.documents.yaml_text import documents

from .answers import Answer, Answers, agree, answers, kind
from .inputs import Case, add, handwritten
from .oracle import Oracle
from .random_inputs import random_cases

FOLDER = Path(__file__).parent / "cases"
PACKED_FROM = 300_000
"""Files with more bytes are compressed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--add", metavar="FILE", type=Path, help="a YAML file with cases to add, a document each")
    parser.add_argument("--to", metavar="NAME", default="kinds", help="the file of inputs/ that they go into")
    given = parser.parse_args()
    with Oracle() as oracle:
        header = {"reference": oracle.ask({"op": "version"})["result"]}
    if given.add:
        add([*documents(given.add.read_text(encoding="utf-8"))], given.to)
        write(given.to, header, recorded(given.to, handwritten()[given.to]))
    else:
        record_all(header)


def record_all(header: dict[str, Any]) -> None:
    """Record every file of inputs/ and the random cases; remove stale files."""
    FOLDER.mkdir(exist_ok=True)
    written = set()
    for name, cases in handwritten().items():
        written.add(write(name, header, recorded(name, cases)))
    written.add(write("random", header, recorded("random", random_cases(), stable_only=True)))
    for path in set(FOLDER.iterdir()) - written:
        path.unlink()


def recorded(file: str, cases: list[Case], stable_only: bool = False) -> list[Case]:
    """The cases with their responses; prints cases that the reference does not decide."""
    result, kinds = [], Counter[str]()
    for case, found in zip(cases, answers(cases), strict=True):
        if stable_only and any("varies" in answer for answer in found.values()):
            kinds["left out: varies"] += 1
            continue
        result.append(with_answers(case, found))
        kinds[kind(result[-1]["expect"])] += 1
        if "varies" in result[-1]["expect"]:
            print(f"  varies: {case['name']}")
    print(f"{file}: {len(result)} cases, {dict(kinds)}")
    return result


def with_answers(case: Case, found: Answers) -> Case:
    """The case with the expected response, and the lookups with other responses."""
    (_, expected), *others = found.items()
    differing: dict[str, Answer] = {name: answer for name, answer in others if not agree(answer, expected)}
    return {**case, "expect": expected, **({"lookups": differing} if differing else {})}


def write(name: str, header: dict[str, Any], cases: list[Case]) -> Path:
    """Write one file, compressed if large; unchanged bytes are left alone."""
    lines = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in [header, *cases]]
    data = "".join(lines).encode("utf-8", "surrogatepass")
    path = FOLDER / f"{name}.jsonl"
    if len(data) > PACKED_FROM:
        path, data = FOLDER / f"{name}.jsonl.gz", gzip.compress(data, 9, mtime=0)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)
    return path


if __name__ == "__main__":
    main()
