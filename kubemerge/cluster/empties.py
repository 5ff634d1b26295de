"""Lists and maps of free keys that are empty: a server does not keep them, so that an object looks as without them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.guard import with_room

if TYPE_CHECKING:
    from engine import Schema
    from engine.rules import Rule

    from .protocol import Object

KEPT = frozenset({("ClusterRole", "rules"), ("Role", "rules")})
"""Fields that are there even if they are empty, by the last part of their type's name."""


def without_empties(content: Object, schema: Schema) -> Object:
    """The object as it is stored. A map with fields of its own stays: that it is there may mean something."""
    kept: Object = with_room(lambda: _kept(content, schema.type.rule, schema))
    return kept


def _kept(value: Any, rule: Rule, schema: Schema) -> Any:
    kind = type(value)
    if kind is list and rule.kind == "list":
        inside = schema.inside(rule)[0]
        return [_kept(item, inside, schema) for item in value]
    if kind is not dict or rule.kind != "map" or rule.of is None:
        return value
    if rule.free_keys:
        inside = schema.inside(rule)[0]
        return {key: _kept(item, inside, schema) for key, item in value.items()}
    return _struct(value, str(rule.of), schema)


def _struct(value: Object, owner: str, schema: Schema) -> Object:
    fields = schema.types[owner].fields
    name = owner.rpartition(".")[2]
    found: Object = {}
    for field, inner in value.items():
        rule = fields.get(field)
        if rule is None or type(inner) not in (dict, list):
            found[field] = inner
        elif inner or not _goes(rule) or (name, field) in KEPT:
            found[field] = _kept(inner, rule, schema)
    return found


def _goes(rule: Rule) -> bool:
    return rule.kind == "list" or (rule.kind == "map" and rule.free_keys and rule.of is not None)
