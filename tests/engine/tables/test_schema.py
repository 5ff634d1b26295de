"""Looking up the rule of a field in a schema, and walking all fields."""

from __future__ import annotations

from typing import Any

import pytest

import codegen
import engine
from engine import BadFieldPath, Rule

from ...codegen.sample_specs import bundle

POD = "spec.template.spec"


@pytest.fixture(scope="module")
def deployment() -> engine.Schema:
    return engine.load("1.37").schema("apps/v1", "Deployment")


PATHS: list[tuple[str, dict[str, Any] | None]] = [
    ("", {"kind": "map", "of": "apps_v1.Deployment"}),
    ("apiVersion", {"kind": "primitive", "of": "string"}),
    ("spec", {"kind": "map", "of": "apps_v1.DeploymentSpec", "strategies": ()}),
    ("spec.replicas", {"kind": "primitive", "of": "integer"}),
    ("spec.strategy", {"strategies": ("retainKeys",)}),
    (f"{POD}.containers", {"kind": "list", "merge_key": "name", "of": "core_v1.Container"}),
    (f"{POD}.containers[]", {"kind": "map", "of": "core_v1.Container"}),
    (f"{POD}.containers[0]", {"kind": "map", "of": "core_v1.Container"}),
    (f"{POD}.containers[name=web]", {"kind": "map", "of": "core_v1.Container"}),
    (f"{POD}.containers[][]", None),
    (f"{POD}.containers.ports", {"merge_key": "containerPort", "map_keys": ("containerPort", "protocol")}),
    (f"{POD}.containers[].ports", {"merge_key": "containerPort"}),
    (f"{POD}.containers[name=web].ports", {"merge_key": "containerPort"}),
    (f'{POD}.containers[name="a]b"].ports', {"merge_key": "containerPort"}),
    (f"{POD}.containers.ports[containerPort=80,protocol=TCP].protocol", {"default": "TCP"}),
    (f"{POD}.containers.args[]", {"kind": "primitive", "of": "string"}),
    (f"{POD}.containers.args.x", None),
    (f"{POD}.nodeSelector", {"kind": "map", "free_keys": True, "of": "string"}),
    (f"{POD}.nodeSelector.any", {"kind": "primitive", "of": "string"}),
    (f'{POD}.nodeSelector["kubernetes.io/arch"]', {"kind": "primitive", "of": "string"}),
    (f"{POD}.nodeSelector.any.more", None),
    ('metadata.labels["a.b/c"]', {"of": "string"}),
    ('metadata["labels"]', {"free_keys": True}),
    ('["spec"].replicas', {"of": "integer"}),
    ('["spec"]["replicas"]', {"of": "integer"}),
    ('metadata.finalizers[="x"]', {"of": "string"}),
    ("metadata.managedFields.fieldsV1", {"kind": "map"}),
    (f"{POD}.containers.resources.limits.cpu", {"of": "quantity"}),
    (f"{POD}.containers.livenessProbe.httpGet.port", {"of": "int-or-string"}),
    ("nothing", None),
    ("spec.nothing.at.all", None),
    ("spec.replicas.more", None),
    ("spec.replicas[]", None),
    ("spec[]", None),
    ("Spec", None),
    ("spec ", None),
    ("spec.__class__", None),
    ("\ud800", None),
]


@pytest.mark.parametrize(("path", "expected"), PATHS, ids=[ascii(row[0]) for row in PATHS])
def test_the_rule_at_a_path(path: str, expected: dict[str, Any] | None, deployment: engine.Schema) -> None:
    rule = deployment.rule(path)
    assert (rule is None) == (expected is None)
    for fact, value in (expected or {}).items():
        assert getattr(rule, fact) == value, fact


BAD_PATHS = [
    ".",
    "..",
    ".spec",
    "spec.",
    "spec..replicas",
    "spec[",
    "spec[]replicas",
    "spec]",
    'spec["a]',
    'spec["a',
    "[",
    "]",
    '"',
    'spec["a"b]',
    'spec["\\x"]',
    'spec."replicas"',
    'spec[name="a]',
    "spec.[]",
    "spec" + "." * 10_000,
]


@pytest.mark.parametrize("path", BAD_PATHS, ids=[path[:20] for path in BAD_PATHS])
def test_invalid_path(path: str, deployment: engine.Schema) -> None:
    with pytest.raises(BadFieldPath) as caught:
        deployment.rule(path)
    assert caught.value.text == path
    assert caught.value.reason


@pytest.mark.parametrize("path", [None, 3, b"spec", ["spec"], ("spec", "replicas")])
def test_path_that_is_not_a_string(path: Any, deployment: engine.Schema) -> None:
    with pytest.raises(BadFieldPath, match="it is not a string"):
        deployment.rule(path)


