"""Print the number of places of each module that have a recorded response, and those without one.

`python -m tests.conformance.wordings` counts the responses of this package. With names, as `kinds wire`, or with `all`,
it counts those of other tests: see corpora.py. `--missing` lists the places without a response.
"""

from __future__ import annotations

import sys
from collections import Counter

from .tracing import install

TRACER = install()

from . import replay  # noqa: E402
from .corpora import CORPORA  # noqa: E402


def of_corpus(name: str) -> set[str]:
    """The places that the responses of other tests contain."""
    found: set[str] = set()
    for ask, text in CORPORA[name]():
        TRACER.words.clear()
        ask()
        found |= TRACER.covered(text)
    return found


def of_our_own() -> set[str]:
    """The places that the responses of this package contain."""
    found: set[str] = set()
    for case in replay.recorded():
        TRACER.words.clear()
        answer = replay.ours(case)
        found |= TRACER.covered(replay.text_of(case)) & TRACER.covered(replay.text_of(answer))
    return found


def main(words: list[str]) -> int:
    """Print the table."""
    names = [word for word in words if not word.startswith("--")]
    chosen = [*CORPORA] if "all" in names else names
    covered = set().union(*map(of_corpus, chosen)) if chosen else of_our_own()
    total: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for module, listed in sorted(TRACER.by_module.items()):
        for place in listed:
            total[module] += 1
            done[module] += place.identity in covered
            if "--missing" in words and place.identity not in covered:
                sys.stdout.write(f"{module}:{place.line} {place.identity}\n")
    for module, count in total.items():
        sys.stdout.write(f"{done[module]:5} of {count:4}  {module}\n")
    sys.stdout.write(f"{done.total()} of {total.total()} places have a recorded answer\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
