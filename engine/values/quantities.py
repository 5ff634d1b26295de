"""Quantities (CPU, memory and so on) and their canonical form, as in the API."""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_UP, Context, Decimal

from .go_json import encode
from .kept import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

NANO, MILLI = 9, 3
"""Decimal places; smaller digits are rounded up to one unit of the last place."""
MOST_BINARY = Decimal(2**63 - 1)
SHORT = 18
"""The digits that always fit into 64 bits; a quantity with more is always rewritten."""
SPACES = " \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Spaces that are allowed around a quantity: those that JSON text holds unescaped."""

_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_OF = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_FORM = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[+-]?|[+-])[0-9]*)?")
_EXPONENT = re.compile(r"[eE]([+-]?)0*([0-9]+)")
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, rounding=ROUND_UP)

NO_FORM = r"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
NO_NUMBER = "unable to parse numeric part of quantity"
NO_SUFFIX = "unable to parse quantity's suffix"


class BadQuantity(ValueError):
    """A value that is not a quantity. The text is the reason, in the API's words."""


class Amount:
    """A parsed quantity: its value, its suffix kind, and the decimal places at which its text is canonical, or None."""

    __slots__ = ("kind", "stays", "value")

    def __init__(self, value: Decimal, kind: str, stays: int | None) -> None:
        self.value, self.kind, self.stays = value, kind, stays


def canonical(value: Any, places: int = NANO) -> str:
    """A quantity as the API prints it, rounded away from zero; BadQuantity if it is not one."""
    return _format(_text(value), places)


def parsed(value: Any) -> Amount:
    """The parsed quantity; BadQuantity if it is not one."""
    return _read(_text(value))


def problem(value: Any) -> str:
    """The reason why the value is not a quantity, in the API's words; empty if it is one."""
    try:
        canonical(value)
    except BadQuantity as error:
        return str(error)
    return ""


def amount(value: Any) -> Decimal | None:
    """The number that a quantity stands for, or None if it is not a quantity."""
    try:
        return parsed(value).value
    except BadQuantity:
        return None


def total(values: Iterable[Any]) -> str:
    """The sum of quantities in canonical form, with the suffix kind of the first one that is not zero."""
    amounts = [parsed(value) for value in values]
    kind = next((one.kind for one in amounts if one.value), "decimal")
    value = Decimal(0)
    for one in amounts:
        value = _EXACT.add(value, one.value)
    return _printed(_round(value, NANO), kind)


def _text(value: Any) -> str:
    if type(value) is str:
        return value.strip(SPACES)
    if type(value) in (int, float):
        return encode(value)
    raise BadQuantity(NO_FORM)


# ---- parsing ---------------------------------------------------------------------------------------------------------


@kept(4096)
def _read(text: str) -> Amount:
    found = _FORM.fullmatch(text)
    if found is None or not text:
        raise BadQuantity(NO_FORM)
    sign, whole, fraction, suffix = (part or "" for part in found.groups())
    number, digits = Decimal(f"{sign}{whole or 0}.{fraction}"), (whole.lstrip("0") or "0") + fraction
    power = _BINARY.get(suffix)
    if power is not None:
        value, kind, places = _EXACT.multiply(number, Decimal(1 << power)), "binary", 0
        short = not fraction and len(digits) + power * 3 // 10 < 15
        canonical_form = short and int(digits) % 8 != 0
    else:
        exponent, kind = _exponent(suffix)
        value, places = _EXACT.scaleb(number, exponent), len(fraction) - exponent
        short = len(digits) <= SHORT and places <= NANO
        canonical_form = short and not (places % 3 or digits.endswith("000") or digits.startswith("0"))
    if not short and not (whole or fraction):
        raise BadQuantity(NO_NUMBER)
    return Amount(value, kind, places if canonical_form else None)


def _exponent(suffix: str) -> tuple[int, str]:
    if suffix in _DECIMAL:
        return _DECIMAL[suffix], "decimal"
    found = _EXPONENT.fullmatch(suffix)
    if found is None or len(found[2]) > len(str(2**63)):
        raise BadQuantity(NO_SUFFIX)
    exponent = int(found[1] + found[2])
    if not -(2**63) <= exponent < 2**63:
        raise BadQuantity(NO_SUFFIX)
    return (exponent + 2**31) % 2**32 - 2**31, "exponent"  # Go keeps the lowest 32 bits of 64


# ---- printing --------------------------------------------------------------------------------------------------------


def _format(text: str, places: int) -> str:
    found = _read(text)
    if found.stays is not None and found.stays <= places:
        return text
    return _printed(_round(found.value, places), found.kind)


def _printed(value: Decimal, kind: str) -> str:
    if kind == "binary":
        value = max(-MOST_BINARY, min(value, MOST_BINARY))
        if abs(value) >= 1024 and value == value.to_integral_value(context=_EXACT):
            return _with_binary_suffix(int(value))
    return _with_decimal_suffix(value, kind) if value else "0"


def _round(value: Decimal, places: int) -> Decimal:
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -places:
        return value.quantize(Decimal(f"1e{-places}"), context=_EXACT)
    return value


def _with_binary_suffix(value: int) -> str:
    thousands = 0
    while not value % 1024:
        value, thousands = value // 1024, thousands + 1
    return f"{value}{['', *_BINARY][thousands]}"


def _with_decimal_suffix(value: Decimal, kind: str) -> str:
    """Digits and a power of 1000. Beyond `E` the reference prints no suffix at all: `1000E` becomes `1`."""
    shortest = value.normalize(_EXACT)
    sign, digits, exponent = shortest.as_tuple()
    zeros = int(exponent) % 3
    number = "-" * sign + "".join(map(str, digits)) + "0" * zeros
    power = int(exponent) - zeros
    if kind == "exponent":
        return f"{number}e{power}" if power else number
    return number + _DECIMAL_OF.get(power, "")
