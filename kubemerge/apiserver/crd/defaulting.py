"""Defaults of custom resources, from the schema of their definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.guard import with_room
from engine.values.plain import copied

if TYPE_CHECKING:
    from ..schemas.schemas import Schema


def apply_defaults(content: dict[str, Any], schema: Schema | None, *, nulls: bool = False) -> dict[str, Any]:
    """Return a copy of a custom resource with the defaults of a structural schema.

    A null that the schema does not allow counts as absent, unless `nulls` are kept. A default below a missing parent is
    only applied if the parent has a default.
    """
    found: dict[str, Any] = copied(content) if nulls else with_room(lambda: _without_nulls(content, schema))
    if schema is not None and schema.uses("default"):
        with_room(lambda: _fill(found, schema))
    return found


def _without_nulls(value: Any, schema: Schema | None) -> Any:
    """A copy without nulls that the schema neither allows nor replaces."""
    kind = type(value)
    if kind is dict:
        found = {}
        for key, inner in value.items():
            known = schema.child(key) if schema is not None else None
            if inner is not None:
                found[key] = _without_nulls(inner, known)
            elif known is None or known.nullable or known.default is not None:
                found[key] = None
        return found
    if kind is list:
        inner_schema = schema.items if schema is not None else None
        return [_without_nulls(item, inner_schema) for item in value]
    return value


def _fill(value: Any, schema: Schema | None) -> None:
    """Apply defaults in place."""
    if schema is None:
        return
    if type(value) is dict:
        _fill_map(value, schema)
    elif type(value) is list and schema.items is not None:
        inner = schema.items
        for index, item in enumerate(value):
            if item is None and not inner.nullable:
                value[index] = copied(inner.default)
            if inner.uses("default"):
                _fill(value[index], inner)


def _fill_map(value: dict[str, Any], schema: Schema) -> None:
    for key, default in schema.defaults.items():
        if value.get(key) is None and (key not in value or not _nullable(schema.field(key))):
            value[key] = copied(default)
    for key, inner in [*value.items()]:
        known = schema.field(key)
        if known is None and schema.extra is not None:
            known = schema.extra
            if inner is None and not known.nullable:
                value[key] = copied(known.default)
        if known is not None and known.uses("default"):
            _fill(value[key], known)


def _nullable(schema: Schema | None) -> bool:
    return schema is not None and schema.nullable
