"""JSON Schemas of specifications; every specification is validated before anything is read from it.

Each node is validated separately, so the check needs no recursion and the pointer is exact. In errors, the `title` of a
schema is the expected content.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .errors import SpecError, brief, pointer_of
from .shape_tests import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema.protocols import Validator

    from .shape_tests import Test

_TEXT = {"type": "string", "title": "a string"}
_NAME = {"type": "string", "minLength": 1, "title": "a name"}
_FLAG = {"type": "boolean", "title": "true or false"}
_OBJECT = {"type": "object", "title": "an object"}
_LIST = {"type": "array", "title": "a list"}
_SCHEMA = {"type": ["object", "boolean"], "title": "a schema"}
_SCHEMAS = {"type": "array", "items": _SCHEMA, "title": "a list of schemas"}
_TYPE_NAME = {
    "enum": ["array", "boolean", "integer", "null", "number", "object", "string"],
    "title": "the name of a JSON type",
}
_GROUP_VERSION_KIND = {
    "type": "object",
    "required": ["kind", "version"],
    "properties": {"group": _TEXT, "version": _NAME, "kind": _NAME},
    "title": "a group, version and kind",
}

NODE: dict[str, Any] = {
    "type": ["object", "boolean"],
    "title": "a schema",
    "properties": {
        "$ref": _TEXT,
        "type": {
            "anyOf": [_TYPE_NAME, {"type": "array", "items": _TYPE_NAME}],
            "title": "the name of a JSON type, or a list of them",
        },
        "properties": _OBJECT,
        "items": _SCHEMA,
        "additionalProperties": _SCHEMA,
        "allOf": _SCHEMAS,
        "anyOf": _SCHEMAS,
        "oneOf": _SCHEMAS,
        "x-kubernetes-patch-strategy": {
            "enum": [
                "merge",
                "replace",
                "retainKeys",
                "merge,retainKeys",
                "retainKeys,merge",
                "replace,retainKeys",
                "retainKeys,replace",
            ],
            "title": "merge, replace, retainKeys, or retainKeys beside one of the others, with a comma and no space",
        },
        "x-kubernetes-patch-merge-key": {"type": "string", "minLength": 1, "title": "the name of a field"},
        "x-kubernetes-list-type": {"enum": ["atomic", "map", "set"], "title": "atomic, map or set"},
        "x-kubernetes-list-map-keys": {
            "type": "array",
            "minItems": 1,
            "items": _NAME,
            "title": "a list of names of fields",
        },
        "x-kubernetes-map-type": {"enum": ["atomic", "granular"], "title": "atomic or granular"},
        "x-kubernetes-preserve-unknown-fields": _FLAG,
        "x-kubernetes-int-or-string": _FLAG,
        "x-kubernetes-embedded-resource": _FLAG,
        "x-kubernetes-group-version-kind": {
            "anyOf": [_GROUP_VERSION_KIND, {"type": "array", "items": _GROUP_VERSION_KIND}],
            "title": "a list of group, version and kind",
        },
    },
}

FLAGS = (
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
)
"""Marks that only have an effect as booleans."""

DOCUMENTS: dict[str, dict[str, Any]] = {
    "definitions": {
        "type": "object",
        "title": "an OpenAPI document or a bundle of JSON Schemas",
        "properties": {"definitions": _OBJECT, "$defs": _OBJECT, "paths": _OBJECT},
    },
    "components": {
        "type": "object",
        "title": "an OpenAPI v3 document",
        "properties": {
            "components": {"type": "object", "properties": {"schemas": _OBJECT}, "title": "an object"},
            "paths": _OBJECT,
        },
    },
    "index": {
        "type": "object",
        "title": "the index of a server's OpenAPI v3 documents",
        "properties": {
            "paths": {
                "type": "object",
                "title": "an object",
                "additionalProperties": {
                    "type": "object",
                    "required": ["serverRelativeURL"],
                    "properties": {"serverRelativeURL": _NAME},
                    "title": "an object with a serverRelativeURL",
                },
            },
        },
    },
    "crd": {
        "type": "object",
        "title": "a CustomResourceDefinition",
        "required": ["spec"],
        "properties": {
            "spec": {
                "type": "object",
                "title": "an object with group and names",
                "required": ["group", "names"],
                "properties": {
                    "group": _NAME,
                    "version": _NAME,
                    "scope": {"enum": ["Namespaced", "Cluster"], "title": "Namespaced or Cluster"},
                    "preserveUnknownFields": {"type": ["boolean", "null"], "title": "true or false"},
                    "names": {
                        "type": "object",
                        "required": ["kind"],
                        "properties": {"kind": _NAME},
                        "title": "an object with a kind",
                    },
                    "validation": {"$ref": "#/$defs/validation"},
                    "versions": {
                        "type": ["array", "null"],
                        "title": "a list of versions",
                        "items": {
                            "type": "object",
                            "required": ["name"],
                            "properties": {"name": _NAME, "schema": {"$ref": "#/$defs/validation"}},
                            "title": "an object with a name",
                        },
                    },
                },
            },
        },
        "$defs": {
            "validation": {
                "type": ["object", "null"],
                "title": "an object with openAPIV3Schema",
                "properties": {"openAPIV3Schema": {"type": ["object", "null"], "title": "a schema"}},
            },
        },
    },
    "list": {"type": "object", "properties": {"items": _LIST}, "title": "a List"},
    "operation": {
        "type": "object",
        "title": "an operation",
        "properties": {
            "consumes": {"type": "array", "items": _TEXT, "title": "a list of media types"},
            "requestBody": {"type": "object", "properties": {"content": _OBJECT}, "title": "an object"},
            "x-kubernetes-group-version-kind": _GROUP_VERSION_KIND,
        },
    },
}


def check(shape: str, value: Any, source: str, *pointer: object) -> None:
    """Validate a document, or an operation in it, against the named schema."""
    _check(shape, value, source, pointer)


def check_node(node: Any, source: str, *pointer: object) -> Iterator[str]:
    """Validate a schema at any depth; yield its ignored parts. A null is not one: it means a missing keyword."""
    waiting: list[tuple[Any, tuple[object, ...]]] = [(node, pointer)]
    while waiting:
        part, at = waiting.pop()
        if isinstance(part, dict):
            whole, part = part, effective(part)
            idle = [word for word, value in whole.items() if word not in part and value is not None]
            yield from (f"{brief(whole[word])} at {pointer_of(*at, word)}" for word in idle)
        _check(NODE_SHAPE, part, source, at)
        if isinstance(part, dict):
            waiting.extend(_parts(part, at))


def effective(node: dict[str, Any]) -> dict[str, Any]:
    """A schema without keywords that Kubernetes ignores: null, flags of another type, a text for a schema."""
    return {word: value for word, value in node.items() if not _is_idle(word, value)}


def _is_idle(word: str, value: Any) -> bool:
    if value is None:
        return word in NODE["properties"]
    if word in FLAGS:
        return not isinstance(value, bool)
    return word == "additionalProperties" and isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _parts(node: dict[str, Any], at: tuple[object, ...]) -> Iterator[tuple[Any, tuple[object, ...]]]:
    """The schemas directly inside a checked schema."""
    for name, part in node.get("properties", {}).items():
        yield part, (*at, "properties", name)
    for word in ("items", "additionalProperties"):
        if word in node:
            yield node[word], (*at, word)
    for word in ("allOf", "anyOf", "oneOf"):
        for position, part in enumerate(node.get(word, ())):
            yield part, (*at, word, position)


def _check(shape: str, value: Any, source: str, at: tuple[object, ...]) -> None:
    if _fits(shape)(value):
        return
    validator = _validator(shape)
    error = min(validator.iter_errors(value), key=lambda error: (len(error.absolute_path), str(error.absolute_path)))
    pointer = pointer_of(*at, *error.absolute_path)
    wanted: Any = error.schema
    instance: Any = error.instance
    if error.validator == "required":
        missing = next(name for name in wanted["required"] if name not in instance)
        raise SpecError(source, f"a field {missing!r}", pointer=pointer, found="none")
    expected = wanted.get("title", "another value")
    raise SpecError(source, expected, pointer=pointer, found=brief(instance))


NODE_SHAPE = "node"
"""The name of `NODE`, beside the names of `DOCUMENTS`."""


def _schema_of(shape: str) -> dict[str, Any]:
    return NODE if shape == NODE_SHAPE else DOCUMENTS[shape]


@cache
def _fits(shape: str) -> Test:
    """The compiled test of a shape."""
    found = _schema_of(shape)
    return compiled(found, found.get("$defs", {}))


@cache
def _validator(shape: str) -> Validator:
    import jsonschema  # slow to import, and only needed to describe an error

    return jsonschema.Draft202012Validator(_schema_of(shape))
