"""An object that lint does not apply has the same findings as with its applies."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
import yaml

import engine
from engine import MergeError, linter
from engine.linter import findings_if_plain, lint
from engine.tables.lookup import schema_for

from ...conftest import ROOT

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


def with_applies(config: dict[str, Any], tables: Any, monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as patch:
        patch.setattr(linter, "findings_if_plain", lambda *_: None)
        return found(config, tables)


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
        assert quick == with_applies(content, tables, monkeypatch), content
        schema = schema_for(tables, config=content) if content.get("kind") == "CustomResourceDefinition" else None
        is_simple = schema is not None and findings_if_plain(content, schema) is not None
        simple += is_simple
        with_findings += is_simple and bool(quick)
    assert (simple > 20, with_findings > 5) == (True, True), (simple, with_findings)


@pytest.mark.parametrize(
    ("content", "severity"),
    [
        ({"kind": "ConfigMap", "data": {"a": "x" * 200_000}}, None),
        ({"kind": "ConfigMap", "data": {"a": "x" * 270_000}}, "error"),
        ({"kind": "ConfigMap", "data": {"a": "<" * 36_000}}, "warning"),
        ({"kind": "ConfigMap", "data": {"a": "<" * 60_000}}, "error"),
        ({"kind": "ConfigMap", "data": {"a": "\u4e00" * 71_000}}, "warning"),
        ({"kind": "ConfigMap", "data": {f"a{number}": "" for number in range(30_000)}}, "error"),
        ({"kind": "ConfigMap", "metadata": {"annotations": {"a": "x" * 110_000}}}, "warning"),
        ({"kind": "Pod", "spec": {"containers": [{"name": "a", "image": "a", "args": [""] * 90_000}]}}, "error"),
        ({"kind": "Pod", "spec": {"tolerations": [{"tolerationSeconds": 1}] * 12_000}}, "error"),
    ],
    ids=("large", "too large", "marks", "many marks", "letters", "keys", "annotations", "elements", "fields"),
)
def test_a_large_object_has_the_findings_of_its_applies(
    content: dict[str, Any], severity: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = engine.load()
    config = {"apiVersion": "v1", **content, "metadata": {"name": "a", **content.get("metadata", {})}}
    assert findings_if_plain(config, tables.schema("v1", content["kind"])) is not None
    quick = lint(config, tables)
    assert [one.severity for one in quick] == [severity] * (severity is not None)
    assert quick == with_applies(config, tables, monkeypatch)
