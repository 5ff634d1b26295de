"""Judge drift repairs: `python -m tests.conformance.repair --count 500 --seed 1 --kubectl FILE [--keep FILE]`.

Each scenario writes an object as a tool, lets other managers change it, computes the repair, sends the patch with
kubectl to the server of KUBECONFIG, and checks three properties: the tool's next apply changes nothing but fields that
were left to others, fields of other managers have their values, and a second application changes nothing. `--keep`
adds the scenarios to a file. `--choose FILE` picks some of them for the fast test.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ..livediff.drafts import deleted
from ..ownership.real.__main__ import prepared
from ..ownership.real.server import Server, ServerUnavailable
from .judge import Judge
from .ours import repaired
from .replay import choose
from .scene import scene

if TYPE_CHECKING:
    from collections.abc import Sequence

Case = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, repair, judge and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.repair", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="number of scenarios")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds, separated by commas")
    parser.add_argument("--kubectl", default="kubectl", help="the program, of the release of the server")
    parser.add_argument("--keep", type=Path, help="file to add all scenarios to")
    parser.add_argument("--choose", type=Path, help="file to pick scenarios from, without a server")
    chosen = parser.parse_args(arguments)
    if chosen.choose:
        return choose(chosen.choose)
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    prepared(server)
    seen: Counter[str] = Counter()
    with TemporaryDirectory() as name:
        judge = Judge(server, Path(name), chosen.kubectl)
        for seed in range(chosen.seed * 100_000, chosen.seed * 100_000 + chosen.count):
            case = _case(server, judge, seed, chosen.only)
            if case is None:
                seen["not created"] += 1
                continue
            seen.update(["scenarios", case["state"], f"{case['type']} patches"])
            seen["with faults"] += bool(case["faults"])
            for fault in case["faults"]:
                print(f"{seed} {case['tool']} {case['server_side']} {case['kind']}: {fault}", flush=True)
            if chosen.keep:
                with chosen.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(case) + "\n")
    print(dict(seen))
    return 1 if seen["with faults"] else 0


def _case(server: Server, judge: Judge, seed: int, only: str) -> Case | None:
    found = scene(server, seed, only)
    if found is None:
        return None
    one = found.draft
    case: Case = {"seed": seed, "tool": found.tool, "server_side": found.is_server_side, "kind": one.kind.kind}
    case |= {"config": one.config, "live": one.live}
    try:
        repair = repaired(case)
        case |= {"state": repair.state, "paths": {field.path: field.repair for field in repair.fields}}
        case |= {
            "patch": repair.patch.body if repair.patch else None,
            "type": repair.patch.type if repair.patch else "no",
        }
        case["faults"], case["after"] = judge.faults(found, repair)
    except Exception as error:  # a crash is a fault of one scenario
        import traceback

        where = traceback.format_exc().splitlines()[-3:]
        case |= {"state": "crashed", "type": "no", "faults": [f"{type(error).__name__}: {error} {where}"]}
    deleted(server, one)
    return case


if __name__ == "__main__":
    sys.exit(main())
