"""Compare predictions from files with kubectl on a real API server, on random pairs of a live object and a config.

`python -m tests.conformance.livediff --count 2000 --seed 1` draws that many pairs. The server comes from KUBECONFIG.
Objects are created in it and deleted again, so use a disposable one.
`--keep FILE` stores pairs and kubectl's responses,
and `--replay FILE` compares with these, without a server.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..ownership.real.__main__ import prepared
from ..ownership.real.server import Server, ServerUnavailable
from .batch import Batch
from .kubectl import Kubectl, KubectlFailed, key_of
from .ours import answers
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .batch import Case

    Batches = Iterator[tuple[list[Case], dict[int, tuple[str, str]]]]

SIZE = 150
"""The number of pairs in a batch."""
APART_EVERY = 5
"""One batch in this many has the kinds whose objects affect others."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, send, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.livediff", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="number of pairs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="number of pairs to print in full")
    parser.add_argument("--class", dest="named", default="", help="print only pairs whose class has this text")
    parser.add_argument("--command", default="", help="compare only this command")
    parser.add_argument("--classes", type=int, default=25, help="number of classes to print for each command")
    parser.add_argument("--only", default="", help="kinds, separated by commas")
    parser.add_argument("--keep", help="file to add all pairs and answers to")
    parser.add_argument("--replay", help="file with pairs and answers to use instead of a server")
    parser.add_argument("--no-fleet", action="store_true", help="leave out fleet drift, which starts processes")
    parser.add_argument("--draw-only", action="store_true", help="with --keep: ask kubectl only, and compare later")
    chosen = parser.parse_args(arguments)
    tally = Tally(chosen.show, chosen.named, chosen.command)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            for cases, texts in replayed(chosen) if chosen.replay else drawn(chosen, folder):
                if chosen.draw_only:
                    print(f"{len(cases)} pairs", flush=True)
                    continue
                found = answers(cases, folder, fleet=not chosen.no_fleet)
                for case in cases:
                    tally.add(case, found, texts.get(case["id"]))
        except (ServerUnavailable, KubectlFailed) as error:
            print(error)
            return 2
    print(*tally.lines(chosen.classes), sep="\n")
    return 1 if tally.differing else 0


def drawn(chosen: argparse.Namespace, folder: Path) -> Batches:
    """Batches of pairs from the server of KUBECONFIG, with the texts that kubectl prints."""
    server, kubectl = Server(), Kubectl(folder / "cache")
    prepared(server)
    done = 0
    while done < chosen.count:
        batch = Batch(server, kubectl, folder / "batch", chosen.only)
        first = chosen.seed * 1_000_000 + done
        size = min(SIZE, chosen.count - done)
        cases = batch.cases(range(first, first + size), apart=(done // SIZE) % APART_EVERY == APART_EVERY - 1)
        if chosen.keep:
            with Path(chosen.keep).open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(case) + "\n" for case in cases)
        done += size
        yield cases, batch.texts


def replayed(chosen: argparse.Namespace) -> Batches:
    """Batches of pairs from a file."""
    kinds = {*filter(None, chosen.only.split(","))}
    with Path(chosen.replay).open(encoding="utf-8") as file:
        cases = [case for case in map(json.loads, file) if not kinds or case["kind"] in kinds]
    while cases:
        batch = {key_of(case["config"]): case for case in reversed(cases[:SIZE])}
        yield [*batch.values()], {}
        taken = {case["id"] for case in batch.values()}
        cases = [case for case in cases if case["id"] not in taken]


if __name__ == "__main__":
    sys.exit(main())
