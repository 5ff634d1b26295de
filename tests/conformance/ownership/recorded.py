"""Sequences of writes with the reference's responses: `python -m tests.conformance.ownership.recorded` records them.

Those of inputs.yaml are in cases/named.jsonl; random writes of fixed seeds in cases/random.jsonl.gz.
"""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.documents.yaml_text import documents
from engine.json_merge import json_apply_patch

from ..oracle import Oracle
from .kinds import BY_NAME
from .sequences import Write, question, sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
CASES = HERE / "cases"
NAMED, RANDOM, UPGRADES = CASES / "named.jsonl", CASES / "random.jsonl.gz", CASES / "upgrades.jsonl.gz"
INPUTS = HERE / "inputs.yaml"
SEEDS = 400
LONGEST = 3000
"""Longer random writes are left out, because they are unreadable."""

Answer = dict[str, Any]


def named_cases() -> list[dict[str, Any]]:
    """The sequences of inputs.yaml."""
    (found,) = documents(INPUTS.read_text(encoding="utf-8"))
    return list(found)


def played(case: dict[str, Any], answer: Callable[[Write], Answer]) -> Iterator[tuple[Write, Answer]]:
    """The writes of a named sequence with their responses, each on the result of the previous ones."""
    kind = BY_NAME[case["kind"]]
    live = case.get("live")
    for number, step in enumerate(case["steps"]):
        write = _write(step, kind.name, live, number)
        said = answer(write)
        yield write, said
        if "object" in said:
            live = deepcopy(said["object"])
            live["metadata"]["uid"] = "u"


def _write(step: dict[str, Any], kind: str, live: Any, number: int) -> Write:
    own = BY_NAME[kind]
    version = step.get("version", own.api_version)
    scale = step.get("subresource") == "scale"
    identity = {"apiVersion": "autoscaling/v1" if scale else version, "kind": "Scale" if scale else own.kind}
    given = step.get("apply", step.get("update"))
    if given is None:
        given = json_apply_patch({**live, "apiVersion": version}, step["patch"])
    metadata = {"name": "n", **given.get("metadata", {})}
    return {
        "kind": kind,
        "version": version,
        "do": "apply" if "apply" in step else "update",
        "manager": step["by"],
        "force": step.get("force", False),
        "subresource": step.get("subresource", ""),
        "time": f"2024-01-02T00:{number:02}:00Z",
        "live": live,
        "object": {**identity, **given, "metadata": metadata},
    }


def asked(oracle: Oracle) -> Callable[[Write], Answer]:
    """Responses of the reference."""

    def answer(write: Write) -> Answer:
        said = oracle.ask(question(write))
        found: Answer = said.get("result") or {"error": said["error"]}
        return found

    return answer


def recorded(file: Path) -> list[dict[str, Any]]:
    """The lines of a file of recorded cases."""
    data = file.read_bytes()
    text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode()
    return [json.loads(line) for line in text.split("\n") if line]


def main() -> None:
    """Ask the reference for all of them."""
    with Oracle() as oracle:
        answer = asked(oracle)
        named = [
            {"name": case["name"], "answers": [said for _, said in played(case, answer)]} for case in named_cases()
        ]
        writes = (write for seed in range(SEEDS) for write, _ in sequence(-1 - seed))
        drawn = [write for write in writes if len(json.dumps(write)) < LONGEST]
        random = [{"write": write, "answer": answer(write)} for write in drawn]
        upgrades = [
            {**one, "answer": oracle.ask({"op": "upgrade", "write": one})["result"]} for one in _upgrades(drawn)
        ]
    store(UPGRADES, upgrades)
    store(NAMED, named)
    store(RANDOM, random)
    print(f"{len(named)} named sequences, {len(random)} random writes")


def _upgrades(writes: list[Write]) -> list[dict[str, Any]]:
    """Live objects with managers to hand over, in all variants."""
    tracked = [write["live"] for write in writes if ((write["live"] or {}).get("metadata") or {}).get("managedFields")]
    return [
        {"live": {"metadata": live["metadata"]}, "from": [old], "to": new, "subresource": subresource}
        for live in tracked[::12]
        for old, new, subresource in (
            ("kubectl-client-side-apply", "kubectl", ""),
            ("helm", "flux-controller", ""),
            ("kubectl", "kubectl", "status"),
            ("unknown", "unknown", ""),
        )
    ]


def store(file: Path, lines: list[dict[str, Any]]) -> None:
    """Write a file of recorded cases, one a line."""
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0) if file.suffix == ".gz" else text.encode())


if __name__ == "__main__":
    main()
