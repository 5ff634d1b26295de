"""Label selectors: whether a selector picks the pods of the template next to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map, maps

if TYPE_CHECKING:
    from collections.abc import Callable

OPERATORS: dict[str, Callable[[dict[str, Any], str, list[Any]], bool]] = {
    "In": lambda labels, key, values: labels.get(key) in values,
    "NotIn": lambda labels, key, values: labels.get(key) not in values,
    "Exists": lambda labels, key, _: key in labels,
    "DoesNotExist": lambda labels, key, _: key not in labels,
}


def is_empty(selector: dict[str, Any]) -> bool:
    """Whether a selector asks for nothing."""
    return not selector.get("matchLabels") and not selector.get("matchExpressions")


def picks(selector: dict[str, Any], labels: dict[str, Any]) -> bool:
    """Whether a selector picks these labels; one that asks for nothing picks all."""
    wanted = a_map(selector.get("matchLabels"))
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        _holds(expression, labels) for _, expression in maps(selector, "matchExpressions")
    )


def _holds(expression: dict[str, Any], labels: dict[str, Any]) -> bool:
    operator = OPERATORS.get(str(expression.get("operator")))
    values = expression.get("values")
    return operator is not None and operator(
        labels, str(expression.get("key")), values if isinstance(values, list) else []
    )
