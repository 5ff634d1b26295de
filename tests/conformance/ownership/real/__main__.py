"""Compare the engine with a real API server on random sequences of writes, and print the differences.

`python -m tests.conformance.ownership.real --count 2000 --seed 1` counts sequences. The server comes from KUBECONFIG.
It is filled with objects and CustomResourceDefinitions, so use a disposable one.
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

    from .sequences import Write


def prepared(server: Server) -> None:
    """The server with the namespace and the CustomResourceDefinitions."""
    server.make_namespace()
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    for crd in definitions():
        name = crd["metadata"]["name"]
        answer = server.ask("PATCH", f"{path}/{name}", crd, kind="apply", fieldManager="tests", force="true")
        assert answer.done, answer
    for _ in range(100):
        found = server.ask("GET", "/apis/example.com/v1").body.get("resources") or []
        if {"reals", "kepts", "plains", "doubles"} <= {one["name"] for one in found}:
            return
        time.sleep(0.2)


class Tally:
    """The outcomes and differences."""

    def __init__(self, show: int, keep: str | None, *, refused: bool) -> None:
        self.show, self.keep, self.tell_refused = show, keep, refused
        self.seen: Counter[str] = Counter()
        self.listed: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.different: Counter[str] = Counter()

    def add(self, write: Write) -> None:
        """Compare the responses to one write."""
        theirs = judge.theirs(write)
        self.seen.update(["writes", next(iter(theirs))])
        if "refused" in theirs:
            self.refused[write["kind"]] += 1
            if self.tell_refused:
                print(write["kind"], write["do"], write["subresource"], theirs["refused"][:600])
        ours = judge.ours(write) if "refused" not in theirs or write["do"] == "apply" else theirs
        if judge.agree(write, ours, theirs):
            return
        name = judge.listed(write, ours, theirs)
        if name:
            self.listed[name] += 1
            return
        self.different[write["kind"]] += 1
        if self.keep:
            with Path(self.keep).open("a", encoding="utf-8") as file:
                file.write(json.dumps(write) + "\n")
        if sum(self.different.values()) <= self.show:
            print(*[f"{name}={write[name]}" for name in ("kind", "version", "do", "subresource", "manager", "force")])
            print("\n".join(places(ours, theirs)[:12]), flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, write, compare and print."""
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
    tally = Tally(chosen.show, chosen.keep, refused=chosen.refused)
    for number in range(chosen.count):
        for write in sequence(server, chosen.seed * 1_000_000 + number):
            tally.add(write)
    print(dict(tally.seen))
    print(f"refused for other reasons: {dict(tally.refused)}")
    for name, times in tally.listed.items():
        print(f"{times} listed differences: {name}, because {judge.LISTED[name][0]}")
    print(f"{chosen.count} sequences, {sum(tally.different.values())} differences {dict(tally.different) or ''}")
    return 1 if tally.different else 0


if __name__ == "__main__":
    sys.exit(main())
