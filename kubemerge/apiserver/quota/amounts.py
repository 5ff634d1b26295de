"""Arithmetic on resource lists, with the suffix kinds of the API's quantities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import canonical, total

from ..validation.values.quantities import size

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    Amounts = Mapping[str, Any]


def added(one: Amounts, other: Amounts) -> dict[str, Any]:
    """Return the sums of two lists."""
    found = dict(one)
    for name, value in other.items():
        found[name] = total((found[name], value)) if name in found else value
    return found


def subtracted(one: Amounts, other: Amounts) -> dict[str, Any]:
    """Return the positive differences of two lists. The others are zero."""
    found = {}
    for name, value in one.items():
        left = total((value, _negated(other[name]))) if name in other else value
        found[name] = left if size(left) > 0 else "0"
    return found


def _negated(value: Any) -> str:
    text = canonical(value)
    return text[1:] if text.startswith("-") else f"-{text}"


def highest(one: Amounts, other: Amounts) -> dict[str, Any]:
    """Return the higher value of each resource."""
    found = dict(one)
    for name, value in other.items():
        if name not in found or size(value) > size(found[name]):
            found[name] = value
    return found


def only(amounts: Amounts, names: Container[str]) -> dict[str, Any]:
    """Return the amounts of these resources."""
    return {name: value for name, value in amounts.items() if name in names}


def without_zeros(amounts: Amounts) -> dict[str, Any]:
    """Return the amounts that are not zero."""
    return {name: value for name, value in amounts.items() if size(value)}


def are_equal(one: Amounts, other: Amounts) -> bool:
    """Whether two lists have the same resources with the same amounts."""
    return one.keys() == other.keys() and all(size(value) == size(other[name]) for name, value in one.items())


def printed(amounts: Amounts) -> dict[str, str]:
    """Return the amounts in canonical form, by name."""
    return {name: canonical(amounts[name]) for name in sorted(amounts)}


def in_words(amounts: Amounts) -> str:
    """Return the amounts for a message."""
    return ",".join(f"{name}={value}" for name, value in printed(amounts).items())


def names_in_words(names: Iterable[str]) -> str:
    """Return resource names for a message."""
    return ",".join(sorted(names))
