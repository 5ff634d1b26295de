"""Objects after decoding: Go types hold neither nulls nor most empty and zero values.

A quantity is printed in its canonical form. Fields unknown to the release are dropped. Fields of any type keep their
values.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from engine.serverside.typed.prune import has_empty_list
from engine.serverside.typed.zero_value_tables import nulls_of
from engine.values.guard import with_room
from engine.values.quantities import MILLI, NANO, BadQuantity, canonical

from ..errors import BadRequest
from . import always_printed, go_bytes, go_times, go_types, omitempty
from .quantities import is_held_as_stored
from .struct_fields import ONE_OR_SEVERAL, structs_of
from .type_errors import OBJECT_META, check_conversion, go_error, not_metadata
from .type_mismatch import READERS, Doubtful
from .type_search import TypeSearch, type_mismatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema
    from engine.tables.rules import Rule

    from ..protocol import Object, Resource
    from .schemas import Schemas
    from .struct_fields import Field

ZERO: dict[str | None, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "int-or-string": 0}
ROUNDED = "core_v1."
"""Types with resource lists, whose quantities a server rounds to thousandths."""


class Empties(Enum):
    """The empty lists and maps to keep."""

    STORED = "none"
    SENT = "lists that are null when they are absent"
    HELD = "all of one type"
    COMPARED = "all of one type, beside quantities that differ from the stored ones in Go's memory"


_ALL = (Empties.HELD, Empties.COMPARED)
KEPT_LISTS = frozenset(
    {
        ("HPAScalingRules", "policies"),
        ("ResourceSliceSpec", "devices"),
        ("ResourceSliceSpec", "sharedCounters"),
        ("EphemeralContainer", "ports"),
        ("EphemeralContainer", "resizePolicy"),
        ("EphemeralContainer", "restartPolicyRules"),
        ("PodStatus", "nodeAllocatableResourceClaimStatuses"),
        ("PodStatus", "resourceClaimStatuses"),
    }
)
"""Lists that get no default, are forbidden, exclude another one, or are not kept from before, even if an empty one was
sent.
"""
_LISTS_OF_OTHERS = ("ownerReferences", "finalizers", "managedFields")
FORBIDDEN_INSIDE = {
    ("ResourceClaimTemplateSpec", "metadata"): _LISTS_OF_OTHERS,
    ("PersistentVolumeClaimTemplate", "metadata"): _LISTS_OF_OTHERS,
    ("EphemeralContainer", "resources"): ("claims", "limits", "requests"),
    ("PodSpec", "resources"): ("claims",),
}
"""Structs, by owner and field, with their lists and maps that are forbidden, even empty ones."""
COPIED = (".DeviceCapacity", ".Counter")
"""Structs in maps. Go copies such a value before it prints its quantities."""
UNLIKE = " "
"""Added to a quantity that differs from the stored one in Go's memory. A conversion to another apiVersion drops it."""
WITHOUT_A_STRUCT = frozenset({("CustomResourceConversion", "webhook")})
"""Structs of an API version whose fields the hub version has in the owner. An empty one is not stored."""


def decode_object(content: Object, resource: Resource, kinds: Schemas, empties: Empties = Empties.STORED) -> Object:
    """Return the object as a server holds it. In a custom resource, only metadata has such types."""
    if resource.built_in:
        schema = kinds.schema(resource)
        return with_room(lambda: _Reader(schema, empties).struct(content, str(schema.type.rule.of)))
    schema = kinds.tables.definition(OBJECT_META)
    read = _Reader(schema, Empties.STORED).struct
    return {**content, "metadata": read(content["metadata"], str(schema.type.rule.of))}


def decode_and_check(content: Object, resource: Resource, kinds: Schemas, empties: Empties = Empties.STORED) -> Object:
    """Decode a built-in object whose types are not checked yet. Raise Doubtful if a value may have a wrong type.

    Decoding visits each value anyway, so this is faster than a check before it.
    """
    schema = kinds.schema(resource)
    search = TypeSearch(schema, literal=False)
    try:
        check_conversion(content, resource)
    except BadRequest:
        raise Doubtful from None
    return with_room(lambda: _Reader(schema, empties, search).struct(content, str(schema.type.rule.of)))


