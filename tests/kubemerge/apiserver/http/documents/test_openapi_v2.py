"""OpenAPI v2 equals a real server's, as JSON and as protobuf, in each release."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.apiserver.http import openapi

from .....conftest import spread
from .differences import PARAMETERS
from .recorded import descriptions, recorded, without_descriptions
from .test_openapi_v3 import METHODS, left_out, references
from .wire import decoded

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubemerge.apiserver.http.discovery import ServedResources

SERVED_RELEASES = [release for release in engine.releases() if int(release[2:]) >= 16]
DEFINITIONS = recorded()["/openapi/v2"]["definitions"]
WORDS = ("x-kubernetes-action", "x-kubernetes-group-version-kind")


def document(served: ServedResources) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(openapi.v2_json(served).data)
    return found


def test_the_definitions_are_those_of_a_server(served: ServedResources) -> None:
    ours = document(served)["definitions"]
    assert sorted(ours) == sorted(DEFINITIONS)
    for name, schema in ours.items():
        assert without_descriptions(schema) == DEFINITIONS[name], name


def test_the_operations_are_those_of_a_server(served: ServedResources) -> None:
    ours = document(served)["paths"]
    theirs = recorded()["/openapi/v2"]["paths"]
    theirs = {path: one for path, one in theirs.items() if not left_out(path) and path[:5] in ("/api/", "/apis")}
    assert sorted(ours) == sorted({**theirs, "/version/": {}})
    for path, item in theirs.items():
        assert item.keys() & METHODS == ours[path].keys() & METHODS, path
        for method in item.keys() & METHODS:
            one, other = ours[path][method], item[method]
            assert [one.get(word) for word in WORDS] == [other.get(word) for word in WORDS]
            assert one["responses"].keys() == other["responses"].keys()
            if method == "patch":
                assert sorted(one["consumes"]) == sorted(other["consumes"])
                assert names(ours[path], method, {}) == names(item, method, recorded()["/openapi/v2"]["parameters"])


def test_operations_are_described_as_by_a_server(served: ServedResources) -> None:
    theirs = descriptions()
    for path, item in document(served)["paths"].items():
        ours = {method: one["description"] for method, one in item.items() if method in METHODS}
        assert ours == {method: theirs[path][method] for method in ours}


def names(item: dict[str, Any], method: str, shared: dict[str, Any]) -> set[str]:
    """The names of the parameters of an operation."""
    listed = [*item.get("parameters", ()), *item[method].get("parameters", ())]
    found = [shared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in listed]
    return {one["name"] for one in found} - PARAMETERS.keys()


def in_protobuf(node: Any) -> Any:
    """A document without the numbers that protobuf leaves out, and with its decimals."""
    if isinstance(node, dict):
        found = {name: in_protobuf(value) for name, value in node.items()}
        return {name: value for name, value in found.items() if name != "minimum" or value != 0}
    return [in_protobuf(one) for one in node] if isinstance(node, list) else node


def test_the_protobuf_says_what_the_json_says(served: ServedResources) -> None:
    made = openapi.v2_protobuf(served)
    assert decoded(made.data) == in_protobuf(document(served))
    assert made.etag == openapi.v2_json(served).etag


@pytest.mark.parametrize("release", spread(SERVED_RELEASES))
def test_the_document_of_a_release_is_whole(release: str, served_of: Callable[[str], ServedResources]) -> None:
    served = served_of(release)
    made = document(served)
    assert {f"#/definitions/{name}" for name in made["definitions"]} >= set(references(made))
    assert made["info"]["version"] == release
    assert ('"name": "fieldValidation"' in json.dumps(made["paths"])) is (int(release[2:]) >= 23)
    protocol = made["definitions"]["io.k8s.api.core.v1.ServicePort"]["properties"]["protocol"]
    assert ("enum" in protocol) is (int(release[2:]) >= 24)
    described = {
        (one["group"], one["version"], one["kind"]) for schema in made["definitions"].values() for one in kinds(schema)
    }
    stored = {(row.group, row.version, row.kind) for row in served.rows if not row.subresource}
    assert stored <= described


def kinds(schema: dict[str, Any]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = schema.get("x-kubernetes-group-version-kind", [])
    return found


@pytest.mark.parametrize("release", ["1.16", "1.22"])
def test_the_protobuf_of_an_old_release_can_be_read(release: str, served_of: Callable[[str], ServedResources]) -> None:
    served = served_of(release)
    assert decoded(openapi.v2_protobuf(served).data) == document(served)
