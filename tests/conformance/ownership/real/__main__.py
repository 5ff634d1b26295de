"""The engine against a real API server on random sequences of writes; what differs is printed.

`python -m tests.conformance.ownership.real --count 2000 --seed 1` counts sequences. The server is that of KUBECONFIG.
It is filled with objects and CustomResourceDefinitions, so it should be one that is thrown away.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ..compare import places
from . import judge
from .kinds import definitions
from .sequences import sequence
from .server import Server, ServerUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence


def prepared(server: Server) -> None:
    """The server with the CustomResourceDefinitions."""
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    for crd in definitions():
        name = crd["metadata"]["name"]
        answer = server.ask("PATCH", f"{path}/{name}", crd, kind="apply", fieldManager="tests", force="true")
        assert answer.done, answer
    for _ in range(100):
        found = server.ask("GET", "/apis/example.com/v1").body.get("resources") or []
        if {"reals", "kepts", "plains"} <= {one["name"] for one in found}:
            return
        time.sleep(0.2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws, writes, compares and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.ownership.real", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many sequences")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="how many differences are printed in full")
    parser.add_argument("--keep", help="a file for the writes that differ")
    parser.add_argument("--refused", action="store_true", help="say what was refused for other reasons")
    chosen = parser.parse_args(arguments)
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    prepared(server)
    seen: Counter[str] = Counter()
    listed: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for number in range(chosen.count):
        for write in sequence(server, chosen.seed * 1_000_000 + number):
            theirs = judge.theirs(write)
            seen["writes"] += 1
            seen[next(iter(theirs))] += 1
            if "refused" in theirs:
                refused[write["kind"]] += 1
                if chosen.refused:
                    print(write["kind"], write["do"], write["subresource"], theirs["refused"][:600])
            ours = judge.ours(write) if "refused" not in theirs or write["do"] == "apply" else theirs
            if ours == theirs or ("refused" in theirs and "conflicts" not in ours):
                continue
            name = judge.listed(write)
            if name:
                listed[name] += 1
                continue
            by_kind[write["kind"]] += 1
            if chosen.keep:
                with Path(chosen.keep).open("a", encoding="utf-8") as file:
                    file.write(json.dumps(write) + "\n")
            if sum(by_kind.values()) <= chosen.show:
                print(
                    write["kind"], write["do"], write["subresource"], write["version"], write["manager"], write["force"]
                )
                print("\n".join(places(ours, theirs)[:12]), flush=True)
    print(dict(seen))
    print(f"refused for other reasons: {dict(refused)}")
    for name, times in listed.items():
        print(f"{times} listed differences: {name}, because {judge.LISTED[name][0]}")
    print(f"{chosen.count} sequences, {sum(by_kind.values())} differences {dict(by_kind) or ''}")
    return 1 if by_kind else 0


if __name__ == "__main__":
    sys.exit(main())
