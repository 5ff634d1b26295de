"""Record and compare webhooks: `python -m tests.conformance.webhooks record|check [AREA...] [--only=TEXT]`.

`record` needs a real server of the newest release in KUBECONFIG, and a command that resets it in KUBEMERGE_REAL_RESET.
It sends scenarios that have no recorded responses, or with `--all` every one. `check` prints the differences.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from ..ownership.real.server import Server
from ..policies.replay import SetupRejected, answers_in
from .real import theirs
from .replay import answers_of_ours, record, recorded, requests_of
from .scenarios import areas, scenarios
from .stub import Stub

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 700


def main(arguments: list[str]) -> None:
    command, names = arguments[0], [one for one in arguments[1:] if not one.startswith("--")]
    only = next((one.partition("=")[2] for one in arguments if one.startswith("--only=")), "")
    stub = Stub()
    for area in names or areas():
        if command == "record":
            _record(area, stub, everything="--all" in arguments, only=only)
        _check(area, stub, only)


def _record(area: str, stub: Stub, *, everything: bool, only: str) -> None:
    server = Server()
    found = recorded(area)
    now = scenarios(area)
    for one in now:
        name, requests = one["name"], requests_of(one)
        known = name in found and found[name]["requests"] == requests
        if (known and not everything) or only not in name:
            continue
        try:
            found[name] = {"requests": requests, "answers": theirs(server, one, stub)}
        except SetupRejected as error:
            found[name] = {"requests": requests, "rejected": str(error)}
        record(area, found)
    names = {one["name"] for one in now}
    record(area, {name: one for name, one in found.items() if name in names})


def _check(area: str, stub: Stub, only: str) -> None:
    known = recorded(area)
    equal = total = 0
    for one in scenarios(area):
        real = known.get(one["name"])
        if only not in one["name"]:
            continue
        for place, (mine, other) in enumerate(
            zip(answers_of_ours(one, stub), answers_in(real), strict=True) if real else ()
        ):
            total += 1
            equal += mine == other
            if mine != other:
                print(f"{area}: {one['name']} request {place}")
                print("\n".join(_differences(mine, other)))
    print(f"{area}: {equal} of {total} equal")


def _differences(mine: Any, other: Any, path: str = "") -> Iterator[str]:
    if isinstance(mine, dict) and isinstance(other, dict):
        for part in sorted({*mine, *other}):
            yield from _differences(mine.get(part), other.get(part), f"{path}.{part}")
    elif isinstance(mine, list) and isinstance(other, list) and len(mine) == len(other):
        for number, (one, two) in enumerate(zip(mine, other, strict=True)):
            yield from _differences(one, two, f"{path}[{number}]")
    elif mine != other:
        yield f"  {path}\n    real {json.dumps(other)[:LONGEST]}\n    ours {json.dumps(mine)[:LONGEST]}"


if __name__ == "__main__":
    main(sys.argv[1:])
