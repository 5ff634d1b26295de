"""`codegen.read`: every form and source of specifications, and the resulting rules."""

from __future__ import annotations

import copy
import gzip
import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from codegen import SpecError
from codegen.reading import read_facts
from codegen.snapshots import text_of

from ..conftest import ROOT
from .sample_specs import bundle, changed, components, crd

if TYPE_CHECKING:
    from pathlib import Path

FORMS = ROOT / "tests" / "data" / "specs"


def facts(rule: engine.Rule | None) -> dict[str, Any]:
    """The facts of a rule, without open ones."""
    assert rule is not None
    names = [name for name in engine.Rule.__slots__ if getattr(rule, name) not in (None, (), False)]
    return {name: getattr(rule, name) for name in sorted(names)}


def field(node: dict[str, Any], *, path: str = "field", more: dict[str, Any] | None = None) -> dict[str, Any]:
    """The rule of a field with this schema, in a small document."""
    document = bundle(field=node)
    document["definitions"].update(more or {})
    return facts(codegen.read(document).schema("test/v1", "Thing").rule(path))


LIST = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
ITEM = "test_v1.Thing.field[]"
PART = {"test.v1.Part": {"type": "object", "properties": {"name": {"type": "string"}}}}
REF = {"$ref": "#/definitions/test.v1.Part"}
WORDS = {"test.v1.Words": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}}
META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

FIELDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # by description: the schema of the field, the facts of its rule
    "a string": ({"type": "string"}, {"kind": "primitive", "of": "string"}),
    "an integer": ({"type": "integer", "format": "int32"}, {"kind": "primitive", "of": "integer"}),
    "a number": ({"type": "number"}, {"kind": "primitive", "of": "number"}),
    "a boolean": ({"type": "boolean"}, {"kind": "primitive", "of": "boolean"}),
    "a string or null": ({"type": ["string", "null"]}, {"kind": "primitive", "of": "string"}),
    "null beside null": ({"type": ["null"]}, {"kind": "any"}),
    "anything": ({}, {"kind": "any"}),
    "several types": ({"type": ["string", "boolean"]}, {"kind": "any"}),
    "an integer or a string, by its mark": (
        {"x-kubernetes-int-or-string": True},
        {"kind": "primitive", "of": "int-or-string"},
    ),
    "an integer or a string, by its format": (
        {"type": "string", "format": "int-or-string"},
        {"kind": "primitive", "of": "int-or-string"},
    ),
    "an integer or a string, by its types": (
        {"type": ["integer", "string"]},
        {"kind": "primitive", "of": "int-or-string"},
    ),
    "an integer or a string, by anyOf": (
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        {"kind": "primitive", "of": "int-or-string"},
    ),
    "an integer or a string, by oneOf": (
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"kind": "primitive", "of": "int-or-string"},
    ),
    "a mark that is off": (
        {"type": "string", "x-kubernetes-int-or-string": False},
        {"kind": "primitive", "of": "string"},
    ),
    "a struct": ({"type": "object", "properties": {"a": {}}}, {"kind": "map", "of": "test_v1.Thing.field"}),
    "a struct without a type": ({"properties": {"a": {}}}, {"kind": "map", "of": "test_v1.Thing.field"}),
    "a reference": (REF, {"kind": "map", "of": "test_v1.Part"}),
    "a reference in allOf": ({"allOf": [REF], "default": {}}, {"kind": "map", "of": "test_v1.Part"}),
    "a reference beside a type": ({**REF, "type": "string"}, {"kind": "map", "of": "test_v1.Part"}),
    "a map": ({"type": "object"}, {"kind": "map", "free_keys": True}),
    "a map without fields": ({"type": "object", "properties": {}}, {"kind": "map", "free_keys": True}),
    "a map of strings": (
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"kind": "map", "of": "string", "free_keys": True},
    ),
    "a map of anything": ({"type": "object", "additionalProperties": True}, {"kind": "map", "free_keys": True}),
    "a map of structs": (
        {"type": "object", "additionalProperties": REF},
        {"kind": "map", "of": "test_v1.Part", "free_keys": True},
    ),
    "a map that merges whole": (
        {"type": "object", "x-kubernetes-map-type": "atomic"},
        {"kind": "map", "free_keys": True, "map_type": "atomic"},
    ),
    "a granular map": (
        {"type": "object", "x-kubernetes-map-type": "granular"},
        {"kind": "map", "free_keys": True, "map_type": "granular"},
    ),
    "a struct with a strategy": (
        {**REF, "x-kubernetes-patch-strategy": "retainKeys"},
        {"kind": "map", "of": "test_v1.Part", "strategies": ("retainKeys",)},
    ),
    "a struct with a strategy, in allOf": (
        {"allOf": [REF], "x-kubernetes-patch-strategy": "replace"},
        {"kind": "map", "of": "test_v1.Part", "strategies": ("replace",)},
    ),
    "a struct with its map type": (
        {**REF, "x-kubernetes-map-type": "atomic"},
        {"kind": "map", "of": "test_v1.Part", "map_type": "atomic"},
    ),
    "a list": (LIST, {"kind": "list", "of": ITEM, "list_type": "atomic", "derived": True}),
    "a list without items": ({"type": "array"}, {"kind": "list", "list_type": "atomic", "derived": True}),
    "a list of anything": ({"type": "array", "items": {}}, {"kind": "list", "list_type": "atomic", "derived": True}),
    "a list or null": (
        {"type": ["array", "null"], "items": {"type": "string"}},
        {"kind": "list", "of": "string", "list_type": "atomic", "derived": True},
    ),
    "a list of references": (
        {"type": "array", "items": REF},
        {"kind": "list", "of": "test_v1.Part", "list_type": "atomic", "derived": True},
    ),
    "a list of references in allOf": (
        {"type": "array", "items": {"allOf": [REF], "default": {}}},
        {"kind": "list", "of": "test_v1.Part", "list_type": "atomic", "derived": True},
    ),
    "a list that merges": (
        {**LIST, "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"},
        {
            "kind": "list",
            "of": ITEM,
            "strategies": ("merge",),
            "merge_key": "name",
            "list_type": "map",
            "map_keys": ("name",),
            "derived": True,
        },
    ),
    "a list that merges as a set": (
        {"type": "array", "items": {"type": "string"}, "x-kubernetes-patch-strategy": "merge"},
        {"kind": "list", "of": "string", "strategies": ("merge",), "list_type": "set", "derived": True},
    ),
    "a list with two strategies": (
        {**LIST, "x-kubernetes-patch-strategy": "merge,retainKeys", "x-kubernetes-patch-merge-key": "name"},
        {
            "kind": "list",
            "of": ITEM,
            "strategies": ("merge", "retainKeys"),
            "merge_key": "name",
            "list_type": "map",
            "map_keys": ("name",),
            "derived": True,
        },
    ),
    "a list with a merge key but no strategy": (
        {**LIST, "x-kubernetes-patch-merge-key": "name"},
        {"kind": "list", "of": ITEM, "merge_key": "name", "list_type": "atomic", "derived": True},
    ),
    "a list where the two disagree": (
        {
            **LIST,
            "x-kubernetes-patch-strategy": "merge",
            "x-kubernetes-patch-merge-key": "name",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name", "kind"],
        },
        {
            "kind": "list",
            "of": ITEM,
            "strategies": ("merge",),
            "merge_key": "name",
            "list_type": "map",
            "map_keys": ("name", "kind"),
        },
    ),
    "a list-type map without keys": (
        {**LIST, "x-kubernetes-list-type": "map", "x-kubernetes-patch-merge-key": "name"},
        {"kind": "list", "of": ITEM, "merge_key": "name", "list_type": "map", "map_keys": ("name",)},
    ),
    "a list-type set": (
        {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        {"kind": "list", "of": "string", "list_type": "set"},
    ),
    "a list-type atomic": (
        {**LIST, "x-kubernetes-list-type": "atomic"},
        {"kind": "list", "of": ITEM, "list_type": "atomic"},
    ),
    "a reference to a list": (
        {"$ref": "#/definitions/test.v1.Words"},
        {"kind": "list", "of": "string", "list_type": "set"},
    ),
    "a reference to a list, with marks of its own": (
        {"$ref": "#/definitions/test.v1.Words", "x-kubernetes-list-type": "atomic"},
        {"kind": "list", "of": "string", "list_type": "atomic"},
    ),
    "an ObjectMeta that the document lacks": (
        {"$ref": f"#/definitions/{META}"},
        {"kind": "map", "of": "meta_v1.ObjectMeta"},
    ),
    "a strategy on a string": (
        {"type": "string", "x-kubernetes-patch-strategy": "replace"},
        {"kind": "primitive", "of": "string", "strategies": ("replace",)},
    ),
}


