"""The fields of structs as decoding needs them, collected once for each release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import go_types
from .always_printed import always_printed_fields, minor_of
from .type_mismatch import READERS

if TYPE_CHECKING:
    from typing import Any

    from engine import Schema
    from engine.tables.rules import Rule
    from engine.tables.types import Types

FIELDLESS = ("CustomResourceSubresources", "status")
"""A struct without fields, which is any map in the tables."""
ONE_OR_SEVERAL, ONE_OR_BOOLEAN = ("JSONSchemaProps", "items"), ("JSONSchemaProps", "additionalProperties")
SCHEMAS = frozenset({ONE_OR_SEVERAL, ONE_OR_BOOLEAN, ("JSONSchemaProps", "additionalItems")})
"""Fields with schemas. Go decodes them specially, and the tables allow any type."""
_TYPES = {"string": str, "int-or-string": str, "boolean": bool}


def fitting_type(rule: Rule, go: str) -> type | None:
    """Return a Python type whose values all fit a field and need no check. `go` is the Go type of the field."""
    return None if rule.kind != "primitive" or go in READERS else _TYPES.get(str(rule.of))


class Field:
    """A field of a struct."""

    __slots__ = ("element_go", "fits", "go", "has_schemas", "is_plain", "is_special", "key", "owner", "rule")

    def __init__(self, owner: str, name: str, rule: Rule, go: str) -> None:
        self.owner, self.rule, self.go = owner, rule, go
        self.key = owner.rpartition(".")[2], name
        """The name of the struct without its group and version, and the name of the field."""
        self.has_schemas = self.key in SCHEMAS
        """Whether the values are schemas, which are structs of the same type as the owner."""
        self.is_special = self.has_schemas or self.key == FIELDLESS
        """Whether the tables do not describe the values."""
        self.fits = fitting_type(rule, go)
        self.is_plain = rule.kind == "primitive" and rule.of != "quantity" and go not in READERS
        """Whether decoding does not change the value."""
        self.element_go = go_types.element(go)
        """The Go type of the elements of a list or map, if it does not follow from OpenAPI."""


class Struct:
    """A struct in one release."""

    __slots__ = ("always_printed", "fields")

    def __init__(self, owner: str, types: Types) -> None:
        go = go_types.types_of(owner)
        self.fields = {name: Field(owner, name, rule, go.get(name, "")) for name, rule in types[owner].fields.items()}
        self.always_printed: list[tuple[str, Any]] = [
            one for one in always_printed_fields(owner, minor_of(types)) if one[0] in self.fields
        ]
        """The fields that are printed even if they are absent, with their zeros."""


class _Structs(dict[str, Struct]):
    """The structs of one release by name, collected on first use."""

    def __init__(self, types: Types) -> None:
        super().__init__()
        self._types = types

    def __missing__(self, owner: str) -> Struct:
        found = self[owner] = Struct(owner, self._types)
        return found


def structs_of(schema: Schema) -> dict[str, Struct]:
    """Return the structs of a schema's release, by name."""
    return schema.types.once(_Structs, _Structs, schema.types)
