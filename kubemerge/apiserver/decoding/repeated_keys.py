"""Duplicate keys of JSON: the decoder of a server reads each of them into the same Go value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .struct_fields import structs_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema
    from engine.tables.rules import Rule


class Pairs(list[tuple[str, Any]]):
    """The pairs of a map. Keys may occur several times."""


def pairs_in(body: bytes, parse_int: Callable[[str], Any] = int) -> Any:
    """Parse valid JSON. Each map becomes `Pairs`."""
    return json.loads(body, object_pairs_hook=Pairs, parse_int=parse_int)


def merged(value: Any, schema: Schema) -> Any:
    """Return an object whose value has `Pairs` for its maps. Structs and maps are merged, lists by index.

    The last value of a map's key counts, and so does the last simple value. A null clears a map or list, not a struct.
    """
    return _Merge(schema).struct(value, schema.type.name, None)


def last_values(value: Any) -> Any:
    """Return a value of no known type. The last value of each key counts."""
    if isinstance(value, Pairs):
        return {key: last_values(inner) for key, inner in value}
    return [last_values(inner) for inner in value] if isinstance(value, list) else value


class _Merge:
    def __init__(self, schema: Schema) -> None:
        self._schema, self._structs = schema, structs_of(schema)

    def struct(self, pairs: Any, owner: str, old: Any) -> Any:
        if not isinstance(pairs, Pairs):
            return last_values(pairs)
        fields = self._structs[owner].fields
        found = {**old} if isinstance(old, dict) else {}
        for key, inner in pairs:
            known = fields.get(key)
            if known is None:
                found[key] = last_values(inner)
            elif not (inner is None and key in found and _is_struct(known.rule)):
                found[key] = self._value(inner, known.rule, found.get(key))
        return found

    def _value(self, value: Any, rule: Rule, old: Any) -> Any:
        if rule.kind == "list" and isinstance(value, list) and not isinstance(value, Pairs):
            before = old if isinstance(old, list) else []
            inside = self._schema.inside(rule)[0]
            return [
                self._value(inner, inside, before[index] if index < len(before) else None)
                for index, inner in enumerate(value)
            ]
        if _is_struct(rule):
            return self.struct(value, str(rule.of), old)
        if rule.kind == "map" and rule.free_keys and isinstance(value, Pairs):
            inside = self._schema.inside(rule)[0]
            found = {**old} if isinstance(old, dict) else {}
            return found | {key: self._value(inner, inside, None) for key, inner in value}
        return last_values(value)


def _is_struct(rule: Rule) -> bool:
    return rule.kind == "map" and rule.of is not None and not rule.free_keys
