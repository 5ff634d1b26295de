"""The names of JSON values and of Go types in messages."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine import Schema
    from engine.tables.rules import Rule

GO_TYPES = {
    "string": "string",
    "integer": "int32",
    "number": "float64",
    "boolean": "bool",
    "int-or-string": "int32",
    "quantity": "resource.Quantity",
}
JSON_TYPES = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}


def go_type(rule: Rule, schema: Schema) -> str:
    """Return the Go type of a field, as far as the tables have it: `int32`, `[]v1.Container`, `map[string]string`."""
    if rule.kind == "list":
        return "[]" + go_type(schema.inside(rule)[0], schema)
    if rule.kind == "map" and rule.free_keys:
        return "map[string]" + go_type(schema.inside(rule)[0], schema)
    if rule.kind == "map":
        module, _, name = str(rule.of).rpartition(".")
        return f"{module.rpartition('_')[2]}.{name}"
    return GO_TYPES.get(str(rule.of), "interface {}")
