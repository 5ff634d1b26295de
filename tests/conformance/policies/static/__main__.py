"""Record and compare folders of static manifests: `python -m tests.conformance.policies.static record|check`.

`record` needs a real server of the newest release in KUBECONFIG, a command that resets it in KUBEMERGE_REAL_RESET, and
its log in KUBEMERGE_REAL_LOG. Its `--admission-control-config-file` has to name, for each of the four plugins, the
folder with its name in KUBEMERGE_REAL_MANIFESTS. It records the missing states, or all of them with `--all`.
"""

from __future__ import annotations

import sys

from ...ownership.real.server import Server
from .folders import folders, identity, record, recorded
from .real import theirs
from .replay import ours


def main(arguments: list[str]) -> None:
    known = recorded()
    if arguments[0] == "record":
        server = Server()
        for one in folders():
            if "--all" in arguments or known.get(one["name"], {}).get("of") != identity(one):
                known[one["name"]] = {"of": identity(one), "steps": theirs(server, one)}
                record(known)
        record({one["name"]: known[one["name"]] for one in folders()})
    equal = total = 0
    for one in folders():
        for place, (mine, other) in enumerate(zip(ours(one), known[one["name"]]["steps"], strict=True)):
            total += 1
            equal += mine == other
            if mine != other:
                print(f"{one['name']}, step {place}\n  real {other}\n  ours {mine}")
    print(f"{equal} of {total} equal")


if __name__ == "__main__":
    main(sys.argv[1:])
