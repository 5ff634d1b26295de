"""Differences between two results, field by field and element by element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.paths import render
from engine.tables.identity import ElementLabels, Keys, index_unique
from engine.values.plain import ABSENT, same

from ..output.secrets import Shown
from .model import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine import Rule, Schema
    from engine.paths import Steps


def differences(before: dict[str, Any], after: dict[str, Any], schema: Schema | None) -> tuple[Difference, ...]:
    """The topmost fields that differ, in the order of their names; elements are matched by their keys if they have any.

    The values of a Secret are masked.
    """
    rule = schema.type.rule if schema else None
    shown = Shown(before, after)
    return tuple(
        Difference(render(steps), *shown.at(steps, *(None if value is ABSENT else value for value in values)))
        for steps, *values in _differences((), before, after, rule, schema)
    )


def _differences(
    steps: Steps, before: Any, after: Any, rule: Rule | None, schema: Schema | None
) -> Iterator[tuple[Steps, Any, Any]]:
    if same(before, after):
        return
    if type(before) is dict and type(after) is dict:
        for key in sorted({*before, *after}):
            inner = schema.field(rule, key) if schema else None
            yield from _differences((*steps, key), before.get(key, ABSENT), after.get(key, ABSENT), inner, schema)
        return
    keys = Keys(rule, schema.types) if rule and schema and _goes_by_keys(rule) else None
    here, there = (_by_identity(value, keys) for value in (before, after))
    if keys is None or not here or not there or _are_reordered(here, there):
        yield steps, before, after
        return
    labels = ElementLabels(keys, before, after)
    element = schema.inside(rule)[0] if schema and rule else None
    for name in {**here, **there}:
        one, other = here.get(name, ABSENT), there.get(name, ABSENT)
        step = labels.of(other if one is ABSENT else one) or 0
        yield from _differences((*steps, step), one, other, element, schema)


def _goes_by_keys(rule: Rule) -> bool:
    return rule.kind == "list" and rule.merge_key is not None


def _are_reordered(here: Mapping[Any, Any], there: Mapping[Any, Any]) -> bool:
    return [name for name in here if name in there] != [name for name in there if name in here]


def _by_identity(value: Any, keys: Keys | None) -> Mapping[Any, Any] | None:
    """The elements of a list by their full identity; None if it is not unique."""
    return index_unique(value, keys.full) if keys is not None and type(value) is list else None
