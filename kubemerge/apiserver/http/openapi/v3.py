"""OpenAPI v3: the index, and a document for each group and version."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..discovery.documents import Document, cached
from ..discovery.health import OPENAPI_V3_SINCE
from . import custom
from .definitions import LIST_META, OBJECT_META, definitions
from .operations import IN_PATH, TYPES, WATCH_EVENT, Operation, listing, listings, operations, patch_types, path_items
from .v3_conversion import PREFIX, to_v3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...protocol import Object
    from ..discovery.served import ServedResource, ServedResources

_JSON = "application/json"
WORDS = {200: "OK", 201: "Created", 202: "Accepted", 401: "Unauthorized"}


def index(served: ServedResources) -> Object | None:
    """Return the document of `/openapi/v3`, or None if the release does not have it.

    It contains the hashes of all documents, and so makes them all.
    """
    if served.minor < OPENAPI_V3_SINCE:
        return None
    hashes = {path: _document(served, path).hash for path in _paths(served)}
    return {
        "paths": {path: {"serverRelativeURL": f"/openapi/v3/{path}?hash={hash_}"} for path, hash_ in hashes.items()}
    }


def document(served: ServedResources, path: str) -> Document | None:
    """Return the document of `/openapi/v3/PATH`, as `apis/apps/v1` or `api/v1`. None for an unknown path."""
    path = path.strip("/")
    if served.minor < OPENAPI_V3_SINCE or path not in _paths(served):
        return None
    return _document(served, path)


def _document(served: ServedResources, path: str) -> Document:
    return cached(served, ("v3", path), lambda: _made(served, path))


def _paths(served: ServedResources) -> list[str]:
    custom_groups = {row.group for row in served.rows if not row.built_in}
    found = [f"apis/{group}/{one}" for group in custom_groups for one in served.versions[group]]
    return sorted([*found, *listings(served)])


def _made(served: ServedResources, path: str) -> Document:
    rows = served.of("/".join(path.split("/")[1:])) if "/" in path else []
    found = [operation for row in rows for operation in operations(served, row)]
    is_custom = any(not row.built_in for row in rows)
    if not is_custom:
        found.append(listing(path, of_version=bool(rows)))
    names = {name for one in found for name in (one.answer, one.body) if name}
    if is_custom:
        names |= {OBJECT_META, LIST_META}
    elif any("watch" in row.verbs for row in rows):
        names.add(WATCH_EVENT)
    head = {"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": served.release}}
    paths = dict(sorted(path_items(found, served.minor, _operation, _parameter)))
    schemas = ",".join(f'"{name}":{text}' for name, text in sorted(_schemas(served, rows, names)))
    start = json.dumps({**head, "paths": paths}, separators=(",", ":"))
    return Document.of(f'{start[:-1]},"components":{{"schemas":{{{schemas}}}}}}}'.encode())


def _parameter(name: str) -> Object:
    if name in IN_PATH:
        return {"name": name, "in": "path", "required": True, "schema": {"type": TYPES[name], "uniqueItems": True}}
    return {"name": name, "in": "query", "schema": {"type": TYPES[name], "uniqueItems": True}}


def _operation(one: Operation, parameters: list[str]) -> Object:
    found: Object = {}
    if parameters:
        found["parameters"] = [_parameter(name) for name in parameters]
    if one.body and one.row:
        found["requestBody"] = _body(one, one.row)
    media = [_JSON, f"{_JSON};stream=watch"] if one.action == "list" and one.row and one.row.built_in else [_JSON]
    content = {"content": {name: {"schema": _reference(one.answer)} for name in media}} if one.answer else {}
    found["responses"] = {str(code): {"description": WORDS[code], **content} for code in one.codes}
    found["responses"]["401"] = {"description": WORDS[401]}
    if one.row:
        found["x-kubernetes-action"] = one.action
        found["x-kubernetes-group-version-kind"] = kind_of(one.row)
    return found


def kind_of(row: ServedResource) -> Object:
    """Return the kind of a row's operations: that of the object, also for the scale of a custom resource."""
    group, _, version = (row.answers or row.api_version if row.built_in else row.api_version).rpartition("/")
    return {"group": group, "version": version, "kind": row.kind if row.built_in else row.object_kind or row.kind}


def _body(one: Operation, row: ServedResource) -> Object:
    plain = ("*/*",) if row.built_in else (_JSON, "application/yaml")
    media = patch_types(row) if one.action == "patch" else plain
    found: Object = {"content": {name: {"schema": _reference(one.body)} for name in media}}
    return {**found, "required": True} if one.action in ("patch", "post", "put") else found


def _reference(name: str) -> Object:
    return {"$ref": f"{PREFIX}{name}"}


def _schemas(served: ServedResources, rows: list[ServedResource], names: set[str]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if not row.built_in and not row.subresource:
            for name, schema in custom.schemas(served, row, _reference, v2=False).items():
                yield name, json.dumps(schema, separators=(",", ":"))
    own = (rows[0].group, rows[0].version) if rows else ("", "")
    for name in definitions(served.minor).needed(names):
        yield name, to_v3(name, served.minor, own)
