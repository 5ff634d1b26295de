"""The engine gives every recorded response of the reference."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.tables.schema import Schema
from engine.tables.types import TableData, Types
from engine.values import go_json as gojson
from tests.conformance.cases import RecordedCase, load_all
from tests.conformance.fuzz import sent_by_kubectl
from tests.conformance.inputs import DOCUMENTS_OF
from tests.conformance.schemas import engine_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]

FUNCTIONS: dict[str, Run] = {
    "two_way": engine.two_way_patch,
    "three_way": engine.three_way_patch,
    "apply": engine.apply_patch,
    "merge_patches": engine.merge_patches,
    "conflicts": lambda left, right, schema: bool(engine.conflicts(left, right, schema)),
    "json_three_way": lambda last, config, live, _, **settings: engine.json_three_way_patch(
        last, config, live, **settings
    ),
    "json_apply": lambda target, patch, _: engine.json_apply_patch(target, patch),
    "kubectl": sent_by_kubectl,
}
UNCHANGED = ("apiVersion", "kind", "metadata.name")

ODD = {
    "Odd": (
        ("mergeItemPtr", None, None, "map", "odd.Item", "merge", "name"),
        ("spacedStrategy", None, None, "list", "odd.Item", "merge, retainKeys", "name"),
        ("threeWords", None, None, "list", "odd.Item", "merge,retainKeys,replace", "name"),
        ("unknownWord", None, None, "list", "odd.Item", "atomic", "name"),
        ("unknownWordMap", None, None, "map", "odd.Item", "atomic"),
    ),
    "Item": (("name", None, None, "primitive", "string"), ("value", None, None, "primitive", "string")),
}
"""Strategies that no specification has, as codegen would not read them."""

ELSEWHERE = {
    "json_apply target is a list": "the engine takes objects",
    "json_apply target is null": "to the engine, None is an empty object",
    "json_apply patch is null": "to the engine, None is an empty object",
    "two_way time holds lists": "tables do not tell a time from a text",
    "two_way Pod: deletionTimestamp holds lists": "tables do not tell a time from a text",
    "conflicts Pod: deletionTimestamp is a list here and text there": "tables do not tell a time from a text",
    "two_way random apps/v1 Deployment 18": "tables do not tell a time from a text",
}
"""Known differences from the reference; docs/semantics.md lists the same."""


@cache
def schema_of(name: str) -> Schema:
    if name != "OddStrategies":
        return engine_schema(name)
    types = Types(TableData((), {"odd": "odd"}, {"odd": ODD}.__getitem__), None, None)
    return Schema(types, types["odd.Odd"], None, None, None, None)


def cases() -> list[Any]:
    named = [(f"{case.op} {case.name}", case) for case in load_all() if case.op in FUNCTIONS]
    return [pytest.param(case, id=name) for name, case in named if name not in ELSEWHERE]


def document(case: RecordedCase, name: str) -> Any:
    found = case.documents.get(name)
    if isinstance(found, str):
        return gojson.decode(found) if found or case.op in ("apply", "json_apply") else None
    return deepcopy(found)


def answer_or_error(case: RecordedCase) -> Any:
    settings: dict[str, Any] = {}
    if "overwrite" in case.settings:
        settings["overwrite"] = case.settings["overwrite"]
    if case.settings.get("preconditions"):
        settings["unchanged"] = UNCHANGED
    try:
        documents = [document(case, name) for name in DOCUMENTS_OF[case.op]]
    except engine.MergeError as error:
        return error
    before = deepcopy(documents)
    try:
        return FUNCTIONS[case.op](*documents, schema_of(case.schema) if case.schema else None, **settings)
    except engine.MergeError as error:
        return error
    finally:
        assert documents == before, "an input was changed"


@pytest.mark.parametrize("case", cases())
def test_result_equals_the_reference(case: RecordedCase) -> None:
    accepted = [case, *(replace(case, expect=other) for other in case.lookups.values())]
    result = answer_or_error(case)
    if isinstance(result, engine.MergeError):
        assert any(one.accepts_error() for one in accepted), f"{result} instead of {case.expect}"
    else:
        assert any(one.accepts(result) for one in accepted), f"{result} instead of {case.expect}"
