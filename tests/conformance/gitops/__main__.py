"""Record and compare: `python -m tests.conformance.gitops record|check|choose flux|argocd [--file FILE]`.

`record` needs a real server of the newest release in KUBECONFIG that may be filled, and Go 1.27 or newer for the
judges. It adds random scenarios to a file of JSON Lines. `check` prints the differences between the plan and the tool.
Its default are the scenarios of the tests, which `choose` picks from files.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.gitops", description=__doc__)
    parser.add_argument("do", choices=["record", "check", "choose"])
    parser.add_argument("tool", choices=["flux", "argocd"])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, action="append", help="JSON Lines with scenarios. May be repeated.")
    parser.add_argument("--only", default="", help="kinds, separated by commas")
    parser.add_argument("--show", type=int, default=10)
    asked = parser.parse_args(arguments)
    if asked.do == "record":
        return _record(asked)
    from .check import check, choose

    if asked.do == "choose":
        return choose(asked.tool, asked.file)
    return max([check(asked.tool, file, asked.show) for file in asked.file or [None]])


def _record(asked: argparse.Namespace) -> int:
    from ..ownership.real.__main__ import prepared
    from ..ownership.real.server import Server
    from .judge import Judge, ProgramEnded
    from .record import case

    server = Server()
    prepared(server)
    judge = Judge(asked.tool)
    done = 0
    with asked.file[0].open("a", encoding="utf-8") as file:
        for seed in range(asked.seed, asked.seed + asked.count):
            try:
                found = case(server, judge, asked.tool, seed, asked.only)
            except ProgramEnded as error:
                print(f"{seed}: {error}", flush=True)
                judge, found = Judge(asked.tool), None
            if found is not None:
                file.write(json.dumps(found) + "\n")
                file.flush()
                done += 1
    judge.close()
    print(f"{done} scenarios")
    return 0


if __name__ == "__main__":
    sys.exit(main())
