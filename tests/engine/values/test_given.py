"""Documents may be other mappings, with tuples and other texts in them: the result is that of plain documents."""

from __future__ import annotations

from collections import ChainMap, OrderedDict, UserDict
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import pytest

import engine
from engine.values import go_json
from engine.values.guard import canonical
from tests.conformance.generate import case
from tests.conformance.schemas import engine_schema

SCHEMAS = ("MergeItem", "apps/v1 Deployment", "v1 Pod", "v1 Service")
FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "two_way": (engine.two_way_patch, ("original", "modified")),
    "three_way": (engine.three_way_patch, ("last_applied", "config", "live")),
    "apply": (engine.apply_patch, ("target", "patch")),
    "merge_patches": (engine.merge_patches, ("first", "second")),
    "conflicts": (engine.conflicts, ("left", "right")),
}
MODES: dict[str, list[dict[str, Any]]] = {"three_way": [{}, {"safe": True}, {"overwrite": False}]}


class View(Mapping[str, Any]):
    """A mapping that is nothing else, as kopf hands out."""

    def __init__(self, content: dict[str, Any]) -> None:
        self._content = content

    def __getitem__(self, key: str) -> Any:
        return self._content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)


class Text(str):
    __slots__ = ()


class Pair(NamedTuple):
    first: Any
    second: Any


MAPPINGS: tuple[Callable[[dict[str, Any]], Any], ...] = (OrderedDict, UserDict, MappingProxyType, View, ChainMap)


def disguised(value: Any, random: Random, *, whole: bool = True) -> Any:
    """The document with other types in places; the outermost dict stays one unless it may change as a `whole`."""
    if isinstance(value, dict):
        inner = {key: disguised(item, random) for key, item in value.items()}
        return random.choice(MAPPINGS)(inner) if whole and random.random() < 0.3 else inner
    if isinstance(value, list):
        items = [disguised(item, random) for item in value]
        return tuple(items) if random.random() < 0.3 else items
    return Text(value) if isinstance(value, str) and random.random() < 0.15 else value


def answer(function: Callable[..., Any], documents: list[Any], schema: engine.Schema | None, **how: Any) -> str:
    try:
        found = function(*documents, schema, **how)
    except engine.MergeError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(found, list):
        found = [[one.path, one.ours, one.theirs] for one in found]
    return go_json.encode(found)


def check(schema_name: str, seeds: range) -> None:
    schema = engine_schema(schema_name)
    for seed in seeds:
        made, random = case(schema_name, seed, 3, schema), Random(seed)
        if made["op"] not in FUNCTIONS:
            continue
        function, names = FUNCTIONS[made["op"]]
        plain = [made[name] for name in names]
        odd = [disguised(one, random, whole=bool(seed % 2)) for one in plain]
        for rules in (schema, None):
            for how in MODES.get(made["op"], [{}]) if rules else [{}]:
                wanted = {answer(function, documents, rules, **how) for documents in (plain, [*map(canonical, plain)])}
                assert answer(function, odd, rules, **how) in wanted, (seed, made["op"], how)


@pytest.mark.parametrize("schema_name", SCHEMAS)
def test_results_are_those_of_plain_documents(schema_name: str) -> None:
    check(schema_name, range(120))


@pytest.mark.slow
@pytest.mark.parametrize("schema_name", SCHEMAS)
def test_results_are_those_of_plain_documents_for_many(schema_name: str) -> None:
    check(schema_name, range(120, 2_000))


CONFIG_MAP = engine.load("1.37").schema("v1", "ConfigMap")
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "1", "b": "2"}}
LIVE = engine.apply(CONFIG, None, CONFIG_MAP).merged
NEXT = {**CONFIG, "data": {"a": "3"}}

CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "apply": lambda config, live: engine.apply(config, live, CONFIG_MAP),
    "apply to nothing": lambda config, _: engine.apply(config, None, CONFIG_MAP),
    "apply by tables": lambda config, live: engine.apply(config, live, engine.load("1.37")),
    "apply over what was given": lambda config, live: engine.apply(config, live, CONFIG_MAP, last_applied=live),
    "lint": lambda config, live: engine.lint(config, CONFIG_MAP, live=live),
    "lint with what was given": lambda config, live: engine.lint(config, CONFIG_MAP, live=live, last_applied=live),
    "last_applied_text": lambda config, _: engine.last_applied_text(config),
    "hand_over": lambda config, live: engine.hand_over(config, live, "data.a"),
    "take_over": lambda config, live: engine.take_over(config, live, "data.b"),
    "clear": lambda config, _: engine.clear(config, "data.c"),
    "adopt": lambda _, live: engine.adopt(live),
    "json_three_way_patch": lambda config, live: engine.json_three_way_patch(live, config, live),
    "json_apply_patch": lambda config, live: engine.json_apply_patch(live, config),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("seed", range(12))
def test_every_public_function_takes_them(name: str, seed: int) -> None:
    random = Random(seed)
    odd = [disguised(one, random, whole=bool(seed % 3)) for one in (NEXT, LIVE)]
    assert CALLS[name](*odd) == CALLS[name](NEXT, LIVE)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "adopt"])
@pytest.mark.parametrize("odd", [[], "text", 1, Pair(1, 2), {1}, object(), print], ids=lambda odd: type(odd).__name__)
def test_what_is_not_an_object_is_refused_everywhere_in_the_same_words(name: str, odd: Any) -> None:
    with pytest.raises(engine.NotAnObject, match=r" is a \w+, not an object\. Pass a dict(, or None for none)?$"):
        CALLS[name](odd, odd)


def test_only_a_document_that_may_be_missing_may_be_none() -> None:
    with pytest.raises(engine.NotAnObject, match=r"^the config is None, not an object. Pass a dict$"):
        engine.apply(None, LIVE, engine.load())  # type: ignore[arg-type]
    with pytest.raises(engine.NotAnObject, match=r"^the live is a int, not an object. Pass a dict, or None for none$"):
        engine.apply(NEXT, 3, engine.load())  # type: ignore[arg-type]


SNAKE = {"api_version": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "creation_timestamp": None}, "data": None}


@pytest.mark.parametrize("name", CALLS)
def test_the_names_of_python_get_a_sentence_with_the_way_out(name: str) -> None:
    with pytest.raises(engine.SnakeCase, match="sanitize_for_serialization") as caught:
        CALLS[name](SNAKE, SNAKE)
    assert "api_version instead of apiVersion" in str(caught.value)


@pytest.mark.parametrize("name", ["apply", "apply by tables", "lint", "hand_over", "json_apply_patch"])
def test_a_live_object_with_the_names_of_python_as_well(name: str) -> None:
    with pytest.raises(engine.SnakeCase, match=r"^the (live|target) has api_version"):
        CALLS[name](CONFIG, SNAKE)


def test_a_field_of_a_map_may_be_called_so() -> None:
    config = {**CONFIG, "data": {"api_version": "x"}}
    assert engine.apply(config, None, CONFIG_MAP).merged["data"] == {"api_version": "x"}


class Model:
    """A typed object as the `kubernetes` client has it, which keeps times as such."""

    attribute_map: ClassVar[dict[str, str]] = {"a_time": "aTime", "other_time": "otherTime", "no_value": "noValue"}

    def __init__(self, a_time: datetime, other_time: datetime) -> None:
        self.a_time, self.other_time, self.no_value = a_time, other_time, None


def test_the_times_of_a_typed_object_are_written_as_the_api_writes_them() -> None:
    utc = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    east = utc.astimezone(timezone(timedelta(hours=2)))
    found = canonical({"spec": Model(utc, east)})
    assert found == {"spec": {"aTime": "2026-01-02T03:04:05Z", "otherTime": "2026-01-02T05:04:05+02:00"}}
