"""Values in messages: a server prints the empty lists and maps of a request, which are dropped when it is decoded."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..problems import Problem
    from ..unchecked import Object


def with_printed_values(
    problems: list[Problem], content: Object, sent: Object | None, validate: Callable[[Object], Iterable[Problem]]
) -> list[Problem]:
    """The problems with the values that a server prints.

    The object is validated again with the empty lists and maps of the request. Only values and differences in the
    texts are used: whether there is a problem does not depend on them.
    """
    full = _with_empties(content, sent) if problems else content
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
        found.append(others[number] if number < len(others) else one)
    return found


_NOT_PRINTED = ("matchLabels", "matchExpressions")
"""Fields of label selectors, which are printed as in JSON, without empty fields."""


def _key(problem: Problem) -> tuple[str, str, str]:
    return problem.kind, problem.path, problem.origin


def _with_empties(content: Any, sent: Any) -> Any:
    """The value with the empty lists and maps of another one that it lacks. The same object if there are none."""
    if isinstance(content, dict) and isinstance(sent, dict):
        found = {key: _with_empties(value, sent.get(key)) for key, value in content.items()}
        lacking = {
            key: value
            for key, value in sent.items()
            if value in ([], {}) and content.get(key) is None and key not in _NOT_PRINTED
        }
        if not lacking and all(found[key] is value for key, value in content.items()):
            return content
        return {**found, **lacking}
    if isinstance(content, list) and isinstance(sent, list) and len(content) == len(sent):
        items = [_with_empties(one, other) for one, other in zip(content, sent, strict=True)]
        return content if all(one is other for one, other in zip(items, content, strict=True)) else items
    return content
