"""Type errors, which an API server detects while decoding, before any other check.

A server decodes an object to Go types, and returns the first value that does not fit. The tables have the type of each
field. Fields unknown to the release, and fields without a fixed type, may hold anything. Null counts
as absent.
"""

from __future__ import annotations

from functools import partial

from engine.paths import render
from engine.values.go_json import encode

from ..eras import minor_of
from ..errors import BadRequest
from ..request_options import SentTypes
from ..text.go_text import parsed_int
from ..unchecked import as_map
from .go_kinds import GO_TYPES, JSON_TYPES, go_type
from .go_types import BYTES, MICRO_TIME, RANGES, TIME
from .type_mismatch import READERS, SCHEMA_OR_BOOL, FreeKey, problem_of_quantity
from .type_search import TypeSearch, type_mismatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from engine import Schema
    from engine.paths import Steps

    from ..protocol import Object, Resource
    from .schemas import Schemas
    from .type_mismatch import TypeMismatch

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


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
    check_conversion(content, resource)


GENERATION = "deprecated.daemonset.template.generation"
"""The annotation with a DaemonSet's template generation, which a server keeps in the spec."""


def check_conversion(content: Object, resource: Resource) -> None:
    """Raise BadRequest for a DaemonSet that a server cannot convert to its internal type."""
    if resource.kind != "DaemonSet" or resource.group != "apps":
        return
    text = as_map(as_map(content.get("metadata")).get("annotations")).get(GENERATION)
    found = 0 if text is None else parsed_int(text)
    if isinstance(found, str):
        raise BadRequest(f"{read_as(resource)}: {found}", advice=f"look at metadata.annotations[{GENERATION}]")


def check_sent(
    content: Object, resource: Resource, schema: Schema, body: Callable[[], str], read: Callable[[], Any]
) -> SentTypes:
    """Raise BadRequest for the first type error of a built-in object. `body` returns its JSON.

    `read` parses the JSON again, with numbers as text. The result saves later steps a second check.
    """
    search = TypeSearch(schema, literal=True)
    found = search.mismatch(content, ())
    if found is None:
        check_conversion(content, resource)
        return SentTypes.FIT if search.has_unknown else SentTypes.KNOWN
    digits: Any = None
    if type(found.value) in (int, float):
        digits = read()
        for step in found.at:
            digits = digits[step]
    why = decoding_error(found, schema, resource, body, digits)
    raise BadRequest(f"{read_as(resource)}: {why}", advice=f"look at {render(found.at)}")


def check_custom(content: Object, resource: Resource) -> None:
    """Raise BadRequest for a custom resource whose metadata is not a map."""
    metadata = content.get("metadata")
    if not (metadata is None or isinstance(metadata, dict)):
        raise BadRequest(f"{read_as(resource)}: {not_metadata(metadata)}", advice="look at metadata")


def not_metadata(value: Any) -> str:
    """Return Go's error for the metadata of a custom resource that is not a map."""
    return f"json: cannot unmarshal {JSON_TYPES[type(value)]} into Go value of type v1.ObjectMeta"


def read_as(resource: Resource) -> str:
    """Return the beginning of a server's decoding error."""
    return f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}'


def unreadable(
    content: Object, resource: Resource, kinds: Schemas, text: Callable[[], str] | None = None
) -> tuple[str, str]:
    """Return the error for an object that cannot be decoded from JSON, and a hint. Empty if it can.

    Custom resources only have types in their metadata. `text` returns the JSON, if it is not that of the object.
    """
    found, schema = _mismatch_in(content, resource, kinds)
    if found is None:
        return "", ""
    why = decoding_error(found, schema, resource, text or partial(encode, content))
    return why, f"look at {render(found.at)}"


class NotConverted(Exception):
    """A value that has no place in a Go type. `why` is Go's error, `advice` a hint."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(why)
        self.why, self.advice = why, advice


def converted(content: Object, resource: Resource, kinds: Schemas) -> Object:
    """Return an object as Go converts it from maps and lists to its types, or raise NotConverted.

    Strategic merge patches and server-side applies end with such a conversion. Integers that are too large overflow
    without an error.
    """
    if not resource.built_in:
        return content
    schema = kinds.schema(resource)
    while True:
        found = type_mismatch(content, schema)
        if found is None:
            return content
        if found.rule.of != "integer" or type(found.value) not in (int, float) or found.value % 1:
            raise NotConverted(go_conversion_error(found, schema), f"look at {render(found.at)}")
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
    found = type_mismatch(content.get("metadata") or {}, schema)
    return found and found.below("metadata"), schema


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
        return problem_of_quantity(found.value)
    if found.go == SCHEMA_OR_BOOL:
        return "boolean or JSON schema expected"
    go_name = found.go.partition("=")[0].replace("_", " ") or go_type(found.rule, schema)
    if isinstance(found.value, str) and found.go in READERS:
        return READERS[found.go](found.value)
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
    """Return the error for a value that Go converts from maps and lists. Types with own decoders get it as JSON."""
    rule, value = found.rule, found.value
    given = GO_KINDS[type(value)]
    if isinstance(value, str) and found.go in READERS:
        why = READERS[found.go](value)
        return f"error decoding from json: {why}" if found.go == BYTES else why
    if found.go in (TIME, MICRO_TIME):
        return f"json: cannot unmarshal {JSON_TYPES[type(value)]} into Go value of type string"
    if rule.of == "int-or-string":
        json_type = JSON_TYPES[type(value)]
        number = f" {_digits(value)}" if json_type == "number" else ""
        return f"json: cannot unmarshal {json_type}{number} into Go value of type int32"
    if rule.kind == "list" or found.go == BYTES:
        return f"cannot restore slice from {given}"
    if rule.kind == "map":
        return f"cannot restore map from {given}" if rule.free_keys else f"cannot restore struct from: {given}"
    if rule.of == "quantity":
        return go_error(found, schema)
    kind = found.go if found.go in RANGES else GO_TYPES[str(rule.of)]
    if rule.of in _CONVERTED.get(type(value), ()):
        return f"cannot convert {given} to {found.go or kind}"
    return f"unrecognized type: {kind}"
