"""Cases without responses: a name, a source, an op, a schema and documents; one JSON line each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "inputs"

Case = dict[str, Any]

DOCUMENTS_OF = {
    "two_way": ("original", "modified"),
    "three_way": ("last_applied", "config", "live"),
    "apply": ("target", "patch"),
    "merge_patches": ("first", "second"),
    "conflicts": ("left", "right"),
    "json_three_way": ("last_applied", "config", "live"),
    "json_apply": ("target", "patch"),
    "kubectl": ("last_applied", "config", "live"),
    "annotation": ("config",),
    "encode": ("value",),
}
"""The documents of each op. A missing document is no document at all; a string is its raw text."""

DOCUMENTS = sorted({name for names in DOCUMENTS_OF.values() for name in names})
SETTINGS = ("overwrite", "preconditions")


def line_of(case: Case) -> str:
    return json.dumps(case, ensure_ascii=False)


def add(cases: list[Case], name: str) -> None:
    """Append cases to a file of this folder; an error for missing or extra keys."""
    taken = {case["name"] for case in handwritten().get(name, ())}
    for case in cases:
        for wrong in problems(case):
            raise ValueError(f"{case.get('name')}: {wrong}")
        if case["name"] in taken:
            raise ValueError(f"{name}.jsonl has a case {case['name']!r} already")
        taken.add(case["name"])
    with (FOLDER / f"{name}.jsonl").open("a", encoding="utf-8") as lines:
        lines.writelines(f"{line_of(case)}\n" for case in cases)


def problems(case: Case) -> list[str]:
    if case.get("op") not in DOCUMENTS_OF:
        return [f"op has to be one of {', '.join(DOCUMENTS_OF)}"]
    documents = DOCUMENTS_OF[case["op"]]
    foreign = sorted(case.keys() - {"name", "source", "op", "schema", *SETTINGS, *documents})
    return [f"{key} is missing" for key in ("name", "source") if key not in case] + [
        f"{case['op']} knows no {key}; its documents are {', '.join(documents)}" for key in foreign
    ]


def read(path: Path) -> list[Case]:
    """The cases of one file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def handwritten() -> dict[str, list[Case]]:
    """All cases of this folder by file."""
    return {path.stem: read(path) for path in sorted(FOLDER.glob("*.jsonl"))}


def question(case: Case, selector: dict[str, Any] | None) -> dict[str, Any]:
    """The oracle's request for a case, with one of the lookups of its schema."""
    asked = {name: case[name] for name in (*DOCUMENTS_OF[case["op"]], *SETTINGS) if name in case}
    return {"op": case["op"], **asked, **({"schema": selector} if selector else {})}
