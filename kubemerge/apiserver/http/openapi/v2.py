"""OpenAPI v2: one document with everything, as JSON and protobuf."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..discovery.documents import Document, cached
from . import custom
from .definitions import LIST_META, OBJECT_META, REFERENCE, definitions
from .operations import (
    IN_PATH,
    TYPES,
    WATCH_EVENT,
    Operation,
    description_of,
    listing,
    listings,
    operations,
    patch_types,
    path_items,
)
from .protobuf import encoded
from .v3 import WORDS, kind_of
from .v3_conversion import with_enums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...protocol import Object
    from ..discovery.served import ServedResources

_JSON = "application/json"
ENUMS_SINCE = 24
"""The first minor release whose document contains enums."""


def v2_json(served: ServedResources) -> Document:
    """Return the document of `/openapi/v2` as JSON."""
    return cached(served, ("v2", "json"), lambda: Document.of_json(_document(served)))


def v2_protobuf(served: ServedResources) -> Document:
    """Return the document as protobuf. As with servers, it has the hash of the JSON."""
    whole = v2_json(served)
    return cached(served, ("v2", "protobuf"), lambda: Document(encoded(json.loads(whole.data)), whole.hash))


def _document(served: ServedResources) -> Object:
    found = [operation for row in served.rows for operation in operations(served, row)]
    found += [listing(path, of_version=of_version) for path, of_version in listings(served).items()]
    return {
        "swagger": "2.0",
        "info": {"title": "Kubernetes", "version": served.release},
        "paths": dict(sorted(path_items(found, served.minor, _operation, _parameter))),
        "definitions": dict(sorted(_definitions(served, found))),
    }


def _definitions(served: ServedResources, found: list[Operation]) -> Iterator[tuple[str, dict[str, Any]]]:
    known = definitions(served.minor)
    for row in served.rows:
        if not row.built_in and not row.subresource:
            yield from custom.schemas(served, row, _reference, v2=True).items()
    names = {name for one in found for name in (one.answer, one.body) if name}
    for name in known.needed([*names, LIST_META, OBJECT_META, WATCH_EVENT]):
        schema = known.schema(name)
        yield name, with_enums(name, schema) if served.minor >= ENUMS_SINCE else schema


def _parameter(name: str) -> Object:
    found: Object = {"uniqueItems": True, "type": TYPES[name], "name": name, "in": "query"}
    return {**found, "in": "path", "required": True} if name in IN_PATH else found


def _operation(one: Operation, parameters: list[str]) -> Object:
    listed = [_parameter(name) for name in parameters]
    if one.body:
        body: Object = {"name": "body", "in": "body", "schema": _reference(one.body)}
        listed.insert(0, {**body, "required": True} if one.action in ("patch", "post", "put") else body)
    answers = {str(code): {"description": WORDS[code], "schema": _reference(one.answer)} for code in one.codes}
    watched = one.action == "list" and one.row is not None and one.row.built_in
    produced = [_JSON, f"{_JSON};stream=watch"] if watched else [_JSON]
    found: Object = {"description": description_of(one), "produces": produced}
    if listed:
        found["parameters"] = listed
    found["responses"] = {**answers, "401": {"description": WORDS[401]}}
    if one.row is None:
        return found
    plain = ("*/*",) if one.row.built_in else (_JSON, "application/yaml")
    return {
        **found,
        "consumes": list(patch_types(one.row) if one.action == "patch" else plain),
        "x-kubernetes-action": one.action,
        "x-kubernetes-group-version-kind": kind_of(one.row),
    }


def _reference(name: str) -> Object:
    return {"$ref": f"{REFERENCE}{name}"}
