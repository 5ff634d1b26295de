"""A definition that lint does not apply has the same findings as with its applies."""

from __future__ import annotations

import copy
from random import Random
from typing import TYPE_CHECKING, Any

import yaml

import engine
from engine import MergeError, linter
from engine.linter.plain_check import is_plain_definition

from ...conftest import ROOT

if TYPE_CHECKING:
    import pytest

NAMES = ("backups", "knativeservices", "gateways")
ODD: tuple[Any, ...] = (
    None,
    1.5,
    2**60,
    "",
    "\ud800",
    True,
    [],
    {},
    [None],
    ["a", "a"],
    [{"name": "a"}, {"name": "a"}],
    {"$patch": "delete"},
    {"a": None},
    {"a": "x" * 270_000},
    {"kubectl.kubernetes.io/last-applied-configuration": "{}"},
    {"type": "array", "items": {"type": "object", "properties": {"name": {}}}},
)
KEYS = (
    "status",
    "uid",
    "generateName",
    "namespace",
    "annotations",
    "$patch",
    "default",
    "enum",
    "x",
    "conversion",
    "name",
)


def definitions() -> list[dict[str, Any]]:
    folders = (ROOT / "examples" / "crds", ROOT / "tests" / "data" / "crds")
    texts = [
        file.read_text(encoding="utf-8") for folder in folders for file in folder.glob("*.yaml") if file.stem in NAMES
    ]
    return [one for text in texts for one in yaml.safe_load_all(text) if one["kind"] == "CustomResourceDefinition"]


def collections(value: Any, depth: int = 0) -> list[Any]:
    """The mappings and lists in a value, without most of the schemas."""
    if not isinstance(value, (dict, list)) or depth > 7:
        return []
    inner = value.values() if isinstance(value, dict) else value
    return [value, *(found for one in inner for found in collections(one, depth + 1))]


def change(content: dict[str, Any], random: Random) -> None:
    places = [content, content["metadata"], content["spec"], *collections(content)[:60]]
    place, value = random.choice(places), copy.deepcopy(random.choice(ODD))
    if isinstance(place, list):
        place.append(random.choice([value, copy.deepcopy(place[0]) if place else None]))
    else:
        place[random.choice([*KEYS, *(place if place is not content else ())])] = value


def found(config: dict[str, Any], tables: Any) -> object:
    try:
        return linter.lint(config, tables)
    except MergeError as error:
        return type(error), str(error)


def test_a_definition_has_the_findings_of_its_applies(monkeypatch: pytest.MonkeyPatch) -> None:
    random, given, simple, with_findings = Random(1), definitions(), 0, 0
    all_tables = [engine.load(release) for release in engine.releases()[-2:]]
    for number in range(120):
        content = copy.deepcopy(random.choice(given))
        if number % 10 == 0:
            content["metadata"]["annotations"] = {"a": "x" * random.choice([240_000, 270_000])}
        for _ in range(number % 3):
            change(content, random)
        tables = random.choice(all_tables)
        quick = found(content, tables)
        with monkeypatch.context() as patch:
            calls: list[bool] = []
            patch.setattr(linter, "is_plain_definition", lambda *args: calls.append(is_plain_definition(*args)))  # noqa: B023
            assert quick == found(content, tables), content
        simple += any(calls)
        with_findings += any(calls) and bool(quick)
    assert (simple > 20, with_findings > 5) == (True, True), (simple, with_findings)
