"""A direct reading of a snapshot without `codegen`: only the marks of each field."""

from __future__ import annotations

from typing import Any, NamedTuple

MARK = "x-kubernetes-"
QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"

RAW = "io.k8s.apimachinery.pkg.runtime.RawExtension"


class FieldFacts(NamedTuple):
    """The facts of a field in a document."""

    kind: str
    strategies: tuple[str, ...]
    merge_key: str | None
    list_type: str | None
    map_keys: tuple[str, ...]
    derived: bool
    map_type: str | None


def target(document: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """The schema at the end of a chain of references."""
    while "$ref" in node:
        node = document["definitions"][node["$ref"].removeprefix("#/definitions/")]
    return node


def end_of(document: dict[str, Any], node: dict[str, Any]) -> str | None:
    """The name of the definition at the end of a chain of references."""
    name = None
    while "$ref" in node:
        name = node["$ref"].removeprefix("#/definitions/")
        node = document["definitions"][name]
    return name


def held(document: dict[str, Any], node: dict[str, Any]) -> str | None:
    """The type of a value, or of each element or value in it: a scalar word, or the definition that has its fields."""
    schema = target(document, node)
    if kind_of(schema) == "list":
        return held(document, schema["items"]) if "items" in schema else None
    if kind_of(schema) == "map" and "properties" not in schema:
        values = schema.get("additionalProperties")
        return held(document, values) if isinstance(values, dict) else None
    if kind_of(schema) == "primitive":
        return str(schema["format"] if schema.get("format") in ("int-or-string", "quantity") else schema["type"])
    return end_of(document, node) if "properties" in schema else None


def kind_of(schema: dict[str, Any]) -> str:
    """The kind of the values that a schema without references describes."""
    if schema.get("format") in ("int-or-string", "quantity") or schema.get(MARK + "int-or-string"):
        return "primitive"
    if "properties" in schema or schema.get("type") == "object":
        return "map"
    return {"array": "list", None: "any"}.get(schema.get("type"), "primitive")


def facts_of_field(document: dict[str, Any], node: dict[str, Any]) -> FieldFacts:
    """The facts of one field of one type."""
    kind = kind_of(target(document, node))
    strategies = tuple(filter(None, node.get(MARK + "patch-strategy", "").split(",")))
    merge_key = node.get(MARK + "patch-merge-key")
    list_type, keys, derived = None, tuple(node.get(MARK + "list-map-keys", ())), False
    if kind == "list":
        list_type = node.get(MARK + "list-type")
        if list_type is None:
            derived = True
            list_type = "atomic" if "merge" not in strategies else "map" if merge_key else "set"
            keys = (merge_key,) if list_type == "map" and merge_key else ()
    return FieldFacts(kind, strategies, merge_key, list_type, keys, derived, map_type(document, node, list_type))


def map_type(document: dict[str, Any], node: dict[str, Any], list_type: str | None) -> str | None:
    """The ownership of a map: the value itself, or the elements of a list that are owned one by one."""
    schema = target(document, node)
    if list_type == "map":
        return target(document, schema["items"]).get(MARK + "map-type")
    if schema is document["definitions"].get(RAW):
        return "atomic"
    return node.get(MARK + "map-type", schema.get(MARK + "map-type")) if kind_of(schema) == "map" else None
