"""Defaults in a schema, validated by the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.plain import same

from ...problems import NO_PATH, Problem
from ...schemas.problems import invalid
from .. import embedded, pruning
from ..values import ValueValidator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...schemas.schemas import Schema


def problems(schema: Schema, at: str, *, need_pruned: bool = True) -> Iterator[Problem]:
    """Validate defaults, each with its path."""
    if not schema.uses("default"):
        return
    if schema.default is not None:
        yield from _of_one(schema, f"{at}.default", need_pruned=need_pruned)
    if schema.items is not None:
        yield from problems(schema.items, f"{at}.items", need_pruned=need_pruned)
    for name in schema.properties:
        inner = schema.field(name)
        if inner is not None:
            yield from problems(inner, f"{at}.properties[{name}]", need_pruned=need_pruned)


def _of_one(schema: Schema, at: str, *, need_pruned: bool) -> Iterator[Problem]:
    value: Any = schema.default
    if need_pruned and not same(_pruned(value, schema), value):
        yield invalid(at, value, "must not have unknown fields")
    found = embedded.problems(value, schema) or ValueValidator().problems(value, schema)
    yield from (one._replace(path=_below(at, one.path)) for one in found)
    if not found and schema.uses("x-kubernetes-validations"):
        from ..rules import broken_rules

        yield from (one._replace(path=_below(at, one.path)) for one in broken_rules(value, None, schema, None))


def _pruned(value: Any, schema: Schema) -> Any:
    if isinstance(value, dict):
        return pruning.prune(value, schema, whole=schema.embedded)[0]
    if isinstance(value, list) and schema.items is not None:
        return [_pruned(item, schema.items) for item in value]
    return value


def _below(at: str, place: str) -> str:
    if place in (NO_PATH, ""):
        return at
    return f"{at}{place}" if place.startswith("[") else f"{at}.{place}"