def as_stored(content: Object, resource: Resource, kinds: Schemas) -> Object:
    """Return the object as it is read from the store, where empty lists equal absent ones."""
    if not resource.built_in:
        return content
    rest, metadata = content, content["metadata"]
    if metadata.get("managedFields"):  # often half of the object, and its entries have no lists
        rest = {**content, "metadata": {**metadata, "managedFields": None}}
    return decode_object(content, resource, kinds) if has_empty_list(rest) else content


def metadata_reader(kinds: Schemas) -> Callable[[Any], Object]:
    """Return a decoder of metadata inside a custom resource. It raises BadRequest for metadata that no server can
    decode.
    """
    schema = kinds.tables.definition(OBJECT_META)
    owner = str(schema.type.rule.of)

    def read(value: Any) -> Object:
        if not isinstance(value, dict):
            raise BadRequest(not_metadata(value))
        wrong = type_mismatch(value, schema)
        if wrong is not None:
            raise BadRequest(go_error(wrong, schema))
        known = {key: inner for key, inner in value.items() if key in schema.types[owner].fields}
        return _Reader(schema, Empties.STORED).struct(known, owner)

    return read


PRINTED: dict[str | None, Callable[[Any], Any]] = {
    go_types.BYTES: go_bytes.printed,
    go_types.TIME: go_times.printed,
    go_types.MICRO_TIME: lambda value: go_times.printed(value, micro=True),
}
"""The printers of values with several notations, by Go type."""
for _go in tuple(PRINTED):
    PRINTED[f"map[string]{_go}"] = PRINTED[_go]


def _reprinted(value: Any, go: str | None) -> Any:
    """A value, or a map of values, as Go prints it."""
    reprint = PRINTED[go]
    return {key: reprint(inner) for key, inner in value.items()} if isinstance(value, dict) else reprint(value)


def _has_values(struct: Object) -> bool:
    return any(value is not None for value in struct.values())


