"""The engine gives the recorded answers of older releases to strategic merge patches."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from engine.tables.behaviour import behaviour_of

from ..build import OracleUnavailable
from ..cases import same
from ..fuzz import answered
from ..inputs import question
from ..oracle import Oracle
from .build import strategic
from .strategic import FILE, SELECTOR, VERSIONS, schema_of

CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("version", VERSIONS)
def test_result_equals_the_recorded_answer(version: str) -> None:
    cases = [one for one in CASES if one["version"] == version]
    assert [case for case in cases if not _agrees(case, version)] == []
    assert len(cases) > 10


@pytest.mark.parametrize("version", VERSIONS)
def test_recorded_answers_tell_a_release_from_every_other_one(version: str) -> None:
    own = schema_of(version).types.behaviour
    cases = [one for one in CASES if one["version"] == version]
    others = {behaviour_of(minor) for minor in range(7, 38)} - {own, behaviour_of(10)}
    strategic = {frozenset(name for name in one if name.startswith("strategic")) for one in others}
    for other in strategic - {frozenset(name for name in own if name.startswith("strategic"))}:
        schema = _with(other)
        assert not all(_agrees(case, version, schema) for case in cases), other


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_recorded_answers_are_those_of_the_old_modules(version: str) -> None:
    try:
        program = strategic(version)
    except OracleUnavailable as error:
        pytest.skip(str(error))
    cases = [one for one in CASES if one["version"] == version]
    with Oracle(program) as oracle:
        answers = oracle.ask_many({**question(one, SELECTOR), "repeat": 40} for one in cases)
    for case, answer in zip(cases, answers, strict=True):
        assert ("result" in answer, answer.get("result")) == ("result" in case, case.get("result"))


def _with(behaviour: frozenset[str]) -> engine.Schema:
    schema = schema_of(VERSIONS[0])
    types = type(schema.types)(schema.types.data, None, None)
    types.once("behaviour", lambda: behaviour)
    return schema.of_types(types)


def _agrees(case: dict[str, Any], version: str, schema: engine.Schema | None = None) -> bool:
    result = answered(case, schema or schema_of(version))
    if isinstance(result, engine.MergeError):
        return "error" in case
    return "result" in case and same(case["result"], result)
