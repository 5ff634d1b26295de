"""Label selectors, and whether they match the template of Pods next to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..eras import Era
from ..problems import Problem, forbidden, invalid, required
from ..unchecked import as_map, as_text, maps
from . import eras, names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ALWAYS = Era()
NO_OPERATOR = "not a valid selector operator"
OPERATORS: dict[str, Callable[[Mapping[str, Any], str, list[Any]], bool]] = {
    "In": lambda labels, key, values: labels.get(key) in values,
    "NotIn": lambda labels, key, values: labels.get(key) not in values,
    "Exists": lambda labels, key, _: key in labels,
    "DoesNotExist": lambda labels, key, _: key not in labels,
}


def label_selector(at: str, selector: Any) -> Iterator[Problem]:
    """Validate an optional selector."""
    return _selector(at, selector, eras.SELECTED_VALUES)


def strict_selector(at: str, selector: Any) -> Iterator[Problem]:
    """Validate an optional selector whose values are checked in all releases."""
    return _selector(at, selector, ALWAYS)


def _selector(at: str, selector: Any, checked: Era) -> Iterator[Problem]:
    wanted = as_map(selector)
    yield from names.labels(f"{at}.matchLabels", wanted.get("matchLabels"))
    for index, one in maps(wanted, "matchExpressions"):
        yield from requirement(f"{at}.matchExpressions[{index}]", one, checked)


def requirement(at: str, one: dict[str, Any], checked: Era = eras.SELECTED_VALUES) -> Iterator[Problem]:
    """Validate one expression of a selector. Its values are checked by the releases of `checked`."""
    operator, values = one.get("operator"), one.get("values")
    yield from values_of_operator(at, one)
    if operator not in tuple(OPERATORS):
        yield invalid(f"{at}.operator", operator or "", NO_OPERATOR)
    yield from (invalid(f"{at}.key", one.get("key") or "", why) for why in names.key(as_text(one.get("key"))))
    yield from checked.limit(label_values(f"{at}.values", values if isinstance(values, list) else []))


def values_of_operator(at: str, one: dict[str, Any]) -> Iterator[Problem]:
    """Validate whether an expression has values."""
    operator, values = one.get("operator"), one.get("values")
    if operator in ("In", "NotIn") and not values:
        yield required(f"{at}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    if operator in ("Exists", "DoesNotExist") and values:
        yield forbidden(f"{at}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")


def label_values(at: str, values: list[Any]) -> Iterator[Problem]:
    """Validate a list of label values."""
    for index, value in enumerate(values):
        yield from (invalid(f"{at}[{index}]", value, why) for why in names.label_value(as_text(value)))


def is_valid_selector(selector: Any) -> bool:
    """Whether a selector can be evaluated, which in every release needs valid values.

    If it cannot, its match with the template is not checked.
    """
    return not any(True for _ in _selector("", selector, ALWAYS))


def selector_as_go(selector: Any) -> Any:
    """Return a selector with its fields in the order in which Go prints them."""
    return selector and {field: selector[field] for field in ("matchLabels", "matchExpressions") if field in selector}


def is_empty(selector: dict[str, Any]) -> bool:
    """Whether a selector has no requirements."""
    return not selector.get("matchLabels") and not selector.get("matchExpressions")


def selector_matches(selector: dict[str, Any], labels: Mapping[str, Any]) -> bool:
    """Whether a selector matches these labels. An empty one matches all."""
    wanted = as_map(selector.get("matchLabels"))
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        _holds(expression, labels) for _, expression in maps(selector, "matchExpressions")
    )


def _holds(expression: dict[str, Any], labels: Mapping[str, Any]) -> bool:
    operator = OPERATORS.get(str(expression.get("operator")))
    values = expression.get("values")
    return operator is not None and operator(
        labels, str(expression.get("key")), values if isinstance(values, list) else []
    )