@pytest.mark.parametrize("case", FIELDS.values(), ids=FIELDS)
@pytest.mark.parametrize("form", ["v2", "v3", "$defs"])
def test_a_field(case: tuple[dict[str, Any], dict[str, Any]], form: str) -> None:
    node, expected = case
    document = bundle(field=node)
    document["definitions"].update(PART | WORDS)
    text = json.dumps(document)
    if form == "v3":
        schemas = json.loads(text.replace("#/definitions/", "#/components/schemas/"))["definitions"]
        document = components(schemas)
    elif form == "$defs":
        document = {"$defs": json.loads(text.replace("#/definitions/", "#/$defs/"))["definitions"]}
    before = copy.deepcopy(document)
    assert facts(codegen.read(document).schema("test/v1", "Thing").rule("field")) == expected
    assert document == before, "the document was changed"


STRINGS = {"type": "array", "items": {"type": "string"}}
INSIDE: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    # (the schema of the field, a path, the facts of the rule there)
    "elements of a list": (LIST, "field.name", {"kind": "primitive", "of": "string"}),
    "an element": (LIST, "field[]", {"kind": "map", "of": ITEM}),
    "a list of lists": (
        {"type": "array", "items": STRINGS},
        "field[]",
        {"kind": "list", "of": "string", "list_type": "atomic", "derived": True},
    ),
    "a list of lists of lists": (
        {"type": "array", "items": {"type": "array", "items": LIST}},
        "field[][][].name",
        {"kind": "primitive", "of": "string"},
    ),
    "a map of lists": (
        {"type": "object", "additionalProperties": {**STRINGS, "x-kubernetes-list-type": "set"}},
        "field.anything",
        {"kind": "list", "of": "string", "list_type": "set"},
    ),
    "a map of maps": (
        {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "integer"}}},
        'field["a.b"].c',
        {"kind": "primitive", "of": "integer"},
    ),
    "a list of maps": (
        {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
        "field[0].key",
        {"kind": "primitive", "of": "string"},
    ),
    "a map of anything": ({"type": "object"}, "field.key", {"kind": "any"}),
    "below anything": ({}, "field.a.b", {"kind": "any"}),
    "a struct in a struct": (
        {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "boolean"}}}}},
        "field.a.b",
        {"kind": "primitive", "of": "boolean"},
    ),
}


@pytest.mark.parametrize("case", INSIDE.values(), ids=INSIDE)
def test_what_a_field_holds(case: tuple[dict[str, Any], str, dict[str, Any]]) -> None:
    node, path, expected = case
    assert field(node, path=path) == expected


def keyed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port", "protocol"],
        "items": {
            "type": "object",
            "required": ["port", "protocol"],
            "properties": {
                "port": {"type": "integer"},
                "protocol": {"type": "string"},
                "other": {"type": "string", "default": "x"},
                **properties,
            },
        },
    }


@pytest.mark.parametrize(
    ("default", "kept"),
    [
        ("TCP", "TCP"),
        (3, 3),
        (True, True),
        (1.5, 1.5),
        ("", ""),
        (0, 0),
        (False, False),
        (None, None),
        ({"a": 1}, None),
        (["a"], None),
    ],
)
def test_the_default_of_a_key_is_kept(default: Any, kept: Any) -> None:
    """Also a zero value, which server-side apply uses like any other, but only scalars."""
    document = bundle(field=keyed(protocol={"type": "string", "default": default}))
    fields = document["definitions"]["test.v1.Thing"]["properties"]
    document["definitions"]["test.v1.Port"] = fields["field"]["items"]
    fields["field"]["items"] = {"$ref": "#/definitions/test.v1.Port"}
    schema = codegen.read(document).schema("test/v1", "Thing")
    rule, other = schema.rule("field.protocol"), schema.rule("field.other")
    assert rule is not None
    assert (type(rule.default), rule.default) == (type(kept), kept)
    assert other is not None
    assert other.default is None, "only keys keep theirs"


