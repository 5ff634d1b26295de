"""Parts of a specification that Kubernetes ignores cause a warning; unreadable parts cause an error."""

from __future__ import annotations

import copy
import json
import random
import warnings
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from codegen import SpecError, SpecWarning
from codegen.shapes import FLAGS, NODE
from codegen.specs.facts import MARKS

from ..conftest import snapshot
from .sample_specs import bundle, components, crd, kubemerge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY, STRATEGY = "x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy"
LIST, KEYS, MAP = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"
OPEN = "x-kubernetes-preserve-unknown-fields"
STRING, OBJECT = {"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}}}
ARRAY = {"type": "array", "items": OBJECT}

FIELD = "/definitions/test.v1.Thing/properties/field"

IGNORED: dict[str, tuple[dict[str, Any], str]] = {
    # (a field, the text of the warning)
    "a merge key on a string": ({**STRING, KEY: "name"}, f"{KEY} at Thing.field (not a list)"),
    "a merge key on an object": ({**OBJECT, KEY: "name"}, f"{KEY} at Thing.field (not a list)"),
    "a merge key on a map": ({"type": "object", KEY: "name"}, f"{KEY} at Thing.field (not a list)"),
    "a merge key on a value of any kind": ({KEY: "name"}, f"{KEY} at Thing.field (not a list)"),
    "a merge key on a reference": (
        {"$ref": "#/definitions/test.v1.Thing", KEY: "name"},
        f"{KEY} at Thing.field (not a list)",
    ),
    "a merge key on a string of bytes": (
        {"type": "string", "format": "byte", LIST: "atomic", KEY: "name"},
        f"{KEY} at Thing.field (not a list)",
    ),
    "a flag that is a text": (
        {**OBJECT, OPEN: "true"},
        f"'true' at {FIELD}/{OPEN}",
    ),
    "a flag that is a number": ({**OBJECT, OPEN: 1}, f"1 at {FIELD}/{OPEN}"),
    "a text for a schema": (
        {"type": "object", "additionalProperties": "object"},
        f"'object' at {FIELD}/additionalProperties",
    ),
}


@pytest.mark.parametrize("case", IGNORED.values(), ids=IGNORED)
def test_ineffective_marks_are_ignored_with_a_warning(case: tuple[dict[str, Any], str]) -> None:
    field, said = case
    with pytest.warns(SpecWarning) as caught:
        tables = codegen.read(bundle(field=field, other=ARRAY))
    assert str(caught[0].message) == f"document: ignored without effect: {said}"
    assert caught[0].filename == __file__, "the place that asked for it is named"
    rule = tables.schema("test/v1", "Thing").rule("field")
    assert rule is not None
    assert (rule.merge_key, rule.open) == (None, False)
    assert rule.list_type is None or rule.kind == "list"
    assert rule.map_type is None


@pytest.mark.parametrize(
    "field", [{**STRING, LIST: "atomic"}, {**OBJECT, LIST: "map", KEYS: ["a"]}, {**ARRAY, MAP: "atomic"}]
)
def test_misplaced_marks_of_kubernetes_are_ignored_silently(field: dict[str, Any]) -> None:
    rule = codegen.read(bundle(field=field)).schema("test/v1", "Thing").rule("field")
    assert rule is not None
    assert rule.map_type is None
    assert rule.list_type in {None, "atomic"}


@pytest.mark.parametrize("case", IGNORED.values(), ids=IGNORED)
def test_remaining_fields_merge_as_before(case: tuple[dict[str, Any], str]) -> None:
    field, _ = case
    with pytest.warns(SpecWarning):
        found = codegen.read(bundle(field=field, other={**ARRAY, KEY: "a", STRATEGY: "merge"}))
    schema = found.schema("test/v1", "Thing")
    live = {"other": [{"a": "1", "b": 1}, {"a": "2"}]}
    assert engine.apply_patch(live, {"other": [{"a": "2", "$patch": "delete"}]}, schema) == {"other": live["other"][:1]}


@pytest.mark.parametrize(
    "document",
    [
        components({"a.B": {"type": "object", "properties": {"field": {**OBJECT, OPEN: "true"}}}}),
        crd({"type": "object", "properties": {"field": {**OBJECT, KEY: "name"}}}),
    ],
    ids=["v3", "crd"],
)
def test_other_documents_warn_too(document: dict[str, Any]) -> None:
    with pytest.warns(SpecWarning, match="ignored without effect"):
        codegen.read(document)


@pytest.mark.parametrize("word", NODE["properties"])
def test_null_is_like_a_missing_keyword(word: str) -> None:
    """An API server decodes a null, such as that of an empty `properties:`, like a missing keyword."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = codegen.read(bundle(field={**ARRAY, word: None}))
        without = codegen.read(bundle(field={name: one for name, one in ARRAY.items() if name != word}))
    assert tables.schema("test/v1", "Thing").rule("field") == without.schema("test/v1", "Thing").rule("field")


def test_many_warnings_are_one_line() -> None:
    fields = {f"f{number}": {**STRING, KEY: "name"} for number in range(50)}
    with pytest.warns(SpecWarning) as caught:
        codegen.read(bundle(**fields))
    assert len(caught) == 1
    assert str(caught[0].message).endswith(" and 47 more")


def test_the_documents_of_kubernetes_have_nothing_to_ignore() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for release in ("1.7", "1.20", "1.37"):
            codegen.read(snapshot(release))


VALUES = [None, True, False, 0, 1, "", "x", "true", "merge", "map", "atomic", [], ["name"], [1], {}, {"type": "string"}]


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for part in [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]:
            yield from nodes(part)


@pytest.mark.parametrize("mark", [*MARKS, "additionalProperties", "default", "x-kubernetes-group-version-kind"])
def test_a_real_document_with_a_mark_of_any_kind_anywhere_is_read_or_refused_in_a_sentence(mark: str) -> None:
    chance = random.Random(mark)
    names = ("io.k8s.api.core.v1.Container", "io.k8s.api.core.v1.ContainerPort", "io.k8s.api.core.v1.ResourceClaim")
    text = json.dumps({name: snapshot("1.37")["definitions"][name] for name in names})
    for number in range(40):
        definitions = json.loads(text)
        found = [node for definition in definitions.values() for node in nodes(definition)]
        for node in found:
            node.pop("$ref", None)
        chance.choice(found)[mark] = copy.deepcopy(VALUES[number % len(VALUES)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SpecWarning)
            refused = None
            try:
                tables = codegen.read({"definitions": definitions})
            except SpecError as error:
                refused = error
        if refused:
            assert mark in refused.pointer
            assert mark not in FLAGS
            continue
        for name in tables.definitions():
            assert list(tables.definition(name).walk()) is not None


# ---- commands -------------------------------------------------------------------------------------------------------


def test_commands_print_it_on_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(bundle(field={**OBJECT, KEY: "name"})))
    line = f"warning: {spec}: ignored without effect: {KEY} at Thing.field (not a list)\n"
    for words in (("generate", "--spec", spec, "--out", tmp_path / "mine"), ("explain", "thing", "--schema", spec)):
        assert kubemerge(*words) == 0
        assert line in capsys.readouterr().err
        assert kubemerge(*words, "-q") == 0
        assert capsys.readouterr().err == ""
