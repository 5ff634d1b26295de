"""The reference's responses to cases, with every lookup, and checks that they are stable.

Go iterates over maps in random order, which sometimes affects results. Every question is sent many times to several
processes.
"""

from __future__ import annotations

import json
from typing import Any

from .inputs import Case, question
from .oracle import Oracle
from .schemas import lookups

PROCESSES, REPEAT = 3, 40

Answer = dict[str, Any]
Answers = dict[str, Answer]
"""By lookup; the first one is the expected response."""

NO_SCHEMA = "none"


def answers(cases: list[Case], processes: int = PROCESSES, repeat: int = REPEAT) -> list[Answers]:
    """The responses to each case; an unstable one is {"varies": [...]}."""
    places = [(place, name) for place, case in enumerate(cases) for name in _lookups(case)]
    questions = [{**question(cases[place], _lookups(cases[place])[name]), "repeat": repeat} for place, name in places]
    seen: list[dict[str, Answer]] = [{} for _ in questions]
    for _ in range(processes):
        with Oracle() as oracle:
            for answer, known in zip(oracle.ask_many(questions), seen, strict=True):
                known |= {json.dumps(one, sort_keys=True): one for one in _outcomes(answer)}
    found: list[Answers] = [{} for _ in cases]
    for (place, name), known in zip(places, seen, strict=True):
        found[place][name] = _one([known[text] for text in sorted(known)])
    return found


def kind(answer: Answer) -> str:
    """`result`, `error`, `panic` or `varies`."""
    return next(iter(answer))


def agree(left: Answer, right: Answer) -> bool:
    """True if two lookups agree: equal results, or both without result. Error texts differ between lookups."""
    if "result" in left or "result" in right or "varies" in left or "varies" in right:
        return left == right
    return kind(left) == kind(right)


def _lookups(case: Case) -> dict[str, dict[str, Any] | None]:
    return dict(lookups(case["schema"])) if case.get("schema") else {NO_SCHEMA: None}


def _outcomes(answer: Answer) -> list[Answer]:
    """The single outcomes in a response; a rejected question is a mistake in the case."""
    facts = {name: value for name, value in answer.items() if name != "id"}
    if "refused" in facts:
        raise ValueError(f"the oracle refused a question: {facts['refused']}")
    several: list[Answer] = facts.get("varies", [facts])
    return several


def _one(outcomes: list[Answer]) -> Answer:
    return outcomes[0] if len(outcomes) == 1 else {"varies": outcomes}
