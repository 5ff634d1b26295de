"""OpenAPI v3 equals a real server's, except for listed differences."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

import codegen
import engine
from kubemerge.apiserver.http import openapi
from kubemerge.apiserver.http.discovery import ServedResources, served_by
from kubemerge.apiserver.http.openapi import v3
from kubemerge.cluster import open_cluster

from .....conftest import spread
from .differences import DELETED_CUSTOM, DOCUMENTS, PARAMETERS, PATHS, RESOURCES, SHARED
from .recorded import definitions, recorded, without_descriptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

START = "/openapi/v3/"
INDEX = [path for path in recorded()["/openapi/v3"]["paths"] if path not in DOCUMENTS]
SERVED_RELEASES = [release for release in engine.releases() if int(release[2:]) >= 16]
WITH_V3 = [release for release in SERVED_RELEASES if int(release[2:]) >= 24]
METHODS = ("delete", "get", "patch", "post", "put")


def document(served: ServedResources, path: str) -> dict[str, Any]:
    found = openapi.document(served, path)
    assert found is not None
    loaded: dict[str, Any] = json.loads(found.data)
    return loaded


def plain(node: Any) -> Any:
    """A schema whose references in an `allOf` of one element are plain references."""
    if isinstance(node, dict):
        found = {name: plain(value) for name, value in node.items()}
        parts = found.get("allOf")
        if isinstance(parts, list) and len(parts) == 1 and set(parts[0]) == {"$ref"}:
            found.pop("allOf")
            found |= parts[0]
        return found
    return [plain(one) for one in node] if isinstance(node, list) else node


def left_out(path: str) -> bool:
    plural, _, part = re.sub(r".*/([^/]+)/\{name\}/([^/]+).*", r"\1/\2", path).partition("/")
    return f"{plural}/{part}" in RESOURCES or any(word in path for word in PATHS)


def parameters(item: dict[str, Any], method: str) -> dict[str, Any]:
    listed = [*item.get("parameters", ()), *item[method].get("parameters", ())]
    return {one["name"]: (one["in"], one["schema"], one.get("required")) for one in listed}


def test_the_index_lists_the_documents_of_a_server(served: ServedResources) -> None:
    index = openapi.index(served)
    assert index is not None
    assert list(index["paths"]) == INDEX
    for path, entry in index["paths"].items():
        assert re.fullmatch(rf"/openapi/v3/{re.escape(path)}\?hash=[0-9A-F]{{128}}", entry["serverRelativeURL"])


def test_the_index_collects_its_paths_once(served: ServedResources, monkeypatch: pytest.MonkeyPatch) -> None:
    """Collecting them takes as long as there are versions, and the index has a document for each."""
    collect = Mock(wraps=v3._paths)
    monkeypatch.setattr(v3, "_paths", collect)
    assert openapi.index(served) is not None
    assert collect.call_count == 1


@pytest.mark.parametrize("path", INDEX)
def test_the_schemas_are_those_of_a_server(path: str, served: ServedResources) -> None:
    ours = document(served, path)["components"]["schemas"]
    theirs = recorded()[f"{START}{path}"]["components"]["schemas"]
    assert sorted(ours) == sorted(theirs)
    for name, schema in ours.items():
        wanted = plain(theirs[name])
        if name == SHARED and ".example." in path:
            wanted["x-kubernetes-group-version-kind"] = wanted["x-kubernetes-group-version-kind"][:1]
        assert plain(without_descriptions(schema)) == wanted, name


@pytest.mark.parametrize("path", INDEX)
def test_the_operations_are_those_of_a_server(path: str, served: ServedResources) -> None:
    ours = document(served, path)["paths"]
    theirs = {one: item for one, item in recorded()[f"{START}{path}"]["paths"].items() if not left_out(one)}
    assert sorted(ours) == sorted(theirs)
    for address, item in ours.items():
        assert [method for method in METHODS if method in item] == [
            method for method in METHODS if method in theirs[address]
        ], address
        for method in item.keys() & METHODS:
            one, other = item[method], theirs[address][method]
            for word in ("x-kubernetes-action", "x-kubernetes-group-version-kind", "requestBody"):
                assert one.get(word) == other.get(word), (address, method, word)
            assert one["responses"].keys() == other["responses"].keys()
            assert {**answers(other), **answers(one)} == answers(other), (address, method)
            check_parameters(parameters(item, method), parameters(theirs[address], method), one, path)


def answers(operation: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """The responses of an operation: a schema for each status and media type."""
    found = {}
    for status, response in operation["responses"].items():
        for media, content in response.get("content", {}).items():
            found[status, media] = content["schema"]
    return found


def check_parameters(ours: dict[str, Any], theirs: dict[str, Any], operation: dict[str, Any], path: str) -> None:
    wanted = {name: value for name, value in theirs.items() if name not in PARAMETERS}
    if operation.get("x-kubernetes-action") == "deletecollection" and ".example." in path:
        assert ours.keys() ^ wanted.keys() == DELETED_CUSTOM
    else:
        assert ours == wanted


def test_each_listed_difference_is_one(served: ServedResources) -> None:
    ours = [document(served, path)["paths"] for path in INDEX]
    theirs = [one["paths"] for path, one in recorded().items() if path.startswith(START)]
    assert PARAMETERS.keys() <= names_of_parameters(theirs)
    assert not PARAMETERS.keys() & names_of_parameters(ours)
    for word in PATHS:
        assert [path for paths in theirs for path in paths if word in path]
        assert not [path for paths in ours for path in paths if word in path]


def names_of_parameters(documents: list[dict[str, Any]]) -> set[str]:
    items = [item for paths in documents for item in paths.values()]
    return {name for item in items for method in item.keys() & METHODS for name in parameters(item, method)}


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for one in node:
            yield from references(one)


@pytest.mark.parametrize("release", spread(SERVED_RELEASES))
def test_every_document_of_a_release_is_whole(release: str, served_of: Callable[[str], ServedResources]) -> None:
    served = served_of(release)
    index = openapi.index(served)
    assert (index is not None) is (release in WITH_V3)
    for path in index["paths"] if index else ():
        made = document(served, path)
        known = {f"#/components/schemas/{name}" for name in made["components"]["schemas"]}
        assert set(references(made)) <= known, path


@pytest.mark.parametrize("release", spread(WITH_V3))
def test_kubectl_finds_how_each_stored_kind_is_patched(
    release: str, served_of: Callable[[str], ServedResources]
) -> None:
    served = served_of(release)
    for row in served.rows:
        if "patch" not in row.verbs or row.subresource:
            continue
        path = f"apis/{row.group}/{row.version}" if row.group else f"api/{row.version}"
        kind = {"group": row.group, "version": row.version, "kind": row.kind}
        patches = [
            item["patch"]
            for item in document(served, path)["paths"].values()
            if item.get("patch", {}).get("x-kubernetes-group-version-kind") == kind
        ]
        assert patches, kind
        for patch in patches:
            assert patch["x-kubernetes-action"] == "patch"
            assert "application/strategic-merge-patch+json" in patch["requestBody"]["content"]
            assert {"fieldValidation", "dryRun"} <= {one["name"] for one in patch["parameters"]}


def test_an_unknown_path_has_no_document(served: ServedResources, served_of: Callable[[str], ServedResources]) -> None:
    assert openapi.document(served, "apis/none/v1") is None
    assert openapi.document(served, "") is None
    assert openapi.document(served_of("1.23"), "apis/apps/v1") is None


def test_a_definition_changes_the_hash_of_its_own_document_only() -> None:
    with open_cluster(":memory:") as cluster:
        for one in definitions():
            cluster.create(one)
        before = openapi.index(served_by(cluster))
        changed = cluster.get(engine_reference("crontabs.stable.example.com"))
        properties = changed["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]
        properties["spec"]["properties"]["added"] = {"type": "string"}
        cluster.replace(changed)
        after = openapi.index(served_by(cluster))
    assert before is not None
    assert after is not None
    differing = {path for path, entry in after["paths"].items() if before["paths"][path] != entry}
    assert differing == {"apis/stable.example.com/v1"}


def engine_reference(name: str) -> Any:
    from kubemerge.cluster import Reference

    return Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", name)


def test_what_a_definition_describes_is_told(served: ServedResources) -> None:
    schema = document(served, "apis/stable.example.com/v1")["components"]["schemas"]["com.example.stable.v1.CronTab"]
    assert schema["description"] == "A table."
    assert schema["properties"]["spec"]["properties"]["cronSpec"]["description"] == "When, if ever"


def test_the_documents_give_the_merge_rules_of_the_release(served_of: Callable[[str], ServedResources]) -> None:
    """The merge rules that codegen reads from the server's documents equal those in the release's tables."""
    made = document(served_of("1.37"), "apis/apps/v1")
    tables, wanted = codegen.read(made), engine.load("1.37")
    for kind in ("Deployment", "StatefulSet", "ControllerRevision"):
        ours, theirs = tables.schema("apps/v1", kind), wanted.schema("apps/v1", kind)
        assert dict(ours.walk()) == dict(theirs.walk())
