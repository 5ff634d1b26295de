"""The fields of one side's types, each with its compared traits and the type of its contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.paths import join
from engine.tables.rules import SCALARS

from .aspects import Traits, traits

if TYPE_CHECKING:
    from engine import Rule, Schema


class ComparedField(NamedTuple):
    """One field of a type."""

    rule: Rule
    traits: Traits
    target: str | None
    """The type of the value, or of its elements or values."""
    step: str
    """The rest of the path to them, as in `Schema.walk`: `.*`, `[]` or, if they have fields, nothing."""


class Fields:
    """Reads the fields of the types that a schema refers to, each type once."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._known: dict[str, dict[str, ComparedField] | None] = {}

    def of(self, name: str) -> dict[str, ComparedField] | None:
        """The fields of a type by the step that leads to them; None for a type without fields."""
        if name not in self._known:
            type_ = self._schema.types[name]
            struct = self._schema.struct(type_.rule)
            fields = struct.fields.items() if struct else ()
            made = {join("/", field)[1:]: self.field(rule) for field, rule in fields}
            self._known[name] = made if struct else None
        return self._known[name]

    def itself(self, name: str) -> ComparedField:
        """A type as a whole, for an element of a list or a value of a map."""
        return self.field(self._schema.types[name].rule)

    def field(self, rule: Rule) -> ComparedField:
        """A field with this rule."""
        if rule.of is None or rule.of in SCALARS:
            return ComparedField(rule, traits(rule, rule.of), None, "")
        inner = self._schema.types[rule.of].rule
        has_fields = self._schema.struct(inner) is not None
        if rule.free_keys:
            return ComparedField(rule, traits(rule, "elements"), rule.of, ".*")
        if not has_fields:
            return ComparedField(rule, traits(rule, "elements"), rule.of, "[]")
        return ComparedField(rule, traits(rule, "fields"), rule.of, "")
