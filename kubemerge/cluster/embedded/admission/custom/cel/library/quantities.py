"""Functions of quantities."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.values import quantities

from ..values import CelError, NoOverload

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Quantity:
    """An amount of CPU, memory and so on."""

    value: Decimal
    kind = "kubernetes.Quantity"


def _quantity(value: Any) -> Quantity:
    if not isinstance(value, str):
        raise NoOverload
    found = quantities.amount(value) if value == value.strip() else None
    if found is None:
        raise CelError(quantities.problem(value) or quantities.NO_FORM)
    return Quantity(found)


def _is_quantity(value: Any) -> bool:
    if not isinstance(value, str):
        raise NoOverload
    return value == value.strip() and quantities.amount(value) is not None


def _value(of: Any) -> Decimal:
    if not isinstance(of, Quantity):
        raise NoOverload
    return of.value


def _other(value: Any) -> Decimal:
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else _value(value)


def _compared(left: Any, right: Any) -> int:
    one, other = _value(left), _value(right)
    return (one > other) - (one < other)


def _fits(value: Decimal) -> bool:
    return value == value.to_integral_value() and -(2**63) <= value < 2**63


def _integer(value: Any) -> int:
    found = _value(value)
    if not _fits(found):
        raise CelError("cannot convert value to integer")
    return int(found)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "quantity": _quantity,
    "isQuantity": _is_quantity,
    "sign": lambda value: (_value(value) > 0) - (_value(value) < 0),
}
METHODS: dict[str, Callable[..., Any]] = {
    "add": lambda left, right: Quantity(_value(left) + _other(right)),
    "asApproximateFloat": lambda value: float(_value(value)),
    "asInteger": _integer,
    "compareTo": _compared,
    "isGreaterThan": lambda left, right: _compared(left, right) > 0,
    "isInteger": lambda value: _fits(_value(value)),
    "isLessThan": lambda left, right: _compared(left, right) < 0,
    "sub": lambda left, right: Quantity(_value(left) - _other(right)),
}
