"""Compare a real API server with the embedded cluster, on valid objects with one broken declared rule.

    KUBECONFIG=FILE python -m tests.conformance.declared.real [KIND...] [--differing FILE]

Each rule that upstream lists is broken at its path, with each value that may break it, in creates and in updates, as
dry runs. `python -m tests.conformance.kinds.record --mended FILE` keeps those that differed once and are equal now.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..kinds.ask import answered
from ..kinds.bodies import bodies, document
from ..kinds.classes import Tally
from ..kinds.judge import differences, ours
from ..ownership.real.server import Server, ServerUnavailable, path_of
from .objects import broken_values, steps
from .record_lists import read
from .walk import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..kinds.ask import Case
    from ..kinds.bodies import Body
    from .objects import Step

MINOR = 37


def questions(server: Server, kinds: Sequence[str]) -> Iterator[Case]:
    """Questions about each rule of each kind, with the server's responses."""
    lists = read()
    for body in bodies():
        kind = f"{body.apiVersion} {body.kind}"
        of = type_of(kind, MINOR)
        if not of or kind not in lists or (kinds and body.kind not in kinds):
            continue
        name = body.names[0] if body.names else f"rules-{time.time_ns() // 1_000_000 % 10**8}"
        whole = document(body, body.a, name)
        made = server.ask("POST", path_of(body, body.apiVersion), whole)  # type: ignore[arg-type]
        try:
            for rule in sorted(lists[kind]):
                yield from _about(server, body, of, rule, name, made.body if made.done else None)
        finally:
            server.ask("DELETE", path_of(body, body.apiVersion, name))  # type: ignore[arg-type]


def _about(server: Server, body: Body, of: str, rule: str, name: str, live: Any) -> Iterator[Case]:
    path, type_ = rule.split(" ")[:2]
    if path.startswith("metadata."):
        return
    way = steps(of, path, MINOR)
    for value in broken_values(way, type_, MINOR):
        if path.startswith("status"):
            if live and body.status:
                content = placed({**live, "status": body.status[0]}, way, value)
                yield from answered(server, body, {"do": "status", "body": content, "before": live}, name)
            continue
        content = placed(document(body, body.a, f"{name}-new"), way, value)
        yield from answered(server, body, {"do": "create", "body": content}, f"{name}-new")
        if live:
            yield from answered(server, body, {"do": "update", "body": placed(live, way, value), "before": live}, name)


def placed(content: Any, way: Sequence[Step], value: Any) -> Any:
    """The object with a value at the end of a path, or without one there."""
    content = deepcopy(content)
    owner = content
    for step in way[:-1]:
        below = owner.get(step.name)
        if step.into and not step.shape.is_map:
            listed = below if isinstance(below, list) and below and isinstance(below[0], dict) else [{}]
            owner[step.name], owner = listed, listed[0]
        elif step.into:
            below = below if isinstance(below, dict) and below else {"key": {}}
            key = next(iter(below))
            below[key] = below[key] if isinstance(below[key], dict) else {}
            owner[step.name], owner = below, below[key]
        else:
            owner[step.name] = below if isinstance(below, dict) else {}
            owner = owner[step.name]
    if value is None:
        owner.pop(way[-1].name, None)
    else:
        owner[way[-1].name] = value
    return content


def main(arguments: Sequence[str] | None = None) -> int:
    """Send, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.declared.real", description=__doc__)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--differing", type=Path, help="file to write the questions with different answers to")
    chosen = parser.parse_args(arguments)
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    tally, lines, unlisted = Tally(), [], 0
    for case in questions(server, chosen.kinds):
        answer = ours(case)
        name = tally.add(case, answer)
        unlisted += bool(differences(case, answer))
        if name:
            lines.append(json.dumps({**case, "class": name}) + "\n")
    if chosen.differing:
        chosen.differing.write_text("".join(lines), encoding="utf-8")
    print(*tally.lines(40), sep="\n")
    print(f"{tally.asked['all']} questions, {unlisted} differences")
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main())
