"""Choose among the cases that a search has found: the shortest ones that reach places without a response.

`python -m tests.conformance.wordings.choose FILE...` adds them to `recorded/found.jsonl.gz`, and drops those that are
no longer needed. With `--borrow`, it then chooses among the responses of other tests.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .tracing import install

TRACER = install()

from . import asked, replay  # noqa: E402
from .corpora import BORROWED, CORPORA, digest  # noqa: E402

if TYPE_CHECKING:
    from .replay import Case

FOUND = replay.HERE / "recorded" / "found.jsonl.gz"


def covered(case: Case) -> set[str]:
    """The places that a case defends; none if our response differs in a way that is not listed."""
    TRACER.words.clear()
    answer = replay.ours(case)
    if replay.difference(answer, case) != case.get("differs", ""):
        return set()
    return TRACER.covered(replay.text_of(case)) & TRACER.covered(replay.text_of(answer))


def chosen(cases: list[Case], known: set[str]) -> list[Case]:
    """The cases that are needed, those with many places first."""
    found = [(covered(case) - known, case) for case in sorted(cases, key=lambda one: len(json.dumps(one)))]
    kept: list[Case] = []
    while found:
        found = [(places - known, case) for places, case in found if places - known]
        if found:
            places, case = max(found, key=lambda one: len(one[0]))
            known |= places
            kept.append(case)
    return kept


def borrow(known: set[str]) -> None:
    """Choose the responses of other tests that are needed, and store their digests."""
    digests: dict[str, list[str]] = {}
    for name, corpus in CORPORA.items():
        for ask, text in corpus():
            TRACER.words.clear()
            ask()
            new = TRACER.covered(text) - known
            if new:
                known |= new
                digests.setdefault(name, []).append(digest(text))
    BORROWED.write_text(json.dumps(digests) + "\n", encoding="utf-8")


def main(words: list[str]) -> int:
    """Choose, and store the cases."""
    files = [word for word in words if word != "--borrow"]
    by_hand = [case for area in asked.areas() for case in asked.answered(area, replay.answers(area))]
    known = {place for case in by_hand for place in covered(case)}
    files = [*files, *([str(FOUND)] if FOUND.exists() else [])]
    kept = chosen([case for file in files for case in replay.stored(Path(file))], known)
    replay.store(FOUND, kept)
    if "--borrow" in words:
        borrow(known)
    sys.stdout.write(f"{len(kept)} cases in {FOUND.name}, {len(known)} places\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
