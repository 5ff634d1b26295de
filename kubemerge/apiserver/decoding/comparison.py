"""Objects as a server compares them to find the owners of fields, where they differ from stored objects."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.serverside.typed.schema import List, Map, atom_of
from engine.serverside.typed.zero_value_tables import OBJECT_META as ENGINE_OBJECT_META
from engine.tables.behaviour import PRINTS_TEMPLATE_TIMES
from engine.tables.rules import SCALARS

from .decoder import COPIED, Empties, decode_object
from .quantities import keeps_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema
    from engine.serverside.typed.schema import Atom
    from engine.tables.rules import Rule
    from engine.tables.types import Types

    from ..protocol import Object, Resource
    from .schemas import Schemas


def as_compared(
    content: Object, sent: Object, resource: Resource, kinds: Schemas, fill: Callable[[Object], Object]
) -> Object:
    """Return the content with its atomic lists as Go holds them in memory. `fill` applies defaults.

    Go compares the elements of atomic lists in memory. There, an empty `matchLabels` differs from a missing one, and
    `1000m` differs from `1`. So a manager that sends one of these owns the list, although the stored list stays the
    same. A live `512Mi` differs even from the same `512Mi` of a request, if its text was printed (see
    `keeps_text`): every update of such a HorizontalPodAutoscaler takes its metrics. For a moment after a write,
    until its cache has the object, a real server does not.
    """
    if not resource.built_in:
        return content
    schema = kinds.schema(resource)
    shape = atom_of(schema)
    is_equal = _with_lists(content, sent, shape) is content
    if is_equal and not _loses_text(content, _printed_quantities(schema.types, str(schema.type.rule.of))):
        return content
    found: Object = _with_lists(content, fill(decode_object(sent, resource, kinds, Empties.COMPARED)), shape)
    return found


Paths = dict[str, "Paths | None"]
"""Fields that lead to quantities, and None for a quantity."""
EACH = "*"
"""The key of `Paths` for all values of a map with free keys."""


@lru_cache(maxsize=1024)
def _printed_quantities(types: Types, owner: str) -> Paths:
    """The quantities of a type in atomic lists that Go prints in place, and does not copy before, as those in maps."""
    return _paths(types, owner, in_list=False, above=())


def _paths(types: Types, owner: str, *, in_list: bool, above: tuple[str, ...]) -> Paths:
    found: Paths = {}
    for field, rule in types[owner].fields.items() if owner not in above else ():
        inside = in_list or rule.list_type == "atomic"
        if rule.of == "quantity":
            if inside and not rule.free_keys and not owner.endswith(COPIED):
                found[field] = None
        elif rule.of is not None and rule.of not in SCALARS:
            below = _paths(types, rule.of, in_list=inside, above=(*above, owner))
            if below:
                found[field] = {EACH: below} if rule.free_keys else below
    return found


def _loses_text(value: Any, paths: Paths | None) -> bool:
    """Whether one of these quantities has another form in Go's memory after it was printed."""
    if type(value) is list:
        return any(_loses_text(one, paths) for one in value)
    if paths is None:
        return value is not None and not keeps_text(str(value))
    if type(value) is not dict:
        return False
    if EACH in paths:
        return any(_loses_text(one, paths[EACH]) for one in value.values())
    return any(field in value and _loses_text(value[field], below) for field, below in paths.items())


PRINTED_TIME, PRINTED_UNTIL = "creationTimestamp", 33
"""The field that is printed as null in the metadata of templates, and the last minor release that does so."""


def with_template_times(content: Object, schema: Schema) -> Object:
    """The object with null times in the metadata of its templates, as Go printed it until 1.33."""
    if PRINTS_TEMPLATE_TIMES not in schema.types.behaviour:
        return content
    owner = str(schema.type.rule.of)
    found = {**content, **_with_times({**content, "metadata": {}}, owner, schema)}
    return {**found, "metadata": content["metadata"]} if "metadata" in content else found


def _with_times(struct: Object, owner: str, schema: Schema) -> Object:
    fields = schema.types[owner].fields
    return {field: _with_times_in(inner, fields.get(field), schema) for field, inner in struct.items()}


def _with_times_in(value: Any, rule: Rule | None, schema: Schema) -> Any:
    if rule is None or type(value) not in (dict, list) or rule.of is None or rule.kind not in ("map", "list"):
        return value
    if type(value) is list:
        inside = schema.inside(rule)[0]
        return [_with_times_in(one, inside, schema) for one in value]
    if rule.free_keys:
        return value
    if rule.of == ENGINE_OBJECT_META:
        return {PRINTED_TIME: None, **value}
    return _with_times(value, rule.of, schema)


def with_null_times(value: Any, other: Any) -> Any:
    """The value with the null times of `other`, which decoding drops."""
    if type(value) is dict and type(other) is dict:
        times = {PRINTED_TIME: None} if other.get(PRINTED_TIME, 0) is None else {}
        return {**{key: with_null_times(one, other.get(key)) for key, one in value.items()}, **times}
    if type(value) is list and type(other) is list and len(value) == len(other):
        return [with_null_times(one, two) for one, two in zip(value, other, strict=True)]
    return value


def _with_lists(value: Any, other: Any, shape: Atom | None) -> Any:
    """The value with the atomic lists of `other`. The value itself is returned if no list differs."""
    part = shape.parts.get(type(value)) if shape is not None and type(value) is type(other) else None
    if type(value) is dict and isinstance(part, Map):
        changed = {}
        for key, one in value.items():
            if type(one) not in (dict, list) or one == other.get(key):
                continue  # equal values have equal lists
            new = _with_lists(one, other.get(key), part.atom(key))
            if new is not one:
                changed[key] = new
        return {**value, **changed} if changed else value
    if type(value) is not list or not isinstance(part, List):
        return value
    if part.atomic:
        return value if value == other or not other else other
    if len(value) != len(other):
        return value
    items = [_with_lists(one, two, part.element) for one, two in zip(value, other, strict=True)]
    return value if all(new is old for new, old in zip(items, value, strict=True)) else items
