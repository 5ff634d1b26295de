"""Functions of quantities."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.values import quantities

from ..values import CelError, NoOverload

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Quantity:
    """A resource quantity."""

    value: Decimal
    whole: bool = field(default=True, compare=False)
    """Whether a server stores it as an integer. That depends on its notation."""
    kind = "kubernetes.Quantity"


_FORM = re.compile(r"[+-]?0*(\d*)(?:\.(\d*))?(?:(Ki|Mi|Gi|Ti|Pi|Ei)|([numkMGTPE]?)|[eE]([+-]?\d{1,3}))", re.ASCII)
BINARY = {name: 10 * power for power, name in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)}
DECIMAL = {name: 3 * power for power, name in enumerate("num", -3)} | {"": 0}
DECIMAL |= {name: 3 * power for power, name in enumerate("kMGTPE", 1)}


def _is_whole(text: str, value: Decimal) -> bool:
    """Whether a server parses a quantity as an integer, which depends on the written digits."""
    found = _FORM.fullmatch(text)
    if found is None or not _fits(value):
        return False
    digits, fraction = len(found[1] or "0"), len(found[2] or "")
    if found[3]:
        return not fraction and 15 - digits - int(BINARY[found[3]] * 3 / 10) - 1 >= 0
    exponent = int(found[5]) if found[5] else DECIMAL[found[4] or ""]
    return digits + fraction <= 18 and exponent >= fraction


def _quantity(value: Any) -> Quantity:
    found = quantities.amount(value) if value == value.strip() else None
    if found is None:
        raise CelError(quantities.problem(value) or quantities.NO_FORM)
    return Quantity(found, _is_whole(value, found))


def _sum(left: Any, right: Any, sign: int) -> Quantity:
    total = _value(left) + sign * _other(right)
    return Quantity(total, left.whole and getattr(right, "whole", True) and _fits(total))


def _is_quantity(value: Any) -> bool:
    return value == value.strip() and quantities.amount(value) is not None


def _value(of: Any) -> Decimal:
    if not isinstance(of, Quantity):
        raise NoOverload
    return of.value


def _other(value: Any) -> Decimal:
    return Decimal(value) if type(value) is int else _value(value)


def _compared(left: Any, right: Any) -> int:
    one, other = _value(left), _value(right)
    return (one > other) - (one < other)


def _fits(value: Decimal) -> bool:
    return value == value.to_integral_value() and -(2**63) <= value < 2**63


def _integer(value: Any) -> int:
    found = _value(value)
    if not value.whole:
        raise CelError("cannot convert value to integer")
    return int(found)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "quantity": _quantity,
    "isQuantity": _is_quantity,
    "sign": lambda value: (_value(value) > 0) - (_value(value) < 0),
}
METHODS: dict[str, Callable[..., Any]] = {
    "add": lambda left, right: _sum(left, right, 1),
    "asApproximateFloat": lambda value: float(_value(value)),
    "asInteger": _integer,
    "compareTo": _compared,
    "isGreaterThan": lambda left, right: _compared(left, right) > 0,
    "isInteger": lambda value: isinstance(_value(value), Decimal) and value.whole,
    "isLessThan": lambda left, right: _compared(left, right) < 0,
    "sub": lambda left, right: _sum(left, right, -1),
}
