"""Duplicates in lists that are sets, or maps with keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode
from engine.values.guard import with_room

from ..problems import Problem
from ..schemas.problems import duplicate, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..schemas.schemas import Schema

WORD = "x-kubernetes-list-type"


def problems(content: dict[str, Any], schema: Schema | None) -> list[Problem]:
    """Return a problem for every duplicate element."""
    if schema is None or not schema.uses(WORD):
        return []
    return with_room(lambda: list(_in("", content, schema)))


def _in(at: str, value: Any, schema: Schema) -> Iterator[Problem]:
    if type(value) is dict:
        for key, inner in value.items():
            known = schema.field(key)
            if known is not None and known.uses(WORD):
                yield from _in(f"{at}.{key}" if at else key, inner, known)
            if schema.extra is not None and schema.extra.uses(WORD):
                yield from _in(f"{at}[{key}]", inner, schema.extra)
    elif type(value) is list:
        if schema.list_type == "set":
            yield from (duplicate(f"{at}[{place}]", value[place]) for place in _twins(value))
        elif schema.list_type == "map":
            yield from _in_map(at, value, schema)
        inner_schema = schema.items
        if inner_schema is not None and inner_schema.uses(WORD):
            for place, item in enumerate(value):
                yield from _in(f"{at}[{place}]", item, inner_schema)


def _in_map(at: str, value: list[Any], schema: Schema) -> Iterator[Problem]:
    for place, item in enumerate(value):
        if item is not None and not isinstance(item, dict):
            yield invalid(f"{at}[{place}]", item, "must be an object for an array of list-type map")
            return
    keys = [{name: item[name] for name in schema.map_keys if name in item} if item else {} for item in value]
    yield from (duplicate(f"{at}[{place}]", keys[place]) for place in _twins(keys))


def _twins(items: list[Any]) -> list[int]:
    """The indexes of second occurrences. Further ones are not reported."""
    seen: dict[str, int] = {}
    found = []
    for place, item in enumerate(items):
        key = encode(item) if isinstance(item, (dict, list)) else f"{type(item).__name__} {item}"
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2:
            found.append(place)
    return found
