"""Pruning of unknown fields, which a server drops and reports on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.guard import with_room

if TYPE_CHECKING:
    from ..schemas.schemas import Schema

META = frozenset({"apiVersion", "kind", "metadata"})
"""The fields of every embedded object."""


def prune(content: dict[str, Any], schema: Schema | None, *, whole: bool = True) -> tuple[dict[str, Any], list[str]]:
    """Return a pruned copy of a custom resource, and the sorted paths of unknown fields.

    A path is written as in server messages: `spec.containers[0].foo`. `whole`: the value is a whole resource.
    """
    unknown: list[str] = []
    found = with_room(lambda: _object("", content, schema, unknown, whole=whole))
    return found, sorted(unknown)


def _prune(at: str, value: Any, schema: Schema | None, unknown: list[str]) -> Any:
    """Prune a value. Without a schema, all fields are unknown."""
    kind = type(value)
    if kind is dict:
        return _object(at, value, schema, unknown)
    if kind is list:
        inner = schema.items if schema is not None else None
        keeps = schema is not None and schema.preserves
        look = _kept if keeps else _prune
        return [look(f"{at}[{index}]", item, inner, unknown) for index, item in enumerate(value)]
    return value


def _kept(at: str, value: Any, schema: Schema | None, unknown: list[str]) -> Any:
    """Prune a value inside fields that preserve unknown ones. Known fields are still pruned."""
    if schema is None:
        return value
    if type(value) is dict:
        return _object(at, value, schema, unknown, keeps=True)
    if type(value) is list:
        return [_kept(f"{at}[{index}]", item, schema.items, unknown) for index, item in enumerate(value)]
    return value


def _object(
    at: str,
    value: dict[str, Any],
    schema: Schema | None,
    unknown: list[str],
    *,
    whole: bool = False,
    keeps: bool = False,
) -> dict[str, Any]:
    keeps = keeps or (schema is not None and schema.preserves)
    embedded = whole or (schema is not None and schema.embedded)
    found: dict[str, Any] = {}
    for key, inner in value.items():
        if embedded and key in META:
            found[key] = inner
            continue
        place = f"{at}.{key}" if at else key
        known = schema.field(key) if schema is not None else None
        if known is not None or (schema is not None and schema.has_extra):
            below = known if known is not None else schema.extra if schema is not None else None
            found[key] = inner if keeps and below is None else _prune(place, inner, below, unknown)
        elif keeps:
            found[key] = inner
        elif at or key not in META:
            unknown.append(place)
    return found
