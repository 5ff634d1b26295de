"""The engine gives the recorded answers of older releases to server-side applies and other writes."""

from __future__ import annotations

import pytest

from engine.tables.behaviour import (
    APPENDS_NEW_ELEMENTS,
    CLEARS_MANAGERS,
    IGNORES_ORDER,
    KEEPS_EMPTIED_FIELDS,
    OWNS_UNTYPED_AS_WHOLE,
    REJECTS_DUPLICATES,
    REQUIRES_ALL_KEYS,
    SHARES_CONFLICT_PATHS,
    TIMES_BY_FIELDS,
)

from ..build import OracleUnavailable
from ..oracle import Oracle
from ..ownership.compare import differs, places
from ..ownership.recorded import recorded
from ..ownership.sequences import answered, question
from .build import ownership
from .ownership import FILE, VERSIONS, behaviour

LINES = recorded(FILE)
PROVEN = (
    APPENDS_NEW_ELEMENTS,
    CLEARS_MANAGERS,
    IGNORES_ORDER,
    KEEPS_EMPTIED_FIELDS,
    OWNS_UNTYPED_AS_WHOLE,
    REJECTS_DUPLICATES,
    REQUIRES_ALL_KEYS,
    SHARES_CONFLICT_PATHS,
    TIMES_BY_FIELDS,
)


@pytest.mark.parametrize("version", VERSIONS)
def test_answer_is_as_recorded(version: str) -> None:
    for line in LINES:
        if line["version"] == version:
            ours = answered(line["write"], behaviour(version))
            assert not differs(ours, line["answer"]), (line["write"], *places(ours, line["answer"]))


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_recorded_answers_are_those_of_the_old_modules(version: str) -> None:
    try:
        program = ownership(version)
    except OracleUnavailable as error:
        pytest.skip(str(error))
    lines = [line for line in LINES if line["version"] == version]
    with Oracle(program) as oracle:
        answers = oracle.ask_many(question(line["write"]) for line in lines)
    for line, answer in zip(lines, answers, strict=True):
        assert not differs(answer.get("result") or {"error": answer["error"]}, line["answer"])


@pytest.mark.parametrize("name", PROVEN)
def test_a_behaviour_is_proven_by_a_recorded_answer(name: str) -> None:
    lines = [line for line in LINES if name in behaviour(line["version"])]
    assert lines
    without = [answered(line["write"], behaviour(line["version"]) - {name}) for line in lines]
    assert any(differs(ours, line["answer"]) for ours, line in zip(without, lines, strict=True))
