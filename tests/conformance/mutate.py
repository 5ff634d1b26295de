"""Documents derived from documents: edits by an author, and additions by a server."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from engine import Rule

if TYPE_CHECKING:
    from .draw import Draw

ANYTHING = Rule("any")
"""The rule of a field that no specification describes."""


def edited(draw: Draw, value: Any, rule: Rule, rate: float = 0.25, depth: int = 3) -> Any:
    """The value after an edit changed, removed, added and reordered parts."""
    if isinstance(value, dict) and rule.kind != "list":
        return _edited_map(draw, value, rule, rate, depth)
    if isinstance(value, list) and rule.kind == "list":
        return _edited_list(draw, value, rule, rate, depth)
    return draw.value(rule, depth) if draw.chance(rate) else deepcopy(value)


def grown(draw: Draw, value: Any, rule: Rule, rate: float = 0.4) -> Any:
    """The value after a server filled in defaults and injected elements; nothing is lost."""
    if isinstance(value, dict) and rule.kind == "map":
        fields = draw.fields(rule)
        result = {key: grown(draw, inner, rule_of(draw, rule, key), rate) for key, inner in value.items()}
        if fields and draw.chance(rate):
            added = draw.chosen_fields(rule, 2)
            result |= {name: draw.value(field, 2) for name, field in added.items() if name not in result}
        elif rule.free_keys and draw.chance(rate):
            result.setdefault("server", draw.value(draw.inner(rule), 1))
        return result
    if isinstance(value, list) and rule.kind == "list":
        inner = draw.inner(rule)
        result_list = [grown(draw, element, inner, rate) for element in value]
        if draw.chance(rate / 2):
            place = draw.random.randint(0, len(result_list))
            result_list[place:place] = _new_elements(draw, result_list, rule)
        return result_list
    return deepcopy(value)


def rule_of(draw: Draw, rule: Rule, key: str) -> Rule:
    """The rule of a map's value under a key; an unknown key may hold anything."""
    if rule.kind == "map" and rule.free_keys:
        return draw.inner(rule)
    return draw.fields(rule).get(key) or ANYTHING


def _edited_map(draw: Draw, value: dict[str, Any], rule: Rule, rate: float, depth: int) -> dict[str, Any]:
    result = {}
    for key, inner in value.items():
        if key in ("apiVersion", "kind"):
            result[key] = inner
        elif not draw.chance(rate / 2):
            result[key] = edited(draw, inner, rule_of(draw, rule, key), rate, depth - 1)
    if draw.chance(rate):
        if draw.fields(rule):
            added = draw.chosen_fields(rule, 2)
            result |= {name: draw.value(field, 2) for name, field in added.items() if name not in result}
        elif rule.free_keys:
            result[draw.one("abcdxyz")] = draw.value(draw.inner(rule), 1)
    return result


def _edited_list(draw: Draw, value: list[Any], rule: Rule, rate: float, depth: int) -> list[Any]:
    inner = draw.inner(rule)
    result = []
    for element in value:
        if draw.chance(rate / 2):
            continue
        changed = edited(draw, element, inner, rate / 2, depth - 1)
        if rule.merge_key and isinstance(element, dict) and rule.merge_key in element and not draw.chance(rate / 8):
            changed[rule.merge_key] = element[rule.merge_key]
        result.append(changed)
    if draw.chance(rate * 1.5):
        place = draw.random.randint(0, len(result))
        result[place:place] = _new_elements(draw, result, rule)
    if draw.chance(rate):
        draw.random.shuffle(result)
    return result


def _new_elements(draw: Draw, there: list[Any], rule: Rule) -> list[Any]:
    """One or two elements, mostly with a new merge key."""
    drawn = [draw.element(rule, 2) for _ in range(draw.random.randint(1, 2))]
    if draw.chance(0.05):
        return drawn
    key = rule.merge_key
    taken = [element.get(key) if key and isinstance(element, dict) else element for element in there]
    fresh = []
    for element in drawn:
        identity = element.get(key) if key and isinstance(element, dict) else element
        if identity not in taken:
            taken.append(identity)
            fresh.append(element)
    return fresh
