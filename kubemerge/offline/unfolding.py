"""Splitting the change of a whole value into changes of its fields and elements."""

from __future__ import annotations

from engine import Change
from engine.directives import ANNOTATION
from engine.tables.identity import ElementLabels, Keys, index_unique

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from engine import Rule, Schema
    from engine.paths import Step

_IN_ONE_PIECE = frozenset({"added", "cleared", "kept"})
"""Actions that apply to a value with all its parts."""


def unfolded(change: Change, schema: Schema | None) -> Iterator[Change]:
    """An added value field by field; other changes are unchanged."""
    inner = parts(change, schema) if change.action == "added" else []
    if not inner:
        yield change
    for part in inner:
        yield from unfolded(part, schema)


def parts(change: Change, schema: Schema | None) -> list[Change]:
    """The changes of the fields or elements of a value that changed or stayed as a whole; none for a scalar."""
    if change.action not in _IN_ONE_PIECE:
        return []
    value = change.before if change.after is None else change.after
    if isinstance(value, dict):
        rules = {key: schema.field(change.rule, key) if schema else None for key in sorted(value)}
        return [_part(change, key, value[key], rule) for key, rule in rules.items()]
    if isinstance(value, list):
        element = schema.inside(change.rule)[0] if schema and change.rule else None
        return [_part(change, step, item, element) for step, item in _named(value, change.rule, schema)]
    return []


def _part(change: Change, step: Step, value: Any, rule: Rule | None) -> Change:
    before, after = (None if side is None else value for side in (change.before, change.after))
    reason = change.reason
    if change.action == "added" and step == ANNOTATION:
        reason = "added: apply stores the config here"
    return Change((*change.steps, step), change.action, before, after, reason, rule)


def _named(items: list[Any], rule: Rule | None, schema: Schema | None) -> list[tuple[Step, Any]]:
    """The elements of a list that merges, each with its identity; none if identities are not unique."""
    if rule is None or schema is None or "merge" not in rule.strategies:
        return []
    keys = Keys(rule, schema.types)
    if index_unique(items, keys.full) is None:
        return []
    labels = ElementLabels(keys, items)
    return [(labels.of(item) or 0, item) for item in items]
