"""An error about bad input is one flat error: no chained errors, and no calls inside the engine in its traceback."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from engine.directives import ANNOTATION
from engine.tables.types import data_of
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

K8S = engine.load("1.37")
POD, SERVICE, DEPLOYMENT = K8S.schema("v1", "Pod"), K8S.schema("v1", "Service"), K8S.schema("apps/v1", "Deployment")
CONFIG_MAP = K8S.schema("v1", "ConfigMap")
CONFIG: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "1"}}
OWNED = engine.server_side_apply(CONFIG, None, CONFIG_MAP, manager="a").merged


def spec(**fields: Any) -> dict[str, Any]:
    return {"spec": fields}


def deep() -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(2_000):
        value = {"a": value}
    return value


def live_with(text: str) -> dict[str, Any]:
    return {**CONFIG, "metadata": {"name": "a", "annotations": {ANNOTATION: text}}}


def conflicting() -> object:
    last, config, live = (spec(replicas=number) for number in (1, 2, 3))
    return engine.three_way_patch(last, config, live, DEPLOYMENT, overwrite=False)


def broken_strategy() -> object:
    rows = {"B": [("", None, None, "map"), ("x", None, None, "map", None, "merge,replace")]}
    schema = engine.Tables(data_of([], {"a": "a"}, {"a": rows})).definition("a.B")
    return engine.two_way_patch({"x": {"a": 1}}, {"x": {"a": 2}}, schema)


NAMED = [{"name": "a", "x": {"y": 1}}]
CASES: dict[str, list[Callable[[], object]]] = {
    "BadAnnotation": [lambda: engine.apply(CONFIG, live_with("{"), CONFIG_MAP)],
    "BadDirective": [
        lambda: engine.apply_patch({"spec": {"a": 1}}, spec(**{"$retainKeys": "x", "a": 2}), POD),
        lambda: engine.two_way_patch(spec(**{"$patch": 1}), spec(**{"$patch": 2}), POD),
    ],
    "BadFieldPath": [lambda: POD.rule("a..b"), lambda: engine.clear(CONFIG, "[")],
    "BadMergeKey": [
        lambda: engine.apply_patch(
            spec(containers=[{"name": []}]), spec(containers=[{"name": [], "$patch": "delete"}]), POD
        )
    ],
    "BadStrategy": [broken_strategy],
    "BadText": [lambda: __import__("engine.values.go_json").values.go_json.decode("{")],
    "ConflictError": [conflicting],
    "DirectiveInConfig": [
        lambda: engine.three_way_patch({}, spec(**{"$patch": "delete"}), spec(a=1), POD, safe=True),
    ],
    "FieldConflict": [lambda: engine.server_side_apply({**CONFIG, "data": {"a": "2"}}, OWNED, CONFIG_MAP, manager="b")],
    "GeneratedName": [lambda: engine.apply({**CONFIG, "metadata": {"generateName": "a-"}}, None, CONFIG_MAP)],
    "MissingMergeKey": [
        lambda: engine.two_way_patch(spec(containers=[{"image": "a"}]), spec(containers=[{"image": "b"}]), POD)
    ],
    "MixedElements": [lambda: engine.two_way_patch(spec(containers=[1]), spec(containers=[{}]), POD)],
    "NewerPickle": [lambda: __import__("engine.values.immutable").values.immutable.require_readable("99.0")],
    "NotASchema": [lambda: engine.apply(CONFIG, None, "v1"), lambda: engine.two_way_patch({}, {}, 1)],  # type: ignore[arg-type]
    "NotAnObject": [lambda: engine.apply([], None, None), lambda: engine.lint([], None)],  # type: ignore[arg-type]
    "NotJson": [
        lambda: engine.apply({**CONFIG, "data": {"a": {1}}}, None, CONFIG_MAP),
        lambda: engine.apply({**CONFIG, "data": {"a": {1}}}, CONFIG, CONFIG_MAP),
        lambda: engine.lint({**CONFIG, "data": {"a": {1}}}, CONFIG_MAP),
        lambda: engine.json_apply_patch({}, {"a": b""}),
        lambda: engine.json_three_way_patch({}, {"a": 10**400}, {}),
    ],
    "OrderMismatch": [
        lambda: engine.apply_patch(
            spec(containers=NAMED), spec(**{"containers": NAMED, "$setElementOrder/containers": [{"name": "b"}]}), POD
        )
    ],
    "PreconditionFailed": [
        lambda: engine.apply({**CONFIG, "apiVersion": "e.com/v2"}, {**CONFIG, "apiVersion": "e.com/v1"}, None)
    ],
    "RepeatedElement": [
        lambda: engine.three_way_patch({}, spec(containers=NAMED * 2), spec(containers=NAMED), POD, safe=True)
    ],
    "SnakeCase": [lambda: engine.apply({"api_version": "v1"}, None, CONFIG_MAP)],
    "SpecError": [lambda: codegen.read({"a": 1}), lambda: codegen.read(ROOT / "README.md")],
    "TablesError": [lambda: engine.load(package="no.such"), lambda: K8S.overlay(1)],  # type: ignore[arg-type]
    "TooDeep": [
        lambda: engine.apply({**CONFIG, "data": deep()}, None, CONFIG_MAP),
        lambda: engine.two_way_patch(deep(), deep(), None),
        lambda: engine.lint({**CONFIG, "data": deep()}, CONFIG_MAP),
    ],
    "UnclearConflict": [
        lambda: engine.conflicts(spec(externalIPs=["a", "b"]), spec(externalIPs=["a", "a"]), SERVICE),
    ],
    "UnexpectedList": [lambda: engine.two_way_patch(spec(hostname=["a"]), spec(hostname=["b"]), POD)],
    "UnknownDefinition": [lambda: K8S.definition("a.B")],
    "UnknownDirective": [lambda: engine.apply_patch({}, {"$patch": "x"}, POD)],
    "UnknownField": [
        lambda: engine.two_way_patch(spec(x={"a": 1}), spec(x={"a": 2}), POD),
        lambda: engine.three_way_patch({}, spec(x={"a": 1}), spec(x={"a": 2}), POD),
        lambda: engine.three_way_patch({}, spec(x={"a": 1}), spec(x={"a": 2}), POD, safe=True),
        lambda: engine.apply_patch(spec(x={"a": 1}), spec(x={"a": 2}), POD),
        lambda: engine.apply({**CONFIG, "x": {"a": 1}}, {**CONFIG, "x": {"a": 2}}, CONFIG_MAP),
    ],
    "UnknownKind": [
        lambda: K8S.schema("v1", "Pood"),
        lambda: engine.apply({**CONFIG, "kind": "ConfigMp"}, None, K8S),
    ],
    "UnknownRelease": [lambda: engine.load("1.3"), lambda: engine.load("x")],
    "WrongKind": [
        lambda: engine.apply(CONFIG, None, SERVICE),
        lambda: engine.apply({"foo": 1}, None, SERVICE),
        lambda: engine.apply(CONFIG, {**CONFIG, "kind": "Secret"}, CONFIG_MAP),
        lambda: engine.lint(CONFIG, SERVICE),
        lambda: engine.two_way_patch({}, {}, K8S),
        lambda: engine.hand_over(CONFIG, {**CONFIG, "kind": "Secret"}, "data.a"),
    ],
}
CALLS = [(name, number) for name, calls in CASES.items() for number in range(len(calls))]


def test_every_error_class_is_covered() -> None:
    kinds = {name for name in dir(engine) if isinstance(getattr(engine, name), type)}
    errors = {name for name in kinds if issubclass(getattr(engine, name), engine.MergeError)}
    assert errors - {"MergeError"} <= CASES.keys()


@pytest.mark.parametrize(("name", "number"), CALLS, ids=str)
def test_one_flat_error(name: str, number: int) -> None:
    with pytest.raises(engine.MergeError) as caught:
        CASES[name][number]()
    error = caught.value
    assert type(error).__name__ == name
    text = "".join(traceback.format_exception(error))
    assert text.count("Traceback") == 1
    assert "During handling" not in text
    assert "direct cause" not in text
    assert text.rstrip().splitlines()[-1].endswith(str(error))
    inside = [frame for frame in traceback.extract_tb(error.__traceback__) if f"{ROOT}/engine/" in frame.filename]
    assert len(inside) <= 5
    assert len(text.splitlines()) < 40


def test_unreadable_file_is_one_flat_error(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("a: [", encoding="utf-8")
    with pytest.raises(codegen.SpecError) as caught:
        codegen.read(file)
    assert caught.value.__cause__ is caught.value.__context__ is None
    assert "During handling" not in "".join(traceback.format_exception(caught.value))
