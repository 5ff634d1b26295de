"""Replay all recorded responses, and print as JSON the places that they contain and those that differ from ours.

The tests run this in a separate process, because the modules have to be imported in a traced form.
"""

from __future__ import annotations

import json
import sys

from .tracing import install

TRACER = install()

from . import replay  # noqa: E402
from .corpora import borrowed  # noqa: E402


def main() -> int:
    """Replay and print."""
    covered: set[str] = set()
    different = []
    for case in replay.recorded():
        TRACER.words.clear()
        answer = replay.ours(case)
        difference = replay.difference(answer, case)
        found = TRACER.covered(replay.text_of(case))
        covered |= found & TRACER.covered(replay.text_of(answer)) if difference else found
        if difference != case.get("differs", ""):
            different.append({"ask": case["ask"], "difference": difference, "listed": case.get("differs", "")})
    for ask, text in borrowed():
        TRACER.words.clear()
        ask()
        covered |= TRACER.covered(text)
    places = {place.identity: f"{module}:{place.line}" for module, all_ in TRACER.by_module.items() for place in all_}
    json.dump({"places": places, "covered": sorted(covered), "different": different}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
