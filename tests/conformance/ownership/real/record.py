"""Record writes to a real API server with its responses, for the fast tests.

`python -m tests.conformance.ownership.real.record` uses the server of KUBECONFIG (see the package).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

from ..recorded import CASES, store
from . import judge
from .__main__ import prepared
from .kinds import kinds
from .sequences import Write, sequence
from .server import Server, ServerUnavailable

RECORDED = CASES / "real.jsonl.gz"
OF_A_KIND = 12
"""The number of recorded writes for each kind."""
LONGEST = 16000
"""Longer writes are left out."""
SEEDS = range(1, 1200)


def drawn(server: Server) -> list[Write]:
    """Writes to every kind, the same number of each, with responses that depend on managers."""
    found: list[Write] = []
    times: Counter[str] = Counter()
    for seed in SEEDS:
        if len(found) >= OF_A_KIND * len(kinds()):
            break
        for write in sequence(server, -seed):
            kept = without_what_is_not_asked(write)
            theirs = judge.theirs(kept)
            if "refused" in theirs or judge.listed(kept, {}, theirs) or len(json.dumps(kept)) > LONGEST:
                continue
            if times[kept["kind"]] < OF_A_KIND:
                times[kept["kind"]] += 1
                found.append(kept)
    return found


def without_what_is_not_asked(write: Write) -> Write:
    """The stored form of a write: of a Status, only the part about conflicts."""
    kept: dict[str, Any] = {name: value for name, value in write.items() if name != "put"}
    if "said" in kept:
        kept["said"] = {name: kept["said"].get(name) for name in ("message", "details")}
    return kept


def main() -> int:
    """Send and store."""
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    prepared(server)
    found = drawn(server)
    store(RECORDED, found)
    print(f"{len(found)} writes to {len({write['kind'] for write in found})} kinds of {server.release}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