@pytest.mark.parametrize("default", ["", 0, False])
def test_a_zero_value_that_the_author_of_a_crd_wrote_is_a_default(default: Any) -> None:
    document = crd({"type": "object", "properties": {"field": keyed(protocol={"default": default, "type": "string"})}})
    rule = codegen.read(document).schema("test.example/v1", "Thing").rule("field.protocol")
    assert rule is not None
    assert (type(rule.default), rule.default) == (type(default), default)


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ({}, False),
        ({"additionalProperties": True}, True),
        ({"additionalProperties": False}, False),
        ({"additionalProperties": {"type": "string"}}, True),
        ({"x-kubernetes-preserve-unknown-fields": True}, True),
        ({"x-kubernetes-preserve-unknown-fields": False}, False),
    ],
)
def test_whether_a_struct_keeps_unknown_fields(more: dict[str, Any], kept: bool) -> None:
    struct = {"type": "object", "properties": {"a": {"type": "string"}}, **more}
    document = bundle(field={"type": "array", "items": struct})
    rule = codegen.read(document).schema("test/v1", "Thing").rule("field[]")
    assert rule is not None
    assert (rule.open, rule.free_keys) == (kept, False)


def test_recursive_type() -> None:
    tables = codegen.read(FORMS / "recursive.yaml")
    schema = tables.schema("test/v1", "Tree")
    assert facts(schema.rule("left.right.left.children[name=a].left")) == {"kind": "map", "of": "test_v1.Tree"}
    assert [path for path, _ in schema.walk()] == ["children", "left", "name", "others", "others.*", "right"]


def test_a_definition_with_several_kinds() -> None:
    kinds = [{"group": group, "version": "v1", "kind": kind} for group, kind in (("", "A"), ("b", "A"), ("b", "C"))]
    document = changed(bundle(), "/definitions/test.v1.Thing/x-kubernetes-group-version-kind", kinds)
    tables = codegen.read(document)
    assert tables.kinds() == [("b/v1", "A"), ("b/v1", "C"), ("v1", "A")]
    assert len({tables.schema(*kind).type.name for kind in tables.kinds()}) == 1
    single = changed(bundle(), "/definitions/test.v1.Thing/x-kubernetes-group-version-kind", kinds[1])
    assert codegen.read(single).kinds() == [("b/v1", "A")]


PATHS = FORMS / "paths-v2.yaml", FORMS / "paths-v3.yaml"
ALL = ("apply", "json", "merge", "strategic")


@pytest.mark.parametrize("file", PATHS, ids=["v2", "v3"])
@pytest.mark.parametrize(
    ("kind", "namespaced", "patch_types"),
    [
        ("Namespaced", True, ALL),
        ("Cluster", False, ALL),
        ("Both", True, ("merge",)),
        ("Unknown", None, None),
        ("Sub", None, None),
    ],
)
def test_scope_and_patch_types(
    file: Path, kind: str, namespaced: bool | None, patch_types: tuple[str, ...] | None
) -> None:
    schema = codegen.read(file).schema("test/v1", kind)
    assert (schema.namespaced, schema.patch_types) == (namespaced, patch_types)


CRDS = {
    # file: (its served kinds, with scope)
    "crd-v1.yaml": {("test.example/v1", "Widget"): True, ("test.example/v1alpha1", "Widget"): True},
    "crd-v1beta1.yaml": {("old.example/v1", "Gadget"): False, ("old.example/v2", "Gadget"): False},
    "crd-v1beta1-one-version.yaml": {("old.example/v1", "Single"): None},
    "crds-among-others.yaml": {("a.example/v1", "A"): True, ("b.example/v1", "B"): False, ("c.example/v1", "C"): True},
}


