"""Compare the embedded cluster with a real API server on mutated objects of every built-in kind.

`python -m tests.conformance.kinds --count 200 --seed 1` starts from 200 objects, with 12 requests about each: creates
and updates, as dry runs. The server comes from KUBECONFIG. Objects are created in it and deleted again, so use a
disposable server. `--keep FILE` stores the requests and responses, and `--replay FILE` compares with these, without a
server. The table shows the share of equal verdicts (code) and of identical responses; nothing is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..ownership.real.server import Server, ServerUnavailable
from .ask import asked
from .classes import Tally
from .judge import differences, ours

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .ask import Case


def main(arguments: Sequence[str] | None = None) -> int:
    """Send, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.kinds", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="number of objects to start from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="number of differences to print")
    parser.add_argument("--class", dest="named", default="", help="print only differences of classes with this text")
    parser.add_argument("--classes", type=int, default=20, help="number of classes of differences to print")
    parser.add_argument("--only", default="", help="kinds, separated by commas")
    parser.add_argument("--keep", help="file to add all questions and answers to")
    parser.add_argument("--replay", help="file with questions and answers to use instead of a server")
    parser.add_argument("--differing", help="file to write the questions with different answers to, with their classes")
    chosen = parser.parse_args(arguments)
    try:
        cases = replayed(chosen) if chosen.replay else questions(chosen)
    except ServerUnavailable as error:
        print(error)
        return 2
    tally, unlisted, differing = Tally(), 0, []
    for case in cases:
        answer = ours(case)
        name = tally.add(case, answer)
        found = differences(case, answer)
        unlisted += bool(found)
        if name:
            differing.append(json.dumps({**case, "class": name}) + "\n")
        if name and chosen.named in name and chosen.show > 0:
            chosen.show -= 1
            print(f"--- {case['kind']} {case['do']}: {name}", *differences(case, answer, strict=True)[:8], sep="\n")
    if chosen.differing:
        Path(chosen.differing).write_text("".join(differing), encoding="utf-8")
    print(*tally.lines(chosen.classes), sep="\n")
    print(f"{tally.asked['all']} questions, {unlisted} differences")
    return 1 if unlisted else 0


def questions(chosen: argparse.Namespace) -> Iterator[Case]:
    """Requests to the server of KUBECONFIG, with its responses."""
    return _asked(Server(), chosen)


def _asked(server: Server, chosen: argparse.Namespace) -> Iterator[Case]:
    server.make_namespace()
    for number in range(chosen.count):
        for case in asked(server, chosen.seed * 1_000_000 + number, chosen.only):
            if chosen.keep:
                with Path(chosen.keep).open("a", encoding="utf-8") as file:
                    file.write(json.dumps(case) + "\n")
            yield case


def replayed(chosen: argparse.Namespace) -> Iterator[Case]:
    """Requests and responses from a file."""
    kinds = {*filter(None, chosen.only.split(","))}
    with Path(chosen.replay).open(encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            if not kinds or case["kind"] in kinds:
                yield case


if __name__ == "__main__":
    sys.exit(main())
