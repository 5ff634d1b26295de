"""Patches of MutatingAdmissionPolicies: apply configurations and JSON patches."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engine.serverside.fields.path_elements import field_element, format_path
from engine.serverside.typed.items import InvalidListItem, path_element_of
from engine.serverside.typed.merge import merge
from engine.serverside.typed.schema import List, Map, atom_of
from engine.serverside.typed.validate import WrongType
from engine.serverside.typed.validate import validate as check_typed

from ..cel.language.tree import Uint
from ..cel.values import Struct
from ..decoding import type_errors, unknown_fields
from ..errors import InternalError
from ..managed_fields import split_managed_fields, type_problems, with_managed_fields
from .json_patch import TestFailed, apply_operations
from .values import PatchError, check_names, check_size, plain_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema
    from engine.serverside.typed.schema import Atom

    from ..protocol import Object, Resource
    from ..resources import Kinds


OF_OTHER_GROUPS = frozenset({"Scale", "Eviction", "TokenRequest"})
"""Kinds of subresources that the OpenAPI document of their group lacks."""


UNTYPED = "failed to convert patch object to typed object"


def apply_configuration(content: Object, value: Any, schema: Schema | None) -> Object:
    """Return the object after an apply configuration. Raise PatchError."""
    check_size(value)
    check_names(value)
    if "/" in content["apiVersion"] and content["kind"] in OF_OTHER_GROUPS:
        why = f"no corresponding type for {content['apiVersion']}, Kind={content['kind']}"
        raise PatchError(f"error applying patch: {UNTYPED}: {why}")
    kind = {"apiVersion": content["apiVersion"], "kind": content["kind"]}
    atom = atom_of(schema)
    try:
        for problem in _unsigned(plain_value(value, unsigned=True), atom, ()):
            raise PatchError(f"{UNTYPED}: {problem}")
        return _merged(content, {**plain_value(value), **kind}, atom)
    except PatchError as error:
        raise PatchError(f"error applying patch: {error}") from None


def _merged(content: Object, patch: Object, atom: Atom) -> Object:
    try:
        check_typed(patch, atom, duplicates=False)
    except WrongType as error:
        raise PatchError(f"{UNTYPED}: {type_problems(error)}") from None
    nulls = list(_nulls(patch, atom, ""))
    if nulls:
        raise PatchError(f"{UNTYPED}: {nulls[0]}")
    atomic = list(_atomic(patch, atom, ""))
    if atomic:
        why = f"may not mutate atomic arrays, maps or structs: {', '.join(atomic)}"
        raise PatchError(f"invalid ApplyConfiguration: {why}")
    merged: Object = merge(content, patch, atom)
    return merged


def _unsigned(value: Any, atom: Atom | None, place: tuple[str, ...]) -> Iterator[str]:
    """The type errors of unsigned integers, which no field accepts."""
    if atom is None:
        return
    part = atom.parts[int if type(value) is Uint else type(value)]
    if type(value) is Uint:
        word = getattr(part, "word", "map")
        if word.startswith("numeric"):
            found = "uint64"
        else:
            found = f"&value.valueUnstructured{{Value:{value:#x}}}" if word == "string" else f"&{{{value}}}"
            word = word if word in ("string", "boolean") else "map"
        yield f"{format_path(place)}: expected {word}, got {found}"
    elif isinstance(value, dict) and isinstance(part, Map):
        for key, one in value.items():
            yield from _unsigned(one, part.atom(key), (*place, field_element(key)))
    elif isinstance(value, list) and isinstance(part, List):
        for at, one in enumerate(value):
            with suppress(InvalidListItem):
                element = f"i:{at}" if part.atomic else path_element_of(one, part)
                yield from _unsigned(one, part.element, (*place, element))


def _nulls(value: Any, atom: Atom, path: str) -> Iterator[str]:
    """The type errors of nulls, which have a type of their own in expressions."""
    part = atom.parts[type(value)]
    if value is None:
        if isinstance(part, (Map, List)):
            yield f"{path}: expected {'map' if isinstance(part, Map) else 'list'}, got &{{NULL_VALUE}}"
        else:
            yield f"{path}: expected {part.word}, got &value.valueUnstructured{{Value:0}}"
    elif isinstance(value, dict) and isinstance(part, Map):
        for key, one in value.items():
            inner = part.atom(key)
            if inner is not None:
                yield from _nulls(one, inner, f"{path}.{key}")


def _atomic(value: Any, atom: Atom, path: str) -> Iterator[str]:
    """The paths of atomic values in a patch."""
    part = atom.parts[type(value)]
    if isinstance(value, dict) and isinstance(part, Map):
        if part.atomic:
            yield path
        for key in sorted(value):
            inner = part.atom(key) if key in part.names else None
            if inner is not None:
                yield from _atomic(value[key], inner, f"{path}.{key}")
    elif isinstance(value, list) and isinstance(part, List):
        if part.atomic:
            yield path
        for place, one in enumerate(value):
            yield from _atomic(one, part.element, f"{path}[{place}]")


def json_patch(content: Object, value: list[Any]) -> Object:
    """Return the object after a JSON patch. Raise PatchError. If a test operation fails, the object is unchanged."""
    check_size(value)
    operations = [_operation(one) for one in value]
    try:
        found: Object = apply_operations(content, operations)
    except TestFailed:
        return content
    except PatchError as error:
        raise PatchError(f"JSON Patch: {error}") from None
    return found


def _operation(value: Struct) -> dict[str, Any]:
    fields = value.fields
    found = {"op": fields.get("op", ""), "path": fields.get("path", "")}
    if fields.get("from"):
        found["from"] = fields["from"]
    if "value" in fields:
        if isinstance(fields["value"], Struct):
            check_names(fields["value"])
        found["value"] = plain_value(fields["value"], as_json=True)
    return found


def check_form(content: Any, resource: Resource, kinds: Kinds, *, strict: bool = True) -> None:
    """Raise InternalError for an object that the server cannot decode. `strict`: also for unknown fields."""
    if not isinstance(content, dict):
        raise InternalError("json: cannot unmarshal array into Go value of type struct")
    bare, _ = split_managed_fields(content)
    why, _ = type_errors.unreadable(bare, resource, kinds)
    if why:
        raise InternalError(why)
    unknown = unknown_fields.unknown_fields(bare, resource, kinds) if resource.built_in and strict else []
    if unknown:
        said = ", ".join(map(unknown_fields.unknown_field_error, unknown))
        raise InternalError(f"strict decoding error: {said}")


def as_converted(content: Object, resource: Resource, kinds: Kinds) -> Object:
    """Return an object as Go types hold it. Raise PatchError for a value that does not fit into its field."""
    bare, entries = split_managed_fields(content)
    try:
        return with_managed_fields(type_errors.converted(bare, resource, kinds), entries)
    except type_errors.NotConverted as error:
        version = f"{resource.group}/{resource.version}"
        raise PatchError(f"unable to convert unstructured object to {version}, Kind={resource.kind}: {error}") from None


def printed_status(resource: Resource, kinds: Kinds) -> Object | None:
    """Return the status that Go prints for a new object without one. None if it prints none."""
    from ..decoding.decoder import decode_object

    empty = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": {}}
    found: Object | None = decode_object(empty, resource, kinds).get("status")
    return found


def as_admitted(content: Object, resource: Resource, kinds: Kinds) -> Object:
    """Return a patched object after decoding and defaulting."""
    from ..decoding.decoder import Empties, decode_object, metadata_reader
    from ..defaulting.fill import apply_defaults

    bare, entries = split_managed_fields(content)
    found = decode_object(bare, resource, kinds, Empties.SENT)
    definition = kinds.definition(resource)
    if definition is not None:
        from ..crd import objects as custom  # most clusters have no custom resources

        found = custom.apply_defaults(found, definition, kinds.release, metadata_reader(kinds))
    else:
        found = apply_defaults(found, kinds.release, read=True)
    return with_managed_fields(found, entries)