class _Reader:
    """Decodes an object. With a search, it raises Doubtful for a value that may have a wrong type."""

    def __init__(self, schema: Schema, empties: Empties, search: TypeSearch | None = None) -> None:
        self.schema, self.empties, self._search = schema, empties, search
        self._structs = structs_of(schema)

    def struct(self, value: Object, owner: str) -> Object:
        """Decode a struct. It stays even if it becomes empty: an empty map may have a meaning."""
        struct = self._structs[owner]
        fields = struct.fields
        found: Object = {}
        for name, inner in value.items():
            field = fields.get(name)
            if field is None:
                continue
            if not inner and self._is_dropped(inner, field):
                if inner is not None:
                    self._check(inner, field)
                continue
            if field.is_plain:
                if type(inner) is not field.fits:
                    self._check(inner, field)
                found[name] = inner
                continue
            decoded = self._field(inner, field)
            if decoded is None and field.has_schemas:
                continue
            if field.key not in WITHOUT_A_STRUCT or _has_values(decoded):
                found[name] = decoded
        for name, zero in struct.always_printed:
            if name not in found:
                found[name] = self._printed_zero(zero, fields[name].rule)
        return found

    def _field(self, value: Any, field: Field) -> Any:
        """Decode the value of a field that may print differently."""
        if field.go in READERS or field.element_go in READERS:
            self._check(value, field)
        if field.go in PRINTED:
            return _reprinted(value, field.go)
        if field.is_special:
            if type(value) is not dict:
                self._check(value, field)
            return self._schemas(value, field) if field.has_schemas else {}
        decoded = self._value(value, field.rule, field, in_map=False)
        if self.empties is Empties.SENT and field.key in FORBIDDEN_INSIDE:
            names = [name for name in FORBIDDEN_INSIDE[field.key] if value.get(name) in ([], {})]
            return {**decoded, **{name: value[name] for name in names}}
        return decoded

    def _check(self, value: Any, field: Field) -> None:
        """Raise Doubtful for the value of a field, if types are checked and it has a wrong one."""
        if self._search is not None and self._search.in_field(value, field) is not None:
            raise Doubtful

    def _schemas(self, value: Any, field: Field) -> Any:
        """Decode the schemas in a schema: one, several, or a boolean. Go drops any other value of `items`."""
        if isinstance(value, list) and value:
            return [self.struct(one, field.owner) if isinstance(one, dict) else one for one in value]
        if isinstance(value, dict):
            return self.struct(value, field.owner)
        return None if field.key == ONE_OR_SEVERAL else value

    def _printed_zero(self, zero: Any, rule: Rule) -> Any:
        """The value of a field that is absent from the request, but printed."""
        if zero == {}:
            return self.struct({}, rule.of) if rule.of else {}  # None for a struct without fields
        return self._unsent() if zero == "0" and rule.of == "quantity" else zero

    def _unsent(self) -> str:
        """A quantity that was not sent. It has no format, unlike a stored 0."""
        return f"0{UNLIKE}" if self.empties is Empties.COMPARED else "0"

    def _is_dropped(self, value: Any, field: Field) -> bool:
        """Whether a null, empty or zero value of the field is dropped."""
        rule = field.rule
        if value is None:
            return True
        if rule.kind == "list":
            return not self._is_left(field)
        if rule.kind == "primitive":
            return omitempty.is_omitted(field.owner, field.key[1])
        is_map = rule.kind == "map" and rule.free_keys and rule.of is not None
        return is_map and self.empties not in _ALL

    def _is_left(self, field: Field) -> bool:
        """Whether an empty list stays."""
        if self.empties is not Empties.SENT:
            return self.empties in _ALL
        minor = always_printed.minor_of(self.schema.types)
        return field.key[1] in nulls_of(field.owner, minor) or field.key in KEPT_LISTS

    def _value(self, value: Any, rule: Rule, field: Field, *, in_map: bool) -> Any:
        """Decode a value in a field. Its type follows from the rule."""
        kind = type(value)
        if rule.kind == "primitive":
            if rule.of == "quantity":
                return self._quantity(value, field, in_map=in_map)
            if self._search is not None and not self._search.is_scalar(value, rule.of, field.element_go):
                raise Doubtful
            return value
        if kind is list and rule.kind == "list":
            inside = self.schema.inside(rule)[0]
            return [self._element(item, inside, field, in_map=in_map) for item in value]
        if kind is not dict or rule.kind != "map" or rule.of is None:
            if self._search is not None and (rule.kind == "list" or (rule.kind == "map" and rule.of is not None)):
                raise Doubtful
            return value
        if not rule.free_keys:
            return self.struct(value, str(rule.of))
        inside = self.schema.inside(rule)[0]
        return {key: self._element(item, inside, field, in_map=True) for key, item in value.items()}

    def _quantity(self, value: Any, field: Field, *, in_map: bool) -> Any:
        places = MILLI if field.rule.free_keys and field.owner.startswith(ROUNDED) else NANO
        try:
            stored = canonical(value, places)
        except BadQuantity:  # imported objects are not validated
            if self._search is not None:
                raise Doubtful from None
            return value
        printed = not in_map and not field.owner.endswith(COPIED)
        if self.empties is Empties.COMPARED and not is_held_as_stored(str(value), stored, printed=printed):
            return stored + UNLIKE
        return stored

    def _element(self, value: Any, rule: Rule, field: Field, *, in_map: bool) -> Any:
        """A value in a list or in a map with free keys: null is a zero there, not absent."""
        if value is None:
            return self._zero(rule)
        if type(value) is str and rule.of == "string" and rule.kind == "primitive":
            return value
        return self._value(value, rule, field, in_map=in_map)

    def _zero(self, rule: Rule) -> Any:
        if rule.kind == "primitive":
            return self._unsent() if rule.of == "quantity" else ZERO.get(rule.of)
        if rule.kind == "map" and rule.of is not None and not rule.free_keys:
            return self.struct({}, rule.of)
        return {"list": [], "map": {}}.get(rule.kind) if rule.of is not None else None
