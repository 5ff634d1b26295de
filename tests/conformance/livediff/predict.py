"""Compare the pipeline with a real PATCH: the predicted object, and the object that a real server stored.

`python -m tests.conformance.livediff --count 3000 --draw-only --keep FILE` records a server's responses. Then
`python -m tests.conformance.livediff.predict FILE...` prints the share of equal objects by kind, and the classes of
differences. Pairs that kubectl apply cannot send are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.actions.serverside.managers import APPLY
from kubemerge.apiserver.pipeline import Server

from ..ownership.real.kinds import RELEASE, definitions
from .changes import brief, changes
from .compare import contrast_predicted
from .drafts import FOREIGN
from .drawn import DrawnValues

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .batch import Case


def predicted(server: Server, case: Case) -> Any:
    """The object that the pipeline predicts for kubectl's patch, or the error as a text."""
    config, live = case["config"], case["live"]
    try:
        outcome = engine.apply(config, live, server.schema(config))
        if outcome.patch_type == "none":
            return live
        found = server.patch(live, config, outcome.patch, outcome.patch_type, manager=APPLY)
    except engine.MergeError as error:
        return str(error)
    return found.object if found.object is not None else str(found.error)


def differences(server: Server, case: Case) -> list[str]:
    """Where the predicted object differs from the one that a real server stored."""
    found = predicted(server, case)
    if isinstance(found, str):
        return [f"refused by ours only: {brief(found)}"]
    drawn, live = DrawnValues(case), case["live"]
    ours = {path: (old, new) for path, old, new in changes(live, drawn.marked(found))}
    theirs = {path: (old, new) for path, old, new in changes(live, drawn.marked(case["stored"]))}
    return contrast_predicted(ours, theirs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Predict, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.livediff.predict", description=__doc__)
    parser.add_argument("files", nargs="+", help="files with pairs and answers")
    parser.add_argument("--examples", type=int, default=2, help="number of examples of each class")
    parser.add_argument("--only", default="", help="kinds, separated by commas")
    chosen = parser.parse_args(arguments)
    server = Server(RELEASE, definitions())
    kinds: Counter[str] = Counter()
    changed = written = 0
    wrong: Counter[str] = Counter()
    classes: dict[str, list[str]] = defaultdict(list)
    for case in _cases(chosen.files, chosen.only):
        kinds[case["kind"]] += 1
        changed += case["before"] != case["merged"]
        written += any(manner in FOREIGN for manner in case["manners"])
        lines = differences(server, case)
        wrong[case["kind"]] += bool(lines)
        for name in {f"{case['kind']} {line.partition(': ')[0]}" for line in lines}:
            classes[name].append(f"p{case['id']} {next(one for one in lines if one.startswith(name.split(' ', 1)[1]))}")
    for name, examples in sorted(classes.items(), key=lambda one: -len(one[1])):
        print(f"{len(examples):4} {name}", *sorted(examples, key=len)[: chosen.examples], sep="\n        ")
    for kind in sorted(kinds):
        print(f"{kind:34} {kinds[kind] - wrong[kind]:5} of {kinds[kind]:5}")
    print(f"{changed} objects change beside the annotation, {written} have writes of other clients")
    equal, total = kinds.total() - wrong.total(), kinds.total()
    print(f"{equal} of {total} objects of {len(kinds)} kinds are those of the real PATCH: {100 * equal / total:.2f} %")
    return 1 if wrong.total() else 0


def _cases(files: Sequence[str], only: str) -> Iterator[Case]:
    kinds = {*filter(None, only.split(","))}
    for name in files:
        with Path(name).open(encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                if case.get("stored") is not None and (not kinds or case["kind"] in kinds):
                    yield case


if __name__ == "__main__":
    sys.exit(main())
