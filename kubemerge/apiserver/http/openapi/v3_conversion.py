"""Conversion of OpenAPI v2 definitions to v3: defaults, enums and references."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from .definitions import META, QUANTITY, REFERENCE, definitions
from .v3_values import ENUMS, STRUCTS, VALUES, WITHOUT, ZEROS

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]
PREFIX = "#/components/schemas/"
KINDS = "x-kubernetes-group-version-kind"
INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
_EITHER: dict[str, Schema] = {
    QUANTITY: {"oneOf": [{"type": "string"}, {"type": "number"}]},
    INT_OR_STRING: {"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]},
}
"""Types that v2 can only call a string."""
SHARED = (f"{META}.DeleteOptions", f"{META}.WatchEvent")
"""Definitions that are a kind in every group. A document of a group contains only its own."""
_ZERO = {"string": "", "integer": 0, "number": 0, "boolean": False}


def to_v3(name: str, minor: int, own: tuple[str, str]) -> str:
    """Return the JSON of a v3 definition. `own` is the group and version of the document."""
    if name not in SHARED:
        return _stated(name, minor, None)
    return _stated(name, minor, own if own in _groups(name, minor) else ("", "v1"))


@cache
def _groups(name: str, minor: int) -> frozenset[tuple[str, str]]:
    kinds = definitions(minor).schema(name).get(KINDS, [])
    return frozenset((one["group"], one["version"]) for one in kinds)


@cache
def _stated(name: str, minor: int, own: tuple[str, str] | None) -> str:
    found = _EITHER.get(name) or _with_values(name, definitions(minor).schema(name))
    if name in SHARED and own is not None:
        wanted = {("", "v1"), own}
        found[KINDS] = [one for one in found[KINDS] if (one["group"], one["version"]) in wanted]
    return json.dumps(found, separators=(",", ":")).replace(f'"{REFERENCE}', f'"{PREFIX}')


def _with_values(name: str, schema: Schema) -> Schema:
    """The definition with defaults and enums. References become `allOf` where they have a default."""
    type_ = _type(name)
    required = schema.get("required", ())
    for field, node in schema.get("properties", {}).items():
        default = _default(f"{type_}.{field}", node, is_required=field in required)
        if default is not None:
            node["default"] = default
        if "$ref" in node and len(node) > 1:
            node["allOf"] = [{"$ref": node.pop("$ref")}]
    return with_enums(name, schema)


def with_enums(name: str, schema: Schema) -> Schema:
    """Return the definition with the enums of its fields, or of their elements."""
    type_ = _type(name)
    for field, node in schema.get("properties", {}).items():
        for at, part in (("", node), ("[]", node.get("items")), ("{}", node.get("additionalProperties"))):
            values = _enums().get(f"{type_}.{field}{at}")
            if values and isinstance(part, dict):
                part["enum"] = list(values)
    return schema


def _type(name: str) -> str:
    *_, group, _, kind = f"..{name}".split(".")
    return f"{group}.{kind}"


def _default(place: str, node: Schema, *, is_required: bool) -> Any:
    if "$ref" in node:
        return {} if place in _fields(STRUCTS) or place.endswith(".metadata") else None
    if place in _defaults():
        return _defaults()[place]
    has_zero = place in _fields(ZEROS) or (is_required and place not in _fields(WITHOUT))
    return _ZERO.get(node.get("type", "")) if has_zero else None


def enum_of(type_: str, field: str) -> tuple[str, ...]:
    """Return the values of a field, of its elements or of its map values. `type_` is a name as `core.Pod`."""
    return next((found for at in ("", "[]", "{}") if (found := _enums().get(f"{type_}.{field}{at}"))), ())


@cache
def _fields(text: str) -> frozenset[str]:
    return frozenset(f"{type_}.{field}" for type_, *fields in _lines(text) for field in fields)


@cache
def _defaults() -> dict[str, Any]:
    pairs = ((f"{type_}.{pair.partition('=')[0]}", pair) for type_, *found in _lines(VALUES) for pair in found)
    return {place: json.loads(pair.partition("=")[2]) for place, pair in pairs}


@cache
def _enums() -> dict[str, tuple[str, ...]]:
    found = {}
    for values, *places in _lines(ENUMS):
        words = tuple("" if word == "-" else word.replace("_", " ") for word in values.rstrip(":").split("|"))
        found.update(dict.fromkeys(places, words))
    return found


def _lines(text: str) -> Iterator[list[str]]:
    """The words of each line. An indented line continues the one before."""
    whole = text.strip().replace("\n  ", " ")
    return (line.split() for line in whole.splitlines())
