"""Values of a wrong type in custom resources: what the schema in their definition does not allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.guard import with_room
from engine.values.unchecked import a_map

from .defaults.crds import schema_of
from .defaults.rules import minor_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SINCE = 9
"""The minor release since which servers validate custom resources by their schema."""
INT_OR_STRING = "x-kubernetes-int-or-string"
NAMES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
HOLDS = {"number": ("number", "integer"), "integer,string": ("integer", "string")}
"""The types whose values also fit a type."""


def problems(content: dict[str, Any], definition: dict[str, Any], release: str | None) -> list[str]:
    """Every value that does not fit, in the API's words."""
    if minor_of(release) < SINCE:
        return []
    schema = schema_of(definition, content) or {}
    return with_room(lambda: list(_problems("", content, schema)))


def _problems(at: str, value: Any, schema: dict[str, Any]) -> Iterator[str]:
    if value is None:  # absent, allowed, or removed before validation
        return
    wanted = "integer,string" if schema.get(INT_OR_STRING) is True else schema.get("type")
    found = _type_of(value)
    if isinstance(wanted, str) and found not in HOLDS.get(wanted, (wanted,)):
        yield f'{at}: Invalid value: "{found}": {at} in body must be of type {wanted}: "{found}"'
    elif isinstance(value, dict):
        yield from _in_map(at, value, schema)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _problems(f"{at}[{index}]", item, a_map(schema.get("items")))


def _in_map(at: str, value: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    properties, others = a_map(schema.get("properties")), a_map(schema.get("additionalProperties"))
    for key, inner in value.items():
        known = properties.get(key, others)
        if known:
            yield from _problems(f"{at}.{key}" if at else key, inner, a_map(known))


def _type_of(value: Any) -> str:
    """A value's type as JSON schemas name it; a number without a fraction is an integer."""
    return "integer" if isinstance(value, float) and value.is_integer() else NAMES[type(value)]