@pytest.mark.parametrize("name", CRDS)
def test_custom_resource_definitions(name: str) -> None:
    tables = codegen.read(FORMS / name)
    assert {key: tables.schema(*key).namespaced for key in tables.kinds()} == CRDS[name]
    for key in tables.kinds():
        schema = tables.schema(*key)
        assert schema.patch_types == ("apply", "json", "merge")
        assert facts(schema.rule("metadata.finalizers"))["strategies"] == ("merge",)
        assert facts(schema.rule("metadata.ownerReferences"))["merge_key"] == "uid"
        assert facts(schema.rule("apiVersion")) == {"kind": "primitive", "of": "string"}


WIDGET: list[tuple[str, dict[str, Any]]] = [
    ("spec.size", {"kind": "primitive", "of": "int-or-string"}),
    (
        "spec.parts",
        {"kind": "list", "of": "example_test_v1.Widget.spec.parts[]", "list_type": "map", "map_keys": ("name", "side")},
    ),
    ("spec.parts.side", {"kind": "primitive", "of": "string", "default": "left"}),
    ("spec.tags", {"kind": "list", "of": "string", "list_type": "set"}),
    ("spec.order", {"kind": "list", "of": "string", "list_type": "atomic"}),
    ("spec.selector", {"kind": "map", "of": "example_test_v1.Widget.spec.selector", "map_type": "atomic"}),
    ("spec.free", {"kind": "map", "free_keys": True, "open": True}),
    ("spec.half.known", {"kind": "primitive", "of": "string"}),
    ("spec.template.metadata.labels", {"kind": "map", "of": "string", "free_keys": True}),
    (
        "spec.template.metadata.finalizers",
        {"kind": "list", "of": "string", "strategies": ("merge",), "list_type": "set", "derived": False},
    ),
    ("spec.template.kind", {"kind": "primitive", "of": "string"}),
    ("spec.template.spec.containers", {"kind": "list", "list_type": "atomic", "derived": True}),
    ("spec.matrix[]", {"kind": "list", "of": "integer", "list_type": "atomic", "derived": True}),
    ("spec.byName.anything", {"kind": "list", "of": "string", "list_type": "set"}),
]


@pytest.mark.parametrize(("path", "expected"), WIDGET, ids=[row[0] for row in WIDGET])
def test_fields_of_a_custom_resource(path: str, expected: dict[str, Any]) -> None:
    found = facts(codegen.read(FORMS / "crd-v1.yaml").schema("test.example/v1", "Widget").rule(path))
    assert {name: found.get(name, False) for name in expected} == expected


@pytest.mark.parametrize(
    ("name", "api", "kind", "path", "kept"),
    [
        ("crd-v1.yaml", "test.example/v1", "Widget", "", False),
        ("crd-v1.yaml", "test.example/v1", "Widget", "spec.free", True),
        ("crd-v1.yaml", "test.example/v1alpha1", "Widget", "", True),
        ("crd-v1beta1.yaml", "old.example/v1", "Gadget", "", False),
        ("crd-v1beta1-one-version.yaml", "old.example/v1", "Single", "", True),
    ],
)
def test_whether_unknown_fields_are_kept(name: str, api: str, kind: str, path: str, kept: bool) -> None:
    rule = codegen.read(FORMS / name).schema(api, kind).rule(path)
    assert rule is not None
    assert rule.open is kept


def test_one_schema_of_all_versions_and_one_of_its_own() -> None:
    tables = codegen.read(FORMS / "crd-v1beta1.yaml")
    assert tables.schema("old.example/v1", "Gadget").rule("spec.shared") is not None
    assert tables.schema("old.example/v2", "Gadget").rule("spec.own") is not None
    assert tables.schema("old.example/v2", "Gadget").rule("spec.shared") is None


