"""Record requests to a real API server with its responses, for the fast test.

`python -m tests.conformance.kinds.record` uses the server of KUBECONFIG (see the package). `--mended FILE --into
recorded-pods.jsonl.gz` reads requests that differed once (`python -m tests.conformance.kinds --differing FILE`), and
adds one of each class that is equal now.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ..ownership.real.server import Server, ServerUnavailable
from .ask import asked
from .bodies import bodies
from .judge import Agreement, degree, is_compared, ours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .ask import Case

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.jsonl.gz"
OF_A_KIND = 16
"""The number of recorded requests for each kind; half of them are rejected."""
LONGEST = 6000
"""Longer ones are left out."""
ROUNDS = 12


def drawn(server: Server) -> list[Case]:
    """Requests about every kind, the same number of each."""
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
"""Kinds with pods and related ones, which are compared elsewhere, and kinds that are validated in part."""


def recorded() -> list[Case]:
    """The recorded requests and responses of all files."""
    return [case for file in sorted(HERE.glob("recorded*.jsonl.gz")) for case in stored(file)]


def stored(file: Path) -> list[Case]:
    """The requests and responses of one file."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def store(file: Path, cases: list[Case]) -> None:
    """Write requests and responses to a file."""
    lines = "".join(json.dumps(case, separators=(",", ":"), sort_keys=True) + "\n" for case in cases)
    file.write_bytes(gzip.compress(lines.encode(), mtime=0))


def mended(differing: Path) -> list[Case]:
    """The shortest request of each class and kind whose response differed, and is equal now."""
    found: dict[tuple[str, str], Case] = {}
    for line in sorted(differing.read_text(encoding="utf-8").splitlines(), key=len):
        case = json.loads(line)
        key = case["kind"], case.pop("class")
        if key not in found and len(line) < LONGEST and degree(case, ours(case)) >= Agreement.IDENTICAL:
            found[key] = {**case, "strict": True}
    return list(found.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Send requests, or choose among responses, and store them."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.kinds.record", description=__doc__)
    parser.add_argument("--mended", type=Path, help="file with questions that differed")
    parser.add_argument("--into", help="name of the file to add the questions to")
    chosen = parser.parse_args(arguments)
    if chosen.mended and chosen.into:
        file = HERE / chosen.into
        before = stored(file) if file.exists() else []
        store(file, [*before, *(case for case in mended(chosen.mended) if case not in before)])
        print(f"{len(stored(file))} questions in {file.name}, {len(before)} of them before")
        return 0
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    found = drawn(server)
    store(RECORDED, found)
    print(f"{len(found)} questions about {len({case['kind'] for case in found})} kinds of {server.release}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
