"""Record and compare policies: `python -m tests.conformance.policies record|check|show [AREA...]`.

`record` needs a real server of the newest release in KUBECONFIG, and a command that resets it in KUBEMERGE_REAL_RESET.
It sends scenarios that have no recorded responses, or with `--all` every one. `check` prints the differences. The area
`authorization` needs a server with `--authorization-mode=RBAC`, all others one with AlwaysAllow.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from ..ownership.real.server import Server
from .real import theirs
from .replay import SetupRejected, answers_in, answers_of_ours, record, recorded, requests_of
from .scenarios import areas, scenarios

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1500


def main(arguments: list[str]) -> None:
    command, names = arguments[0], [one for one in arguments[1:] if not one.startswith("--")]
    for area in names or areas():
        if command == "record":
            _record(area, everything="--all" in arguments)
        _check(area)


def _record(area: str, *, everything: bool) -> None:
    server = Server()
    found = {} if everything else recorded(area)
    now = scenarios(area)
    for one in now:
        name, requests = one["name"], requests_of(one)
        if name in found and found[name]["requests"] == requests:
            continue
        try:
            found[name] = {"requests": requests, "answers": theirs(server, one)}
        except SetupRejected as error:
            found[name] = {"requests": requests, "rejected": str(error)}
        record(area, found)
    names = {one["name"] for one in now}
    record(area, {name: one for name, one in found.items() if name in names})


def _check(area: str) -> None:
    known = recorded(area)
    equal = total = 0
    for one in scenarios(area):
        real = known.get(one["name"])
        for place, (mine, other) in enumerate(zip(answers_of_ours(one), answers_in(real), strict=True) if real else ()):
            total += 1
            equal += mine == other
            if mine != other:
                print(f"{area}: {one['name']} request {place}")
                print("\n".join(_differences(mine, other)))
    print(f"{area}: {equal} of {total} equal")


def _differences(mine: Any, other: Any) -> Iterator[str]:
    if isinstance(mine, str) or isinstance(other, str):
        yield f"  real {other}\n  ours {mine}"
        return
    for part in sorted({*mine, *other}):
        if mine.get(part) != other.get(part):
            shown = [json.dumps(one.get(part), sort_keys=True)[:LONGEST] for one in (other, mine)]
            yield f"  {part}\n    real {shown[0]}\n    ours {shown[1]}"


if __name__ == "__main__":
    main(sys.argv[1:])
