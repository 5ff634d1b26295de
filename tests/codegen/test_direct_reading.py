"""The tables of a release match its snapshot, field by field."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import codegen
import engine

from ..conftest import ROOT, snapshot, spread
from .direct_reading import MARK, FieldFacts, facts_of_field, held, kind_of, map_type, target

RELEASES = engine.releases()
V3 = Path(os.environ.get("KUBEMERGE_OPENAPI_V3") or ROOT.parent / "shared" / "data" / "openapi-v3")


def test_there_are_tables_for_every_release_since_1_7() -> None:
    assert len(RELEASES) >= 31
    assert list(RELEASES) == [f"1.{minor}" for minor in range(7, 7 + len(RELEASES))]


def innermost(schema: engine.Schema, field: str) -> str | None:
    """The innermost type of a field, through lists of lists and maps of lists."""
    path = f"[{json.dumps(field)}]"
    rule = schema.rule(path)
    while rule is not None and (rule.kind == "list" or rule.free_keys):
        path += "[]"
        rule = schema.rule(path)
    return rule.of if rule is not None else None


def meaning(tables: engine.Tables, held_: str | None) -> str | None:
    """The word of `Rule.of` for a scalar word or the name of a definition."""
    return tables.definition(held_).type.name if held_ is not None and "." in held_ else held_


@pytest.mark.parametrize("release", spread(RELEASES))
def test_every_field_merges_as_its_snapshot_says(release: str) -> None:
    document = snapshot(release)
    tables = engine.load(release)
    seen = 0
    for name, schema in document["definitions"].items():
        whole = target(document, schema)
        fields = tables.definition(name).type.fields
        assert set(fields) == set(whole.get("properties", {})), name
        for field, node in whole.get("properties", {}).items():
            rule = fields[field]
            found = FieldFacts(
                rule.kind,
                rule.strategies,
                rule.merge_key,
                rule.list_type,
                rule.map_keys,
                rule.derived,
                rule.map_type,
            )
            assert found == facts_of_field(document, node), (name, field)
            assert innermost(tables.definition(name), field) == meaning(tables, held(document, node)), (name, field)
            seen += 1
    assert seen > 1400
    # The two packages of a group up to 1.8 stay two names of one module, whichever of them a release uses.
    more = {*tables.definitions()} - set(document["definitions"])
    assert set(document["definitions"]) <= {*tables.definitions()}
    assert all(name.startswith(("io.k8s.kubernetes.pkg.api", "io.k8s.api.")) for name in more)


@pytest.mark.parametrize("release", RELEASES)
def test_every_type_as_a_whole_is_as_its_snapshot_says(release: str) -> None:
    document = snapshot(release)
    tables = engine.load(release)
    for name, schema in document["definitions"].items():
        whole = target(document, schema)
        rule = tables.definition(name).type.rule
        assert rule.kind == kind_of(whole), name
        assert rule.map_type == map_type(document, whole, None), name
        struct = "properties" in whole
        assert rule.free_keys == (rule.kind == "map" and not struct), name
        assert rule.open == bool(whole.get(MARK + "preserve-unknown-fields")), name


@pytest.mark.parametrize("release", RELEASES)
def test_every_kind_equals_its_snapshot(release: str) -> None:
    document = snapshot(release)
    tables = engine.load(release)
    claimed = {}
    for name, schema in document["definitions"].items():
        for kind in schema.get(MARK + "group-version-kind", ()):
            api = f"{kind['group']}/{kind['version']}" if kind["group"] else kind["version"]
            claimed[api, kind["kind"]] = name
    assert tables.kinds() == sorted(claimed)
    for key, name in claimed.items():
        same = tables.definition(name).type
        found = tables.schema(*key).type
        assert (found.rule, found.fields) == (same.rule, same.fields), key


WITHOUT_A_MARK = {"CustomResourceDefinition", "APIService"}
"""Kinds that have paths before 1.11 although no definition claims to be them: kubectl cannot find their types either.
"""


@pytest.mark.parametrize("release", ["1.7", "1.8", "1.9", "1.10", "1.11", "1.12", "1.13"])
def test_scope_and_patch_types_equal_those_of_the_paths(release: str) -> None:
    document = snapshot(release)
    tables = engine.load(release)
    namespaced: dict[tuple[str, str], bool] = {}
    for path, item in document["paths"].items():
        kind = item["patch"][MARK + "group-version-kind"]
        api = f"{kind['group']}/{kind['version']}" if kind["group"] else kind["version"]
        key = api, kind["kind"]
        if kind["kind"] in WITHOUT_A_MARK and key not in tables:
            continue
        namespaced[key] = namespaced.get(key, False) or "/namespaces/{namespace}/" in path
        media = {"strategic": "strategic-merge-patch+json", "merge": "merge-patch+json", "json": "json-patch+json"}
        for word, text in media.items():
            accepted = f"application/{text}" in item["patch"]["consumes"]
            assert (word in (tables.schema(*key).patch_types or ())) == accepted, (key, word)
    assert len(namespaced) > 20
    for key, expected in namespaced.items():
        assert tables.schema(*key).namespaced is expected, key


KNOWN: list[tuple[str, str, str, dict[str, Any]]] = [
    # (the releases, type, field, the facts of its rule)
    ("1.8-1.12", "io.k8s.api.apps.v1beta1.DeploymentSpec", "strategy", {"strategies": ()}),
    ("1.9-1.12", "io.k8s.api.apps.v1.DeploymentSpec", "strategy", {"strategies": ()}),
    ("1.13-1.37", "io.k8s.api.apps.v1.DeploymentSpec", "strategy", {"strategies": ("retainKeys",)}),
    ("1.8-1.37", "io.k8s.api.core.v1.PodSpec", "volumes", {"strategies": ("merge", "retainKeys"), "merge_key": "name"}),
    ("1.8-1.37", "io.k8s.api.core.v1.PodSpec", "containers", {"strategies": ("merge",), "merge_key": "name"}),
    (
        "1.8-1.27",
        "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement",
        "key",
        {"kind": "primitive", "strategies": ("merge",), "merge_key": "key"},
    ),
    (
        "1.28-1.37",
        "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement",
        "key",
        {"kind": "primitive", "strategies": (), "merge_key": None},
    ),
    ("1.16-1.22", "io.k8s.api.core.v1.EphemeralContainer", "ports", {"merge_key": None, "list_type": "atomic"}),
    (
        "1.23-1.37",
        "io.k8s.api.core.v1.EphemeralContainer",
        "ports",
        {"merge_key": "containerPort", "list_type": "map", "map_keys": ("containerPort", "protocol")},
    ),
    ("1.8-1.19", "io.k8s.api.core.v1.ServiceStatus", "conditions", {}),
    ("1.20-1.37", "io.k8s.api.core.v1.ServiceStatus", "conditions", {"merge_key": "type", "map_keys": ("type",)}),
    ("1.8-1.37", "io.k8s.api.core.v1.Container", "ports", {"merge_key": "containerPort", "list_type": "map"}),
    ("1.8-1.37", "io.k8s.api.core.v1.ContainerPort", "protocol", {"default": "TCP"}),
    ("1.8-1.37", "io.k8s.api.core.v1.ServicePort", "protocol", {"default": "TCP"}),
    ("1.8-1.37", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "finalizers", {"strategies": ("merge",)}),
    (
        "1.8-1.37",
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
        "labels",
        {"kind": "map", "of": "string", "free_keys": True},
    ),
    ("1.8-1.37", "io.k8s.api.core.v1.ResourceRequirements", "limits", {"of": "quantity", "free_keys": True}),
    ("1.8-1.37", "io.k8s.api.core.v1.ServicePort", "targetPort", {"kind": "primitive", "of": "int-or-string"}),
]


@pytest.mark.parametrize(
    ("span", "name", "field", "expected"), KNOWN, ids=[f"{row[1]}.{row[2]} {row[0]}" for row in KNOWN]
)
def test_known_facts_of_kubernetes(span: str, name: str, field: str, expected: dict[str, Any]) -> None:
    first, last = (int(release.partition(".")[2]) for release in span.split("-"))
    for minor in range(first, last + 1):
        rule = engine.load(f"1.{minor}").definition(name).type.fields.get(field)
        assert (rule is not None) == bool(expected), minor
        for fact, value in expected.items():
            assert getattr(rule, fact) == value, (minor, fact)


def test_releases_up_to_1_8_name_their_types_twice() -> None:
    """1.8 keeps the old names of its types as references to the new ones."""
    tables = engine.load("1.8")
    document = snapshot("1.8")
    aliases = {name: node for name, node in document["definitions"].items() if "$ref" in node}
    assert len(aliases) > 100
    for name, node in aliases.items():
        meant = node["$ref"].removeprefix("#/definitions/")
        assert dict(tables.definition(name).type.fields) == dict(tables.definition(meant).type.fields)


LOST_IN_1_28 = ("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement", "key")


def documents_of_v3() -> list[Path]:
    return sorted(V3.glob("*.json.gz")) if V3.is_dir() else []


@pytest.mark.skipif(
    not documents_of_v3(), reason="no OpenAPI v3 documents beside the repository, or at $KUBEMERGE_OPENAPI_V3"
)
def test_openapi_v3_equals_the_tables_of_1_27() -> None:
    """The documents are of about 1.27: a field in both merges alike, with its keys and their defaults."""
    built_in = engine.load("1.27")
    known = {*built_in.definitions()}
    compared = 0
    for file in documents_of_v3():
        found = codegen.read(file)
        for name in known & {*found.definitions()}:
            theirs, ours = found.definition(name).type.fields, built_in.definition(name).type.fields
            for field in theirs.keys() & ours.keys():
                facts = ("kind", "strategies", "merge_key", "list_type", "map_keys", "default", "free_keys")
                compared += 1
                if (name, field) == LOST_IN_1_28 and not theirs[field].strategies:
                    continue  # the apps/v1 document is slightly newer
                assert [getattr(theirs[field], fact) for fact in facts] == [
                    getattr(ours[field], fact) for fact in facts
                ], (file.name, name, field)
    assert compared > 1000


@pytest.mark.skipif(
    not documents_of_v3(), reason="no OpenAPI v3 documents beside the repository, or at $KUBEMERGE_OPENAPI_V3"
)
def test_a_folder_of_openapi_v3_documents_is_one_specification() -> None:
    tables = codegen.read(V3)
    deployment = tables.schema("apps/v1", "Deployment")
    assert deployment.namespaced is True
    assert deployment.patch_types is not None
    assert "strategic" in deployment.patch_types
    by_document = {
        kind: tables.schema(*kind).rule("spec.selector.matchExpressions.key")
        for kind in (("apps/v1", "Deployment"), ("v1", "PersistentVolumeClaim"))
    }
    said = {kind: rule.strategies for kind, rule in by_document.items() if rule}
    assert said == {("apps/v1", "Deployment"): (), ("v1", "PersistentVolumeClaim"): ("merge",)}, "they disagree"
    same = list(engine.load("1.27").schema("apps/v1", "Deployment").walk())
    found = dict(deployment.walk())
    assert len([path for path, rule in same if path in found and found[path].strategies == rule.strategies]) > 500
