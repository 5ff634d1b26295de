"""Facts of OpenAPI v2, OpenAPI v3 and JSON Schema bundles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .. import shapes
from ..errors import pointer_of
from .facts import Facts, GroupVersionKind, add_definition

if TYPE_CHECKING:
    from collections.abc import Iterator

PATCH_TYPES = {
    "application/apply-patch+yaml": "apply",
    "application/json-patch+json": "json",
    "application/merge-patch+json": "merge",
    "application/strategic-merge-patch+json": "strategic",
}
"""The patch type of each media type of a PATCH; others (apply-patch+cbor) are encodings of the same patches."""

_OBJECT_PATH = re.compile(r"(?:/api/[^/]+|/apis/[^/]+/[^/]+)(/namespaces/\{namespace\})?/[^/]+/\{name\}\Z")
"""The path of a kind's objects, not of a subresource."""


def read_definitions(document: dict[str, Any], source: str) -> Facts:
    """The facts of an OpenAPI v2 document or a bundle of JSON Schemas."""
    shapes.check("definitions", document, source)
    facts = Facts(source)
    for group in ("definitions", "$defs"):
        _read_schemas(facts, document.get(group, {}), (group,))
    _read_paths(facts, document.get("paths", {}))
    return facts


def read_components(document: dict[str, Any], source: str) -> Facts:
    """The facts of an OpenAPI v3 document."""
    shapes.check("components", document, source)
    facts = Facts(source)
    _read_schemas(facts, document.get("components", {}).get("schemas", {}), ("components", "schemas"))
    _read_paths(facts, document.get("paths", {}))
    return facts


def _read_schemas(facts: Facts, schemas: dict[str, Any], place: tuple[str, ...]) -> None:
    reference = "#" + pointer_of(*place) + "/"
    for name, schema in schemas.items():
        facts.ignored += shapes.check_node(schema, facts.source, *place, name)
    for name, schema in schemas.items():
        add_definition(facts, name, schema, reference, (*place, name))


def _read_paths(facts: Facts, paths: dict[str, Any]) -> None:
    for path, kind, operation in _patch_operations(facts.source, paths):
        on_object = _OBJECT_PATH.match(path)
        if not on_object:
            continue
        facts.paths[path] = kind
        facts.namespaced[kind] = facts.namespaced.get(kind, False) or bool(on_object.group(1))
        accepted = operation.get("consumes") or operation.get("requestBody", {}).get("content", {})
        words = tuple(sorted(word for media, word in PATCH_TYPES.items() if media in accepted))
        if words:
            facts.patch_types[kind] = words


def _patch_operations(source: str, paths: dict[str, Any]) -> Iterator[tuple[str, GroupVersionKind, dict[str, Any]]]:
    for path, item in sorted(paths.items()):
        operation = item.get("patch") if isinstance(item, dict) else None
        if operation is None:
            continue
        shapes.check("operation", operation, source, "paths", path, "patch")
        marked = operation.get("x-kubernetes-group-version-kind")
        if marked:
            yield path, GroupVersionKind(marked.get("group", ""), marked["version"], marked["kind"]), operation
