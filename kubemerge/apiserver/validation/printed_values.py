"""Values in messages: a server prints the empty lists and maps of a request, which are dropped when it is decoded."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ..problems import GO_SYNTAX_UNTIL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine import Schema
    from engine.tables.rules import Rule

    from ..problems import Problem
    from ..unchecked import Object


def with_printed_values(
    problems: list[Problem],
    content: Object,
    sent: Object,
    schema: Schema,
    validate: Callable[[Object], Iterable[Problem]],
    *,
    minor: int,
) -> list[Problem]:
    """The problems with the values that a server prints.

    The object is validated again with the empty lists and maps of the request. Only values and differences in the
    texts are used. A value that is printed as in JSON has no empty fields.
    """
    full = _with_empties(content, sent, schema.type.rule, schema, () if minor <= GO_SYNTAX_UNTIL else _AS_JSON)
    if full is content:
        return problems
    again: defaultdict[tuple[str, str, str], list[Problem]] = defaultdict(list)
    for one in validate(full):
        again[_key(one)].append(one)
    numbers: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    found = []
    for one in problems:
        key = _key(one)
        others, number = again[key], numbers[key]
        numbers[key] += 1
        found.append(others[number] if number < len(others) and not _is_as_json(one.value) else one)
    return found


_AS_JSON = (".LabelSelector", ".LabelSelectorRequirement")
"""Types that are printed as in JSON, without empty fields, wherever they are. Go syntax has their empty fields."""


def _is_as_json(value: Any) -> bool:
    """Whether a value has fields with their names in JSON, and not in Go."""
    if isinstance(value, list):
        return any(map(_is_as_json, value))
    return isinstance(value, dict) and any(name[:1].islower() for name in value)


def _key(problem: Problem) -> tuple[str, str, str]:
    return problem.kind, problem.path, problem.origin


def _with_empties(content: Any, sent: Any, rule: Rule | None, schema: Schema, as_json: tuple[str, ...]) -> Any:
    """The value with the empty lists and maps of another one that it lacks. The same object if there are none.

    Empty structs are not dropped, so one that is missing was dropped for another reason.
    """
    if rule is None:
        return content
    if isinstance(content, dict) and isinstance(sent, dict):
        if str(rule.of).endswith(as_json):
            return content
        rules = {key: schema.field(rule, key) for key in sent}
        found = {
            key: _with_empties(value, sent.get(key), rules.get(key), schema, as_json) for key, value in content.items()
        }
        lacking = {
            key: value for key, value in sent.items() if content.get(key) is None and _is_dropped(value, rules[key])
        }
        if not lacking and all(found[key] is value for key, value in content.items()):
            return content
        return {**found, **lacking}
    if isinstance(content, list) and isinstance(sent, list) and len(content) == len(sent):
        inside = schema.inside(rule)[0]
        items = [_with_empties(one, other, inside, schema, as_json) for one, other in zip(content, sent, strict=True)]
        return content if all(one is other for one, other in zip(items, content, strict=True)) else items
    return content


def _is_dropped(value: Any, rule: Rule | None) -> bool:
    """Whether decoding drops a value because it is an empty list or map."""
    if rule is None:
        return False
    return (value == [] and rule.kind == "list") or (value == {} and rule.kind == "map" and rule.free_keys)
