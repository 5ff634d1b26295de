"""Invariants for any input: only typed errors, at any depth, from any stack; inputs and results stay separate."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from collections import OrderedDict, defaultdict
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.values import go_json as gojson
from tests.conformance.generate import case
from tests.conformance.schemas import engine_schema

if TYPE_CHECKING:
    from collections.abc import Callable

CONFIG_MAP = engine.load().schema("v1", "ConfigMap")
DEPLOYMENT = engine.load().schema("apps/v1", "Deployment")
RECURSIVE = engine.load().definition("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps")


HERE = "here"


class Text(str):
    __slots__ = ()


def nested(levels: int, title: str) -> dict[str, Any]:
    value: dict[str, Any] = {"title": title}
    for _ in range(levels - 1):
        value = {"not": value}
    return value


CALLS: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "two_way": lambda one, other: engine.two_way_patch(one, other, RECURSIVE),
    "three_way": lambda one, other: engine.three_way_patch(one, other, one, RECURSIVE),
    "three_way with conflicts": lambda one, other: engine.three_way_patch(one, other, one, RECURSIVE, overwrite=False),
    "apply": lambda one, other: engine.apply_patch(one, other, RECURSIVE),
    "merge_patches": lambda one, other: engine.merge_patches(one, other, RECURSIVE),
    "conflicts": lambda one, other: engine.conflicts(one, other, RECURSIVE),
    "json two_way": lambda one, other: engine.two_way_patch(one, other, None),
    "json three_way": lambda one, other: engine.json_three_way_patch(one, other, one),
    "json apply": engine.json_apply_patch,
    "json merge_patches": lambda one, other: engine.merge_patches(one, other, None),
    "json conflicts": lambda one, other: engine.conflicts(one, other, None),
}


@pytest.mark.parametrize("name", CALLS)
def test_depth(name: str) -> None:
    call = CALLS[name]
    assert call(nested(300, "a"), nested(300, "b"))
    for levels in (2_000, 50_000):
        with pytest.raises(engine.TooDeep):
            call(nested(levels, "a"), nested(levels, "b"))


@pytest.mark.parametrize("name", CALLS)
def test_depth_from_a_deep_stack(name: str) -> None:
    one, other = nested(280, "a"), nested(280, "b")

    assert deep_down(lambda: CALLS[name](one, other))


def test_findings_and_reasons_from_a_deep_stack() -> None:
    head = {"apiVersion": "e.example/v1", "kind": "C", "metadata": {"name": "x"}}
    config, live = ({**head, "spec": nested(280, title)} for title in "ab")
    found = deep_down(lambda: engine.lint(config, None, live=live, last_applied=live))
    assert [one.code for one in found] == []
    changes = deep_down(lambda: engine.apply(config, live, None, last_applied=None).changes)
    assert [one.action for one in changes if one.steps[0] == "spec"] == ["changed"]


def deep_down(call: Callable[[], Any]) -> Any:
    """The result of a call when the stack is nearly full."""

    def below(levels: int) -> Any:
        return below(levels - 1) if levels else call()

    return below(sys.getrecursionlimit() - len(list(frames())) - 60)


def frames() -> Any:
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back  # type: ignore[assignment]


def test_cycle_is_too_deep() -> None:
    circle: dict[str, Any] = {}
    circle["data"] = circle
    with pytest.raises(engine.TooDeep):
        engine.apply_patch(circle, {"kind": "x"}, CONFIG_MAP)
    with pytest.raises(engine.TooDeep):
        engine.two_way_patch({}, circle, CONFIG_MAP)


@pytest.mark.parametrize("around", [{"not": HERE}, {"allOf": [HERE]}, {"properties": {"a": HERE}}], ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_cycles_on_both_sides_are_too_deep(name: str, around: dict[str, Any]) -> None:
    one, other = ({"title": title} for title in "ab")
    for whole in (one, other):
        whole.update(with_itself(around, whole))
    with pytest.raises(engine.TooDeep):
        CALLS[name](one, other)


def with_itself(around: Any, whole: dict[str, Any]) -> Any:
    """A copy with the whole document wherever HERE is."""
    if isinstance(around, dict):
        return {key: with_itself(value, whole) for key, value in around.items()}
    return [with_itself(value, whole) for value in around] if isinstance(around, list) else whole


BAD = [{1}, b"x", datetime.date(2024, 1, 1), object(), float("nan"), float("inf"), 1j, 10**400]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: type(bad).__name__)
def test_values_that_are_not_json(bad: Any) -> None:
    document = {"data": {"key": [bad]}}
    for call in (
        lambda: engine.two_way_patch({}, document, CONFIG_MAP),
        lambda: engine.three_way_patch({}, document, {"data": {}}, CONFIG_MAP),
        lambda: engine.apply_patch(document, {"data": {"a": "b"}}, CONFIG_MAP),
        lambda: engine.apply_patch({}, document, CONFIG_MAP),
        lambda: engine.json_apply_patch({}, document),
    ):
        with pytest.raises(engine.NotJson) as caught:
            call()  # type: ignore[no-untyped-call]
        assert caught.value.path == "data.key[0]"


def test_keys_are_strings() -> None:
    with pytest.raises(engine.NotJson) as caught:
        engine.two_way_patch({"data": {}}, {"data": {1: "a"}}, CONFIG_MAP)
    assert caught.value.path == "data"
    with pytest.raises(engine.NotJson):
        engine.apply_patch({None: 1}, {"a": 1}, CONFIG_MAP)  # type: ignore[dict-item]


@pytest.mark.parametrize("document", [[], "text", 1, True])
def test_documents_are_objects(document: Any) -> None:
    with pytest.raises(engine.NotAnObject):
        engine.apply_patch({}, document, CONFIG_MAP)
    with pytest.raises(engine.NotAnObject):
        engine.json_three_way_patch(document, {}, {})


def test_other_mappings_and_strings_become_plain() -> None:
    live = OrderedDict(data=defaultdict(str, a="1"))
    patch = engine.three_way_patch({}, OrderedDict(data=OrderedDict(a=Text("2"))), live, CONFIG_MAP)
    assert patch == {"data": {"a": "2"}}
    assert type(patch["data"]["a"]) is str
    merged = engine.apply_patch(live, patch, CONFIG_MAP)
    assert type(merged["data"]) is dict
    assert gojson.encode(merged) == '{"data":{"a":"2"}}'


def test_large_integers_are_floats() -> None:
    patch = engine.two_way_patch({}, {"data": {"n": 2**63, "m": 2**63 - 1}}, CONFIG_MAP)
    assert gojson.encode(patch) == '{"data":{"m":9223372036854775807,"n":9223372036854775808}}'.replace("5808", "6000")


def mutables(value: Any) -> set[int]:
    if isinstance(value, dict):
        return {id(value)}.union(*map(mutables, value.values()))
    return {id(value)}.union(*map(mutables, value)) if isinstance(value, list) else set()


def reordered(value: Any, random: Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: reordered(value[key], random) for key in keys}
    return [reordered(item, random) for item in value] if isinstance(value, list) else value


FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "two_way": (engine.two_way_patch, ("original", "modified")),
    "three_way": (engine.three_way_patch, ("last_applied", "config", "live")),
    "apply": (engine.apply_patch, ("target", "patch")),
    "merge_patches": (engine.merge_patches, ("first", "second")),
    "conflicts": (engine.conflicts, ("left", "right")),
}
SCHEMAS = ("MergeItem", "apps/v1 Deployment", "v1 Pod", "v1 Service", "policy/v1 PodDisruptionBudget")


def outcome(function: Callable[..., Any], documents: list[Any], schema: engine.Schema) -> str:
    try:
        return repr_of(function(*documents, schema))
    except engine.MergeError as error:
        return f"{type(error).__name__}: {error}"


def repr_of(result: Any) -> str:
    if isinstance(result, list):
        result = [[conflict.path, conflict.ours, conflict.theirs] for conflict in result]
    return gojson.encode(result)


@pytest.mark.parametrize("schema_name", SCHEMAS)
def test_inputs_stay_as_they_are_and_share_nothing_with_results(schema_name: str) -> None:
    schema, random = engine_schema(schema_name), Random(schema_name)
    for seed in range(400):
        made = case(schema_name, seed, 3, schema)
        if made["op"] not in FUNCTIONS:
            continue
        function, names = FUNCTIONS[made["op"]]
        documents = [made[name] for name in names]
        before = deepcopy(documents)
        try:
            result = function(*documents, schema)
        except engine.MergeError:
            result = None
        assert gojson.encode(documents) == gojson.encode(before)
        assert not mutables(result) & mutables(documents)
        first = outcome(function, documents, schema)
        assert outcome(function, documents, schema) == first
        assert outcome(function, reordered(documents, random), schema) == first


@pytest.mark.slow
def test_the_hash_seed_does_not_matter() -> None:
    program = (
        "import hashlib, engine; from tests.conformance.schemas import engine_schema;"
        "from tests.engine.test_any_input import FUNCTIONS, outcome; from tests.conformance.generate import case;"
        "s = engine_schema('MergeItem'); made = [case('MergeItem', n, 3, s) for n in range(150)];"
        "print(hashlib.sha256(repr([outcome(FUNCTIONS[c['op']][0], [c[n] for n in FUNCTIONS[c['op']][1]], s)"
        " for c in made if c['op'] in FUNCTIONS]).encode()).hexdigest())"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(answers) == 1


def test_many_threads_share_a_schema() -> None:
    def once(number: int) -> str:
        schema = engine.load("1.20").schema("apps/v1", "Deployment")
        containers = [{"name": f"c{index}", "image": f"i{number % 3}"} for index in range(5)]
        config = {"spec": {"template": {"spec": {"containers": containers}}}}
        live = deepcopy(config)
        live["spec"]["template"]["spec"]["containers"][0]["image"] = "old"
        return gojson.encode(engine.three_way_patch(config, config, live, schema))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(once, range(300)))
    assert answers == [once(number) for number in range(300)]


DEEP: Any = []
for _ in range(100_000):
    DEEP = [DEEP]

STRANGERS: dict[str, Callable[[Any], Any]] = {
    "two_way_patch": lambda it: engine.two_way_patch({}, {}, it),
    "three_way_patch": lambda it: engine.three_way_patch({}, {}, {}, it),
    "apply_patch": lambda it: engine.apply_patch({}, {}, it),
    "merge_patches": lambda it: engine.merge_patches({}, {}, it),
    "conflicts": lambda it: engine.conflicts({}, {}, it),
    "apply": lambda it: engine.apply({}, None, it),
    "apply of a custom resource": lambda it: engine.apply({}, {}, it, lists="schema"),
    "lint": lambda it: engine.lint({}, it),
}


@pytest.mark.parametrize("name", STRANGERS)
@pytest.mark.parametrize("schema", ["Deployment", {}, DEEP], ids=["text", "dict", "deep"])
def test_invalid_schemas(name: str, schema: Any) -> None:
    with pytest.raises(engine.NotASchema, match=r"Tables\.schema"):
        STRANGERS[name](schema)


ARGUMENTS: dict[str, Callable[[Any], Any]] = {
    "load": engine.load,
    "the package of load": lambda it: engine.load(package=it),
    "releases": engine.releases,
    "the apiVersion of a kind": lambda it: engine.load().schema(it, "Deployment"),
    "a kind": lambda it: engine.load().schema("apps/v1", it),
    "a definition": lambda it: engine.load().definition(it),
    "the path of a rule": DEPLOYMENT.rule,
    "clear": lambda it: engine.clear({}, it),
    "hand_over": lambda it: engine.hand_over({}, {}, it),
    "take_over": lambda it: engine.take_over({}, {}, it),
    "lists": lambda it: engine.apply({}, {}, None, lists=it),
    "last applied": lambda it: engine.apply({}, {"a": 1}, None, last_applied=it),
    "last_applied_text": engine.last_applied_text,
    "overlay": lambda it: engine.load().overlay(it),
}


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("given", [DEEP, {"a": DEEP}, 5, b"x", object], ids=["deep", "a dict", "5", "bytes", "a class"])
def test_arguments_of_the_wrong_type_get_a_message(name: str, given: Any) -> None:
    with pytest.raises(engine.MergeError) as caught:
        ARGUMENTS[name](given)
    assert len(str(caught.value)) < 400


def test_deep_configs_have_no_text() -> None:
    with pytest.raises(engine.TooDeep):
        engine.last_applied_text({"metadata": {}, "data": DEEP})
