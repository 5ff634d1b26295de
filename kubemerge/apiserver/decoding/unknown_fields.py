"""Unknown fields with their paths, which a server rejects in strict mode and drops otherwise."""

from __future__ import annotations

import json
from itertools import islice

from engine.values.guard import with_room

from .struct_fields import FIELDLESS
from .type_errors import OBJECT_META
from .type_mismatch import FreeKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from engine import Schema
    from engine.paths import Steps
    from engine.tables.rules import Rule

    from ..protocol import Object, Resource
    from ..resources import Kinds

MOST = 100
"""The maximum number of fields in an error. For a strategic merge patch, a server lists all."""


def unknown_fields(content: Object, resource: Resource, kinds: Kinds, *, strategic: bool = False) -> list[str]:
    """Return the paths of the unknown fields of an object.

    They are in the order of keys. After a `strategic` merge patch they are sorted by text, without the keys of maps.
    For custom resources, the definition decides.
    """
    if resource.built_in:
        return fields_unknown_to(content, kinds.schema(resource), strategic=strategic)
    found = fields_unknown_to(content.get("metadata") or {}, kinds.tables.definition(OBJECT_META), ("metadata",))
    definition = kinds.definition(resource)
    if definition is None:
        return found
    from ..crd import objects as custom  # most clusters have no custom resources

    return [*found, *custom.prune_unknown(content, definition, kinds.release)[1]]


def fields_unknown_to(content: Object, schema: Schema, at: Steps = (), *, strategic: bool = False) -> list[str]:
    """Return the paths of fields that the schema does not have. The object itself is at `at`."""
    found = with_room(lambda: [(*at, *reversed(steps)) for steps in _in_struct(content, schema, schema.type.name)])
    if strategic:
        return sorted((_place(steps, keys=False) for steps in found), key=unknown_field_error)
    in_order = sorted(found, key=lambda steps: [str(step) if isinstance(step, str) else step for step in steps])
    return list(islice((_place(steps, keys=True) for steps in in_order), MOST))


def unknown_field_error(place: str) -> str:
    """An unknown field in the words of a server."""
    return f"unknown field {json.dumps(place, ensure_ascii=False)}"


def _place(steps: Steps, *, keys: bool) -> str:
    parts = (
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps if keys or type(step) is not FreeKey
    )
    return "".join(parts).removeprefix(".")


def _in_struct(value: Object, schema: Schema, owner: str) -> Iterator[Steps]:
    """The paths of unknown fields in a struct, the innermost step first."""
    fields = schema.types[owner].fields
    for field, inner in value.items():
        rule = fields.get(field)
        if rule is None:
            yield (field,)
        elif field == FIELDLESS[1] and owner.endswith(f".{FIELDLESS[0]}"):
            yield from ((name, field) for name in (inner if isinstance(inner, dict) else ()))
        elif rule.kind != "primitive" and inner:
            for steps in _in_value(inner, rule, schema):
                yield (*steps, field)


def _in_value(value: Any, rule: Rule, schema: Schema) -> Iterator[Steps]:
    if rule.kind == "list" and isinstance(value, list):
        yield from _in_all(enumerate(value), schema.inside(rule)[0], schema)
    elif rule.kind == "map" and rule.of is not None and isinstance(value, dict):
        if rule.free_keys:
            yield from _in_all(((FreeKey(key), inner) for key, inner in value.items()), schema.inside(rule)[0], schema)
        else:
            yield from _in_struct(value, schema, str(rule.of))


def _in_all(values: Iterator[tuple[Any, Any]], rule: Rule, schema: Schema) -> Iterator[Steps]:
    if rule.kind != "primitive":
        for key, inner in values:
            for steps in _in_value(inner, rule, schema):
                yield (*steps, key)