def test_folder_is_one_specification_and_other_files_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "crd.YAML").write_bytes((FORMS / "crd-v1.yaml").read_bytes())
    (tmp_path / "spec.json.gz").write_bytes(gzip.compress(json.dumps(bundle()).encode()))
    (tmp_path / "kustomization.yaml").write_text(
        "kind: Kustomization\napiVersion: x/v1\ncomponents: [a]\ndefinitions: 3\n"
    )
    (tmp_path / "empty.yaml").write_text("# nothing yet\n---\n")
    (tmp_path / "README.md").write_text("{")
    # an empty document is valid beside others, an empty file is not
    tables = codegen.read(tmp_path)
    assert tables.kinds() == [("test.example/v1", "Widget"), ("test.example/v1alpha1", "Widget"), ("test/v1", "Thing")]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("name", ["spec.json", "spec.yaml", "spec"])
def test_a_file_by_its_content_and_not_by_its_name(name: str, packed: bool, tmp_path: Path) -> None:
    data = (FORMS / "paths-v2.yaml").read_bytes() if name == "spec.yaml" else json.dumps(bundle()).encode()
    file = tmp_path / (f"{name}.gz" if packed else name)
    file.write_bytes(gzip.compress(data) if packed else data)
    assert codegen.read(str(file)).kinds() == codegen.read(file).kinds() != []


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"\xef\xbb\xbf" + json.dumps(bundle()).encode())

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert codegen.read("-").kinds() == [("test/v1", "Thing")]


def test_a_list_of_parsed_documents() -> None:
    assert codegen.read([bundle(), {"kind": "Pod"}, crd()]).kinds() == [
        ("test.example/v1", "Thing"),
        ("test/v1", "Thing"),
    ]


def test_documents_with_different_shared_types() -> None:
    """Each kind keeps its own document, also through references to the shared type."""

    def document(group: str, strategy: str) -> dict[str, Any]:
        kind = [{"group": group, "version": "v1", "kind": "Kind"}]
        reference = {"$ref": "#/components/schemas/shared.v1.Middle"}
        return components(
            {
                "shared.v1.Leaf": {
                    "type": "object",
                    "properties": {
                        "list": {"type": "array", "items": {"type": "string"}, "x-kubernetes-patch-strategy": strategy}
                    },
                },
                "shared.v1.Middle": {
                    "type": "object",
                    "properties": {"leaf": {"$ref": "#/components/schemas/shared.v1.Leaf"}},
                },
                "shared.v1.Same": {"type": "object", "properties": {"a": {"type": "string"}}},
                f"{group}.v1.Kind": {
                    "type": "object",
                    "properties": {
                        "middle": reference,
                        "middles": {"type": "array", "items": reference},
                        "same": {"$ref": "#/components/schemas/shared.v1.Same"},
                    },
                    "x-kubernetes-group-version-kind": kind,
                },
            }
        )

    tables = codegen.read([document("a", "merge"), document("b", "replace"), document("c", "merge")])
    for group, strategy in (("a", "merge"), ("b", "replace"), ("c", "merge")):
        schema = tables.schema(f"{group}/v1", "Kind")
        for path in ("middle.leaf.list", "middles.leaf.list"):
            assert facts(schema.rule(path))["strategies"] == (strategy,), (group, path)
    assert tables.definitions().count("shared.v1.Same") == 1
    assert [name for name in tables.definitions() if "~" in name] == ["shared.v1.Leaf~1", "shared.v1.Middle~1"]


def test_snapshot_keeps_the_facts_of_the_document() -> None:
    """The text of a snapshot is a specification with the same facts, and produces itself again."""
    for name in ("paths-v2.yaml", "recursive.yaml", "crd-v1.yaml"):
        found = read_facts(FORMS / name)
        text = text_of(found)
        again = read_facts(json.loads(text))
        assert text_of(again) == text
        assert (again.definitions, again.kinds) == (found.definitions, found.kinds) or name == "crd-v1.yaml"


def test_a_large_folder_of_copies_is_read_in_reasonable_time(tmp_path: Path) -> None:
    shared = {
        f"shared.v1.T{number}": {"type": "object", "properties": {"a": {"type": "string"}}} for number in range(200)
    }
    for number in range(40):
        (tmp_path / f"{number}.json").write_text(json.dumps(components(shared)))
    assert len(codegen.read(tmp_path).definitions()) == 200


def test_path_error_names_the_path(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("---\n")
    with pytest.raises(SpecError) as caught:
        codegen.read(tmp_path)
    assert caught.value.source == str(tmp_path)
