"""Compare random requests: `python -m tests.conformance.quotas --count 20 --seed 1 [--record]`.

It needs a real server of the newest release in KUBECONFIG, with the resourcequota-controller. Each scenario has its own
namespace. `--record` writes the scenarios for the tests.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING, Any

from ..ownership.real.server import Server
from .draw import SETUP, Draw, Object
from .replay import ROOTS, answer, namespace, ours, quotas_in, record

if TYPE_CHECKING:
    from .replay import Answer

LENGTH = 40
PATIENCE = 6.0
"""The time for the controller to count usage again."""
TRIES = 12
"""A server checks several quotas in any order."""
FORBIDDEN = 403
SYNCED = 0.03


def theirs(server: Server, name: str, requests: list[Object], expected: list[Answer]) -> list[Answer]:
    """The responses of a real server. It gets time to return the expected ones."""
    server.ask("POST", "/api/v1/namespaces", namespace(name)["body"])
    found = []
    for one, wanted in zip(requests, expected, strict=True):
        made = _sent(server, one)
        for _ in range(TRIES):
            if made.code != FORBIDDEN or made.body.get("message") == wanted["message"]:
                break
            made = _sent(server, one)
        end = time.monotonic() + PATIENCE
        while True:
            now = answer(made.code, made.body, server.ask("GET", quotas_in(name)).body)
            if now["used"] == wanted["used"] or time.monotonic() > end:
                break
            time.sleep(0.02)
        time.sleep(SYNCED)
        found.append(now)
        if now["used"] != wanted["used"]:
            break  # later usage differs, too
    return found


def _sent(server: Server, one: Object) -> Any:
    path, _, query = one["path"].partition("?")
    asked = dict(part.split("=") for part in query.split("&") if part)
    return server.ask(one["method"], path, one.get("body"), one.get("kind", ""), **asked)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    server = Server()
    for one in SETUP:
        server.ask("POST", ROOTS[one["kind"]], one)
    total = differing = 0
    kept = []
    for seed in range(asked.seed, asked.seed + asked.count):
        draw = Draw(seed)
        requests = draw.scenario(LENGTH)
        mine = ours(draw.namespace, requests)
        real = theirs(server, draw.namespace, requests, mine)
        kept.append({"namespace": draw.namespace, "requests": requests, "answers": real})
        for place, (one, other) in enumerate(zip(mine, real, strict=False)):
            total += 1
            if one != other:
                differing += 1
                print(f"seed {seed} request {place}: {json.dumps(requests[place])}")
                for part in ("code", "message", "used"):
                    if one[part] != other[part]:
                        print(f"  {part}\n    real {json.dumps(other[part])}\n    ours {json.dumps(one[part])}")
                break  # later usage differs, too
    print(f"{differing} scenarios of {asked.count} differ, {total} responses compared")
    if asked.record:
        record(kept)


if __name__ == "__main__":
    main()
