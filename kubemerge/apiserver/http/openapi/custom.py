"""OpenAPI definitions of custom resources, as servers publish CustomResourceDefinitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...unchecked import as_map, as_text
from .definitions import LIST_META, OBJECT_META

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..discovery.served import ServedResource, ServedResources

Schema = dict[str, Any]
PRESERVES = "x-kubernetes-preserve-unknown-fields"
EMBEDDED = "x-kubernetes-embedded-resource"
INT_OR_STRING = "x-kubernetes-int-or-string"
_KEPT_IF_EMPTY = frozenset({"additionalProperties", "default", "example", "enum", "properties"})
_NOT_IN_V2 = ("allOf", "anyOf", "oneOf", "not", "default", "nullable")
_IN_LISTS = ("allOf", "anyOf", "oneOf")
_TEXT = {"type": "string"}


def names_in(served: ServedResources, row: ServedResource) -> tuple[str, str]:
    """Return the definition names of a custom resource and its list: `com.example.v1.Widget`."""
    prefix = ".".join([*reversed(row.group.split(".")), row.version])
    return f"{prefix}.{row.kind}", f"{prefix}.{_list_kind(served, row)}"


def schemas(
    served: ServedResources, row: ServedResource, refer: Callable[[str], Schema], *, v2: bool
) -> dict[str, Schema]:
    """Return both definitions of a custom resource. `refer` makes a reference to another one."""
    definition = _definition(served, row)
    spec = as_map(definition.get("spec"))
    version = served.version_of(f"{row.resource}.{row.group}", row.version)
    found = as_map(version.get("schema")) or as_map(spec.get("validation"))
    one, many = names_in(served, row)
    object_ = _root(found.get("openAPIV3Schema"), spec.get("preserveUnknownFields") is True, refer, v2=v2)
    items = {"type": "array", "items": {"$ref": refer(one)["$ref"]}}
    fields = {"apiVersion": _TEXT, "items": items, "kind": _TEXT, "metadata": _meta(refer(LIST_META), v2)}
    list_: Schema = {"type": "object", "required": ["items"], "properties": fields}
    selectable = [{"fieldPath": as_text(as_map(path).get("jsonPath")).lstrip(".")} for path in _paths(version)]
    for schema, kind in ((object_, row.kind), (list_, many.rpartition(".")[2])):
        schema["x-kubernetes-group-version-kind"] = [{"group": row.group, "kind": kind, "version": row.version}]
        if selectable:
            schema["x-kubernetes-selectable-fields"] = selectable
    return {one: object_, many: list_}


def _paths(version: Schema) -> list[Any]:
    found = version.get("selectableFields")
    return found if isinstance(found, list) else []


def _definition(served: ServedResources, row: ServedResource) -> Schema:
    return served.definition(f"{row.resource}.{row.group}")


def _list_kind(served: ServedResources, row: ServedResource) -> str:
    names = as_map(as_map(_definition(served, row).get("spec")).get("names"))
    return as_text(names.get("listKind")) or f"{row.kind}List"


def _root(schema: Any, open_: bool, refer: Callable[[str], Schema], *, v2: bool) -> Schema:
    if not isinstance(schema, dict) or (v2 and (open_ or schema.get(PRESERVES))):
        return {"type": "object"}  # with fields, kubectl would reject all others
    found = _published(schema, refer, v2=v2)
    head = {"apiVersion": _TEXT, "kind": _TEXT, "metadata": _meta(refer(OBJECT_META), v2)}
    return {**found, "properties": {**found.get("properties", {}), **head}}


def _meta(reference: Schema, v2: bool) -> Schema:
    return reference if v2 else {"allOf": [reference]}


def _published(schema: Schema, refer: Callable[[str], Schema], *, v2: bool) -> Schema:
    """A schema as it is published: without keywords that have no effect, and for v2 without unsupported ones."""
    found = {word: value for word, value in schema.items() if word in _KEPT_IF_EMPTY or not _says_nothing(value)}
    if found.get("default", ...) is None:
        del found["default"]
    if v2:
        _as_v2(found, schema)
    elif found.get(INT_OR_STRING) and "anyOf" not in found and not _any_in_all(found):
        found["anyOf"] = [{"type": "integer"}, {"type": "string"}]
    if "properties" in found:
        found["properties"] = {
            name: _published(as_map(part), refer, v2=v2) for name, part in as_map(found["properties"]).items()
        }
    for word in ("items", "additionalProperties"):
        if isinstance(found.get(word), dict):
            found[word] = _published(found[word], refer, v2=v2)
    if found.get(EMBEDDED) and not (v2 and found.get(PRESERVES)):
        head = {"apiVersion": _TEXT, "kind": _TEXT, "metadata": _meta(refer(OBJECT_META), v2)}
        found["properties"] = {**found.get("properties", {}), **head}
        found["required"] = list(dict.fromkeys([*found.get("required", ()), "kind", "apiVersion"]))
    return found


def _says_nothing(value: Any) -> bool:
    return value is None or value is False or value in ("", [])


def _any_in_all(schema: Schema) -> bool:
    parts = schema.get("allOf")
    return isinstance(parts, list) and any("anyOf" in as_map(part) for part in parts)


def _as_v2(found: Schema, schema: Schema) -> None:
    """Drop keywords unknown to OpenAPI v2, or to kubectl when it reads it."""
    untyped = schema.get("nullable") is True
    opened = schema.get(PRESERVES) is True
    for word in _NOT_IN_V2:
        found.pop(word, None)
    if untyped or opened:
        found.pop("items", None)
        found.pop("properties", None)
    if untyped or (opened and found.get("type") == "object") or ("items" not in found and found.get("type") == "array"):
        found.pop("type", None)
    values, fields = as_map(found.get("additionalProperties")), as_map(found.get("properties"))
    nullable = {name for name, part in fields.items() if as_map(part).get("nullable") is True}
    required = [name for name in found.pop("required", ()) if name not in nullable]
    if required and values.get("nullable") is not True:
        found["required"] = required
