"""Shrinking of failing cases: remove parts and simplify scalars as long as the case still fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .inputs import DOCUMENTS, Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def shrunk(case: Case, still_fails: Callable[[Case], bool], attempts: int = 5000) -> Case:
    """The smallest case found for which the predicate holds; the predicate must hold for `case` itself."""
    left = attempts
    smaller = True
    while smaller and left > 0:
        smaller = False
        for candidate in _candidates(case):
            left -= 1
            if still_fails(candidate):
                case, smaller = candidate, True
                break
            if left <= 0:
                break
    return case


def _candidates(case: Case) -> Iterator[Case]:
    for name in DOCUMENTS:
        if name in case:
            for value in simpler(case[name]):
                yield {**case, name: value}


def simpler(value: Any) -> Iterator[Any]:
    """Values with less in them, big steps first."""
    if isinstance(value, dict):
        for keys in _chunks(list(value)):
            yield {key: inner for key, inner in value.items() if key not in keys}
        for key, inner in value.items():
            for less in simpler(inner):
                yield {**value, key: less}
    elif isinstance(value, list):
        for places in _chunks(list(range(len(value)))):
            yield [inner for place, inner in enumerate(value) if place not in places]
        for place, inner in enumerate(value):
            for less in simpler(inner):
                yield [*value[:place], less, *value[place + 1 :]]
    else:
        yield from _simpler_scalars(value)


def _chunks(items: list[Any]) -> Iterator[list[Any]]:
    """All, the halves, the quarters, ... and single elements: the parts to remove at once."""
    size = len(items)
    while size >= 1:
        for start in range(0, len(items), size):
            yield items[start : start + size]
        size //= 2


def _simpler_scalars(value: Any) -> Iterator[Any]:
    """Scalars of the same type that precede this one in a fixed order, so that shrinking ends."""
    plain: dict[type, tuple[Any, ...]] = {str: ("a", "b"), int: (1, 2), float: (1.0, 1.5), bool: (True,)}
    for scalar in plain.get(type(value), ()):
        if scalar == value:
            return
        yield scalar
