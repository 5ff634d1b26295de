"""Where two results differ, field by field and element by element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.paths import render
from engine.values.plain import ABSENT, same

from ..output.secrets import Shown
from .model import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine import Rule, Schema
    from engine.paths import Steps


def differences(before: dict[str, Any], after: dict[str, Any], schema: Schema | None) -> tuple[Difference, ...]:
    """The topmost fields that differ, in the order of their names; elements go by their merge key if they have one.

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
    here, there = _by_key(before, rule), _by_key(after, rule)
    if rule is None or not here or not there or _are_reordered(here, there):
        yield steps, before, after
        return
    element = schema.inside(rule)[0] if schema else None
    for name in {**here, **there}:
        step = ((str(rule.merge_key), name[1]),)
        yield from _differences((*steps, step), here.get(name, ABSENT), there.get(name, ABSENT), element, schema)


def _are_reordered(here: Mapping[Any, Any], there: Mapping[Any, Any]) -> bool:
    return [name for name in here if name in there] != [name for name in there if name in here]


def _by_key(value: Any, rule: Rule | None) -> dict[tuple[type, Any], Any] | None:
    """The elements of a list by their merge key; None where that does not tell them apart."""
    if rule is None or rule.kind != "list" or not rule.merge_key or type(value) is not list:
        return None
    found: dict[tuple[type, Any], Any] = {}
    for item in value:
        name = item.get(rule.merge_key) if type(item) is dict else None
        if name is None or type(name) in (dict, list) or (type(name), name) in found:
            return None
        found[type(name), name] = item
    return found
