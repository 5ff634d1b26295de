"""Type errors, which an API server detects while decoding, before any other check.

A server decodes an object to Go types, and returns the first value that does not fit. The tables have the type of each
field. Fields unknown to the release, and fields without a fixed type, may hold anything. Null counts
as absent.
"""

from __future__ import annotations

from functools import partial

from engine.paths import render
from engine.values.go_json import encode
from engine.values.guard import with_room
from engine.values.immutable import Immutable

from ..eras import minor_of
from ..errors import BadRequest
from ..request_options import SentTypes
from . import go_bytes, go_types
from .go_kinds import GO_TYPES, JSON_TYPES, go_type
from .go_times import problem
from .go_types import BYTES, MICRO_TIME, RANGES, TIME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from engine import Schema
    from engine.paths import Steps
    from engine.tables.rules import Rule

    from ..protocol import Object, Resource
    from .schemas import Schemas

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_OWN_DECODERS = frozenset({"quantity", "int-or-string"})
"""Types that decode their JSON themselves. Go stops at their first error."""
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


class FreeKey(str):
    """A path step for a key of a map with free keys. Go's messages omit it."""

    __slots__ = ()


class TypeMismatch(Immutable):
    """A value of the wrong type for its field. `owner` is the type that has the field, and `go` the value's Go type."""

    __slots__ = ("at", "value", "rule", "owner", "go", "steps")  # noqa: RUF023 - the order in which they are filled
    at: Steps
    value: Any
    rule: Rule
    owner: str
    go: str
    steps: Steps
    """The path with the names of embedded structs, as Go prints it."""

    def __init__(self, at: Steps, value: Any, rule: Rule, owner: str, go: str = "", steps: Steps = ()) -> None:
        self._fill(at, value, rule, owner, go, steps)

    def inside(self, step: str | int, *embedded: str) -> TypeMismatch:
        """Return the error with a step before its path. Paths are built from the innermost step outward."""
        steps = (*self.steps, step, *reversed(embedded))
        return TypeMismatch((*self.at, step), self.value, self.rule, self.owner, self.go, steps)

    @property
    def stops(self) -> bool:
        """Whether Go stops decoding here, because a type with its own JSON decoder failed. Other errors are
        collected.
        """
        return self.rule.kind == "primitive" and (self.rule.of in _OWN_DECODERS or self.go in (TIME, MICRO_TIME))

    def placed(self, at: Steps) -> TypeMismatch:
        """Return the error with the complete path of an object inside another one."""
        whole, steps = (*at, *reversed(self.at)), (*at, *reversed(self.steps))
        return TypeMismatch(whole, self.value, self.rule, self.owner, self.go, steps)


class Unreadable(BadRequest):
    """An object that cannot be decoded. `mismatch` is the type error."""

    def __init__(self, content: Object, resource: Resource, mismatch: TypeMismatch, schema: Schema) -> None:
        self.mismatch, self.why = mismatch, decoding_error(mismatch, schema, resource, partial(encode, content))
        super().__init__(f"{read_as(resource)}: {self.why}", advice=f"look at {render(mismatch.at)}")


def check(content: Object, resource: Resource, kinds: Schemas) -> None:
    """Raise Unreadable for the first type error."""
    found, schema = _mismatch_in(content, resource, kinds)
    if found is not None:
        raise Unreadable(content, resource, found, schema)


def check_sent(
    content: Object, resource: Resource, schema: Schema, body: Callable[[], str], read: Callable[[], Any]
) -> SentTypes:
    """Raise BadRequest for the first type error of a built-in object. `body` returns its JSON.

    `read` parses the JSON again, with numbers as text. The result saves later steps a second check.
    """
    search = _Search(schema, literal=True)
    found = search.mismatch(content, ())
    if found is None:
        return SentTypes.FIT if search.has_unknown else SentTypes.KNOWN
    digits: Any = None
    if type(found.value) in (int, float):
        digits = read()
        for step in found.at:
            digits = digits[step]
    why = decoding_error(found, schema, resource, body, digits)
    raise BadRequest(f"{read_as(resource)}: {why}", advice=f"look at {render(found.at)}")


def read_as(resource: Resource) -> str:
    """Return the beginning of a server's decoding error."""
    return f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}'


