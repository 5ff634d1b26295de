"""The search for a value of a wrong type. Wheels contain it compiled, because each write needs it."""

from __future__ import annotations

from engine.values.guard import with_room

from ..eras import minor_of
from . import go_types
from .go_types import BYTES, RANGES
from .struct_fields import ONE_OR_SEVERAL, fitting_type, structs_of
from .type_mismatch import READERS, SCHEMA_OR_BOOL, FreeKey, TypeMismatch, problem_of_quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from engine import Schema
    from engine.paths import Steps
    from engine.tables.rules import Rule

    from ..protocol import Object
    from .struct_fields import Field

SCALARS: dict[str | None, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
    "int-or-string": frozenset({int, str}),
    "quantity": frozenset(),
}
WHOLE = frozenset({"integer", "int-or-string"})


NAMES_EMBEDDED_SINCE = 35
"""The first minor release whose decoder names embedded structs in paths."""


def type_mismatch(content: Object, schema: Schema, at: Steps = (), *, literal: bool = False) -> TypeMismatch | None:
    """Return the type error that a server reports, or None.

    It is the first one in the order of the object, but one at which Go stops decoding takes precedence. `literal` is
    for JSON that is decoded without changes: no integer has a fraction. Clients that read YAML drop a fraction of zero.
    """
    return TypeSearch(schema, literal=literal).mismatch(content, at)


class TypeSearch:
    """The search for a type error in an object. Its path is built from the innermost step outward."""

    def __init__(self, schema: Schema, *, literal: bool) -> None:
        self.schema, self.literal = schema, literal
        self._structs = structs_of(schema)
        self.names_embedded = minor_of(schema.release) >= NAMES_EMBEDDED_SINCE
        self.has_unknown = False
        """Whether the object has a field that the schema lacks. Only reliable if there is no type error."""

    def mismatch(self, content: Object, at: Steps) -> TypeMismatch | None:
        """Return the type error of an object. `at` is the path of the object."""
        whole = self.schema.type
        found = with_room(lambda: self.value(content, whole.rule, whole.name, ""))
        return found and found.placed(at)

    def value(self, value: Any, rule: Rule, owner: str, go: str) -> TypeMismatch | None:
        """Return the first type error in a value. `go` is its Go type, if that does not follow from the rule."""
        kind = rule.kind
        if kind == "primitive":
            if go == BYTES and isinstance(value, list):
                return self._numbers(value, rule, owner)
            return None if self.is_scalar(value, rule.of, go) else TypeMismatch((), value, rule, owner, go)
        if kind == "any" or (kind == "map" and rule.of is None):
            return None
        if kind == "list" and isinstance(value, list):
            return self._elements(enumerate(value), rule, owner, go)
        if kind == "list" or not isinstance(value, dict):
            return TypeMismatch((), value, rule, owner, go)
        if rule.free_keys:
            return self._elements(value.items(), rule, owner, go)
        return self._fields(value, str(rule.of))

    def _fields(self, value: Object, owner: str) -> TypeMismatch | None:
        fields = self._structs[owner].fields
        first: TypeMismatch | None = None
        for field, inner in value.items():
            known = fields.get(field)
            if known is None:
                self.has_unknown = True
                continue
            if inner is None or type(inner) is known.fits:
                continue
            if known.rule.kind == "primitive" and self.is_scalar(inner, known.rule.of, known.go):
                continue
            found = self.in_field(inner, known)
            if found is not None and (found.stops or first is None):
                embedded = go_types.embedded_in(owner).get(field, ()) if self.names_embedded else ()
                first = found.inside(field, *embedded)
                if found.stops:
                    break
        return first

    def in_field(self, value: Any, field: Field) -> TypeMismatch | None:
        """Return the first type error in the value of a field, without the step of the field."""
        if not field.is_special:
            return self.value(value, field.rule, field.owner, field.go)
        return self._schemas(value, field) if field.has_schemas else self._fieldless(value, field)

    def _schemas(self, value: Any, field: Field) -> TypeMismatch | None:
        """Return the first type error in the schemas of a schema. Go drops their unknown fields without a warning."""
        if isinstance(value, dict):
            return self._fields(value, field.owner)
        if field.key != ONE_OR_SEVERAL:
            return None if isinstance(value, bool) else TypeMismatch((), value, field.rule, field.owner, SCHEMA_OR_BOOL)
        for index, one in enumerate(value if isinstance(value, list) else ()):
            found = self._fields(one, field.owner) if isinstance(one, dict) else None
            if found is not None:
                return found.inside(index)
        return None

    def _fieldless(self, value: Any, field: Field) -> TypeMismatch | None:
        if isinstance(value, dict):
            self.has_unknown = self.has_unknown or bool(value)
            return None
        version = field.owner.partition(".")[0].rpartition("_")[2]
        return TypeMismatch((), value, field.rule, field.owner, f"{version}.CustomResourceSubresourceStatus")

    def _elements(self, values: Iterable[tuple[Any, Any]], rule: Rule, owner: str, go: str) -> TypeMismatch | None:
        inside, go = self.schema.inside(rule)[0], go_types.element(go)
        fits = fitting_type(inside, go)
        first: TypeMismatch | None = None
        for step, inner in values:
            if inner is None or type(inner) is fits:
                continue
            found = self.value(inner, inside, owner, go)
            if found is not None and (found.stops or first is None):
                first = found.inside(FreeKey(step) if isinstance(step, str) else step)
                if found.stops:
                    break
        return first

    def _numbers(self, value: list[Any], rule: Rule, owner: str) -> TypeMismatch | None:
        """The first element that is not a byte. Go also decodes bytes from a list of numbers."""
        least, end = RANGES["uint8"]
        for index, inner in enumerate(value):
            if inner is not None and not (type(inner) is int and least <= inner < end):
                return TypeMismatch((), inner, rule, owner, "uint8").inside(index)
        return None

    def is_scalar(self, value: Any, of: str | None, go: str) -> bool:
        """Whether a field of this type can hold the value: a number in its range, a time, base64."""
        if of is None:
            return True
        if of == "quantity":
            return not problem_of_quantity(value)
        kind = type(value)
        if kind not in SCALARS[of] and (self.literal or kind is not float or of not in WHOLE or value % 1):
            return False
        if kind is str:
            return not (go in READERS and READERS[go](value))
        if of in WHOLE and kind is not bool:
            least, end = RANGES.get(go) or RANGES["int32"]
            return bool(least <= value < end)
        return True