def test_very_long_path(deployment: engine.Schema) -> None:
    assert deployment.rule(".".join(["a"] * 100_000)) is None
    schema = engine.load().schema("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    base = "spec.versions.schema.openAPIV3Schema"
    rule = schema.rule(base + ".properties.x" * 5_000)
    assert rule is not None
    assert rule.of == "apiextensions_v1.JSONSchemaProps"


def test_every_path_of_a_walk_has_a_rule(deployment: engine.Schema) -> None:
    for path, rule in deployment.walk():
        assert deployment.rule(path) == rule, path


@pytest.mark.parametrize(
    "kind", [("v1", "Pod"), ("v1", "Service"), ("apiextensions.k8s.io/v1", "CustomResourceDefinition")]
)
def test_a_walk_goes_over_each_path_once_in_a_stable_order(kind: tuple[str, str]) -> None:
    schema = engine.load().schema(*kind)
    paths = [path for path, _ in schema.walk()]
    assert len(paths) == len(set(paths)) > 50
    assert paths == [path for path, _ in schema.walk()]
    for path in paths:
        parent = path.removesuffix("[]") if path.endswith("[]") else path.rpartition(".")[0]
        assert not parent or parent in paths[: paths.index(path)], path


def test_fields_come_by_name(deployment: engine.Schema) -> None:
    top = [path for path, _ in deployment.walk() if "." not in path]
    assert top == ["apiVersion", "kind", "metadata", "spec", "status"]


def test_recursive_type_is_not_entered_again() -> None:
    schema = engine.load().schema("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    paths = [path for path, _ in schema.walk()]
    base = "spec.versions.schema.openAPIV3Schema"
    assert {f"{base}.not", f"{base}.properties", f"{base}.properties.*", f"{base}.allOf"} <= set(paths)
    assert not [path for path in paths if path.startswith((f"{base}.not.", f"{base}.allOf.", f"{base}.properties.*."))]
    assert len(paths) < 200


def test_mutually_recursive_types_are_entered_once_per_branch() -> None:
    def struct(**fields: str) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: {"$ref": f"#/definitions/a.{of}"} for name, of in fields.items()},
        }

    lists = {"type": "array", "items": {"$ref": "#/definitions/a.Lists"}}
    maps = {"type": "object", "additionalProperties": {"$ref": "#/definitions/a.A"}}
    document = {"definitions": {"a.A": struct(b="B", m="Maps"), "a.B": struct(a="A"), "a.Maps": maps, "a.Lists": lists}}
    tables = codegen.read(document)
    assert [path for path, _ in tables.definition("a.A").walk()] == ["b", "b.a", "m", "m.*"]
    assert [path for path, _ in tables.definition("a.B").walk()] == ["a", "a.b", "a.m", "a.m.*"]
    assert [path for path, _ in tables.definition("a.Lists").walk()] == ["[]"]


RECURSIVE: dict[str, tuple[dict[str, Any], str, str, str | None]] = {
    # recursive values: by description, the schema, a path into it, the path's rule, an invalid path
    "a list": ({"type": "array", "items": {"$ref": "#/definitions/a.R"}}, "r[][][]", "list", "r.x.y"),
    "a map": ({"type": "object", "additionalProperties": {"$ref": "#/definitions/a.R"}}, "r.a.b.c", "map", None),
    "a map of lists": (
        {"type": "object", "additionalProperties": {"type": "array", "items": {"$ref": "#/definitions/a.R"}}},
        "r.a[].b[]",
        "map",
        None,
    ),
    "a list of maps": (
        {"type": "array", "items": {"type": "object", "additionalProperties": {"$ref": "#/definitions/a.R"}}},
        "r[].a[].b",
        "list",
        None,
    ),
    "a list in allOf": ({"type": "array", "items": {"allOf": [{"$ref": "#/definitions/a.R"}]}}, "r[][]", "list", "r.x"),
}


@pytest.mark.parametrize("case", RECURSIVE.values(), ids=RECURSIVE)
def test_recursive_lists_and_maps(case: tuple[dict[str, Any], str, str, str | None]) -> None:
    node, path, kind, nowhere = case
    struct = {"type": "object", "properties": {"r": {"$ref": "#/definitions/a.R"}}}
    schema = codegen.read({"definitions": {"a.R": node, "a.Holder": struct}}).definition("a.Holder")
    rule = schema.rule(path)
    assert rule is not None
    assert rule.kind == kind
    assert nowhere is None or schema.rule(nowhere) is None
    assert 0 < len(list(schema.walk())) < 6


def test_repeated_sibling_type_is_entered_each_time(deployment: engine.Schema) -> None:
    paths = {path for path, _ in deployment.walk()}
    for field in ("containers", "initContainers"):
        assert f"{POD}.{field}.ports.containerPort" in paths


def test_values_and_elements_have_separate_paths() -> None:
    strings = {"type": "array", "items": {"type": "string"}}
    schema = codegen.read(
        bundle(
            **{
                "a.b": {"type": "object", "properties": {"c d": {"type": "string"}}},
                "lists": {"type": "array", "items": strings},
                "maps": {"type": "object", "additionalProperties": strings},
                "structs": {"type": "object", "additionalProperties": {"type": "object", "properties": {"x": {}}}},
            }
        )
    ).schema("test/v1", "Thing")
    walked = dict(schema.walk())
    assert list(walked) == [
        '["a.b"]',
        '["a.b"]["c d"]',
        "lists",
        "lists[]",
        "maps",
        "maps.*",
        "structs",
        "structs.*",
        "structs.*.x",
    ]
    assert all(schema.rule(path) == rule for path, rule in walked.items())


def test_undescribed_values_may_be_anything() -> None:
    schema = codegen.read(bundle(free={"x-kubernetes-preserve-unknown-fields": True})).schema("test/v1", "Thing")
    assert schema.rule("free.a.b.c") == Rule("any")


def test_every_kind_of_every_release_can_be_walked() -> None:
    """Every reference in the tables has a target."""
    for release in engine.releases():
        tables = engine.load(release)
        for name in tables.definitions():
            schema = tables.definition(name)
            for field, rule in schema.type.fields.items():
                assert isinstance(rule, Rule)
                schema.rule(f'["{field}"].x')