def unreadable(
    content: Object,
    resource: Resource,
    kinds: Schemas,
    *,
    strategic: bool = False,
    text: Callable[[], str] | None = None,
) -> tuple[str, str]:
    """Return the error for an object that cannot be decoded, and a hint. Empty if it can.

    Custom resources only have types in their metadata. The result of a strategic patch is not decoded from JSON. `text`
    returns the JSON, if it is not that of the object.
    """
    found, schema = _mismatch_in(content, resource, kinds)
    if found is None:
        return "", ""
    if strategic:
        why = go_conversion_error(found, schema)
    else:
        why = decoding_error(found, schema, resource, text or partial(encode, content))
    return why, f"look at {render(found.at)}"


class NotConverted(Exception):
    """A value that has no place in a Go type. `why` is Go's error, `advice` a hint."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(why)
        self.why, self.advice = why, advice


def converted(content: Object, resource: Resource, kinds: Schemas) -> Object:
    """Return the merged object of a server-side apply as Go types hold it, or raise NotConverted.

    The merge has checked the simple types. Integers that are too large overflow without an error, as in Go.
    """
    if not resource.built_in:
        return content
    schema = kinds.schema(resource)
    while True:
        found = type_mismatch(content, schema)
        if found is None:
            return content
        if type(found.value) not in (int, float) or found.rule.of != "integer" or found.value % 1:
            raise NotConverted(go_apply_error(found, schema), f"look at {render(found.at)}")
        content = _with_overflow(content, found.at, *RANGES.get(found.go, RANGES["int32"]))


def _with_overflow(value: Any, at: Steps, least: int, end: int) -> Any:
    """The value with the number at a path wrapped around into a range, as Go converts integers."""
    if not at:
        return (int(value) - least) % (end - least) + least
    copy: Any = [*value] if isinstance(value, list) else {**value}
    copy[at[0]] = _with_overflow(value[at[0]], at[1:], least, end)
    return copy


def _mismatch_in(content: Object, resource: Resource, kinds: Schemas) -> tuple[TypeMismatch | None, Schema]:
    """The type error that a server reports, and the schema."""
    if resource.built_in:
        schema = kinds.schema(resource)
        return type_mismatch(content, schema), schema
    schema = kinds.tables.definition(OBJECT_META)
    return type_mismatch(content["metadata"], schema, ("metadata",)), schema


def type_mismatch(content: Object, schema: Schema, at: Steps = (), *, literal: bool = False) -> TypeMismatch | None:
    """Return the type error that a server reports, or None.

    It is the first one in the order of the object, but one at which Go stops decoding takes precedence. `literal` is
    for JSON that is decoded without changes: no integer has a fraction. Clients that read YAML drop a fraction of zero.
    """
    return _Search(schema, literal=literal).mismatch(content, at)


class _Search:
    """The search for a type error. Its path is built from the innermost step outward."""

    def __init__(self, schema: Schema, *, literal: bool) -> None:
        self.schema, self.literal = schema, literal
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
            return None if self._is_scalar(value, rule.of, go) else TypeMismatch((), value, rule, owner, go)
        if kind == "any" or (kind == "map" and rule.of is None):
            return None
        if kind == "list" and isinstance(value, list):
            return self._elements(enumerate(value), rule, owner, go)
        if kind == "list" or not isinstance(value, dict):
            return TypeMismatch((), value, rule, owner, go)
        if rule.free_keys:
            return self._elements(((FreeKey(key), inner) for key, inner in value.items()), rule, owner, go)
        return self._fields(value, str(rule.of))

    def _fields(self, value: Object, owner: str) -> TypeMismatch | None:
        fields, types = self.schema.types[owner].fields, go_types.types_of(owner)
        first: TypeMismatch | None = None
        for field, inner in value.items():
            rule = fields.get(field)
            if rule is None:
                self.has_unknown = True
                continue
            if inner is None:
                continue
            go = types.get(field, "")
            if rule.kind == "primitive" and self._is_scalar(inner, rule.of, go):
                continue
            found = self.value(inner, rule, owner, go)
            if found is not None and (found.stops or first is None):
                embedded = go_types.embedded_in(owner).get(field, ()) if self.names_embedded else ()
                first = found.inside(field, *embedded)
                if found.stops:
                    break
        return first

    def _elements(self, values: Iterable[tuple[Any, Any]], rule: Rule, owner: str, go: str) -> TypeMismatch | None:
        inside, go = self.schema.inside(rule)[0], go_types.element(go)
        first: TypeMismatch | None = None
        for step, inner in values:
            found = None if inner is None else self.value(inner, inside, owner, go)
            if found is not None and (found.stops or first is None):
                first = found.inside(step)
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

    def _is_scalar(self, value: Any, of: str | None, go: str) -> bool:
        """Whether a field of this type can hold the value: a number in its range, a time, base64."""
        if of is None:
            return True
        if of == "quantity":
            return not _problem_of_quantity(value)
        kind = type(value)
        if kind not in SCALARS[of] and (self.literal or kind is not float or of not in WHOLE or value % 1):
            return False
        if kind is str:
            return not (go in _READERS and _READERS[go](value))
        if of in WHOLE and kind is not bool:
            least, end = RANGES.get(go) or RANGES["int32"]
            return bool(least <= value < end)
        return True


_READERS: dict[str, Callable[[str], str]] = {
    TIME: problem,
    MICRO_TIME: lambda text: problem(text, micro=True),
    BYTES: go_bytes.problem,
}
"""Parsers of the texts of Go types. They return the error."""


def _problem_of_quantity(value: Any) -> str:
    from engine.values import quantities  # late, because decimals are slow to import

    return quantities.problem(value)


# ---- Go's error messages ---------------------------------------------------------------------------------------------

OLD_DECODER_UNTIL = 22
"""The last minor release with the old decoder, whose messages differ."""
SECRET = ("", "Secret")


def is_secret(resource: Resource) -> bool:
    return (resource.group, resource.kind) == SECRET


def decoding_error(
    found: TypeMismatch, schema: Schema, resource: Resource, data: Callable[[], str], digits: str | None = None
) -> str:
    """Return the error of the release's decoder for an object with a value of a wrong type. `data` is its JSON."""
    if resource.built_in and minor_of(schema.release) <= OLD_DECODER_UNTIL:
        from .old_decoder import old_decoding_error  # most releases do not need it

        why = old_decoding_error(data().encode(), schema, hidden=is_secret(resource))
        if why:
            return why
    return go_error(found, schema, digits)


