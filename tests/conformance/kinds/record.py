"""Records questions to a real API server with its answers, for the fast test.

`python -m tests.conformance.kinds.record` asks the server of KUBECONFIG, see the package.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ..ownership.real.server import Server, ServerUnavailable
from .ask import asked
from .bodies import bodies
from .judge import is_compared

if TYPE_CHECKING:
    from .ask import Case

RECORDED = Path(__file__).parent / "recorded.jsonl.gz"
OF_A_KIND = 16
"""How many questions of each kind are kept; half of them are about what a server refuses."""
LONGEST = 6000
"""Longer ones are left out."""
ROUNDS = 12


def drawn(server: Server) -> list[Case]:
    """Questions about every kind, the same number of each."""
    found: list[Case] = []
    times: Counter[tuple[str, bool]] = Counter()
    for number, kind in enumerate(sorted({body.kind for body in bodies()} - LEFT_OUT)):
        for turn in range(ROUNDS):
            for case in asked(server, 10_000 + number * 100 + turn, kind):
                key = (kind, "after" in case)
                if is_compared(case) and times[key] < OF_A_KIND // 2 and len(json.dumps(case)) < LONGEST:
                    times[key] += 1
                    found.append(case)
    return found


LEFT_OUT = frozenset(
    {
        "ConfigMap",
        "CronJob",
        "DaemonSet",
        "Deployment",
        "Job",
        "Namespace",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "Pod",
        "ReplicaSet",
        "Secret",
        "Service",
        "ServiceAccount",
        "StatefulSet",
        *("PodTemplate", "ReplicationController"),
        *("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"),
    }
)
"""Kinds with pods in them and those around them, which are compared elsewhere, and those that are judged in part."""


def recorded() -> list[Case]:
    """What was recorded."""
    with gzip.open(RECORDED, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main() -> int:
    """Asks and stores."""
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    found = drawn(server)
    lines = "".join(json.dumps(case, separators=(",", ":"), sort_keys=True) + "\n" for case in found)
    RECORDED.write_bytes(gzip.compress(lines.encode(), mtime=0))
    print(f"{len(found)} questions about {len({case['kind'] for case in found})} kinds of {server.release}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
