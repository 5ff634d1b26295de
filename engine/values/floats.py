"""Floats as Go prints them, for JSON and for comparing values as text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_form(value: float) -> str:
    """Go's `encoding/json`: plain digits from 1e-6 to 1e21, otherwise an exponent."""
    sign, digits, point = _parts(value)
    if -6 < point <= 21:
        return sign + _plain(digits, point)
    exponent = point - 1
    return f"{sign}{_mantissa(digits)}e{'+' if exponent > 0 else ''}{exponent}"


def text_form(value: float) -> str:
    """Go's `%v`: plain digits from 1e-4 to 1e6, otherwise an exponent of at least two digits."""
    sign, digits, point = _parts(value)
    exponent = point - 1
    if -4 <= exponent < 6:
        return sign + _plain(digits, point)
    return f"{sign}{_mantissa(digits)}e{'+' if exponent > 0 else '-'}{abs(exponent):02d}"


def whole_numbers(value: Any, limit: float) -> Any:
    """The value with 1 instead of 1.0, at any depth, where the absolute value is below the limit."""
    if isinstance(value, dict):
        return {key: whole_numbers(inner, limit) for key, inner in value.items()}
    if isinstance(value, list):
        return [whole_numbers(inner, limit) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < limit else value


def _parts(value: float) -> tuple[str, str, int]:
    """Sign, shortest digits and exponent: the value is 0.<digits> times ten to the power of the exponent."""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    sign = "-" if repr(value).startswith("-") else ""
    digits = digits.rstrip("0")
    return (sign, digits, point) if digits else (sign, "0", 1)


def _plain(digits: str, point: int) -> str:
    if point <= 0:
        return "0." + "0" * -point + digits
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"


def _mantissa(digits: str) -> str:
    return f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