def go_error(found: TypeMismatch, schema: Schema, digits: str | None = None) -> str:
    """Return Go's error for the value. It contains neither keys of a map nor list indexes.

    `digits` is the number as it is written in the JSON.
    """
    if found.rule.of == "quantity" and found.rule.kind == "primitive":
        return _problem_of_quantity(found.value)
    go_name = found.go.partition("=")[0].replace("_", " ") or go_type(found.rule, schema)
    if isinstance(found.value, str) and found.go in _READERS:
        return _READERS[found.go](found.value)
    fields = ".".join(step for step in found.steps if isinstance(step, str) and not isinstance(step, FreeKey))
    json_type = JSON_TYPES[type(found.value)]
    if json_type == "number" and go_name in RANGES:
        json_type = f"number {digits or _digits(found.value)}"
    if go_name in (TIME, MICRO_TIME):
        go_name = "string"
    owner = found.owner.rpartition(".")[2]
    return f"json: cannot unmarshal {json_type} into Go struct field {owner}.{fields} of type {go_name}"


def _digits(value: float) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


GO_KINDS: dict[type, str] = {dict: "map", list: "slice", str: "string", bool: "bool", int: "int64", float: "float64"}
_CONVERTED = {int: ("string",), float: ("integer",)}
"""Numbers that Go could convert, but a server does not."""


def go_conversion_error(found: TypeMismatch, schema: Schema) -> str:
    """Return the error for a value that Go converts from maps and slices, and does not decode from JSON."""
    rule, given = found.rule, GO_KINDS[type(found.value)]
    if rule.kind == "primitive" and rule.of not in ("quantity", "int-or-string"):
        go_name = GO_TYPES[str(rule.of)]
        if rule.of in _CONVERTED.get(type(found.value), ()):
            return f"cannot convert {given} to {go_name}"
        return f"unrecognized type: {go_name}"
    if rule.kind == "list":
        return f"cannot restore slice from {given}"
    if rule.kind == "map":
        return f"cannot restore map from {given}" if rule.free_keys else f"cannot restore struct from: {given}"
    return go_error(found, schema)


def go_apply_error(found: TypeMismatch, schema: Schema) -> str:
    """Return the error for a value in the result of a server-side apply. Types with own decoders get it as JSON."""
    if isinstance(found.value, str) and found.go in _READERS:
        why = _READERS[found.go](found.value)
        return f"error decoding from json: {why}" if found.go == BYTES else why
    if found.rule.of == "int-or-string":
        return f"json: cannot unmarshal {JSON_TYPES[type(found.value)]} into Go value of type int32"
    return go_conversion_error(found, schema)
