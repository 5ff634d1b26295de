"""`'...%s'.format([...])`: formatted values in a text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...schemas.problems import go_number
from ...text.go_text import quoted
from ..language.tree import Uint
from ..meter import MAX_VALUES, TooExpensive
from ..values import LISTS, CelError, Duration, Map, Object, Time, TypeValue, unshared_size, value_at
from .conversions import text_of, type_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..meter import Meter

    Clause = Callable[[str, "int | None", int], str]

DIGITS = 6
LARGEST = 10**6
"""The limit after which the digits of a precision are no longer read."""
TIMES = "\u00d7"
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MANY = (
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and "
    "timestamps"
)
ONLY = {
    "s": MANY,
    "d": "decimal clause can only be used on integers",
    "f": "fixed-point clause can only be used on doubles",
    "e": "scientific clause can only be used on doubles",
    "b": "only integers and bools can be formatted as binary",
    "x": "only integers, byte buffers, and strings can be formatted as hex",
    "o": "octal clause can only be used on integers",
}
"""The reasons for rejecting a value."""


def replace_clauses(text: str, count: int, clause: Clause, *, checks: bool = False) -> str:
    """Replace the clauses of a text by the results of `clause` for letter, precision and position.

    Raise CelError. With `checks`, each position has a value until the clause is complete, as at definition.
    """
    found: list[str] = []
    at = used = 0
    while True:
        percent = text.find("%", at)
        if percent < 0:
            found.append(text[at:])
            return "".join(found)
        found.append(text[at:percent])
        at = percent + 1
        if text.startswith("%", at):
            found.append("%")
            at += 1
            continue
        if used >= count and not checks:
            raise CelError(f"index {used} out of range")
        if at >= len(text):
            raise CelError("unexpected end of string")
        if used >= count:
            raise CelError(f"index {used} out of range")
        precision, at = _precision(text, at)
        letter = text[at]
        if letter.lower() not in ONLY or letter in "SDFEBO":
            said = letter if letter.isascii() else chr(letter.encode()[0])
            raise CelError(f'could not parse formatting clause: unrecognized formatting clause "{said}"')
        found.append(clause(letter, precision, used))
        at, used = at + 1, used + 1


def _precision(text: str, at: int) -> tuple[int | None, int]:
    if text[at] != ".":
        return None, at
    end = at + 1
    while end < len(text) and text[end] in "0123456789":
        end += 1
    where = "could not parse formatting clause: error while parsing precision"
    if end >= len(text):
        raise CelError(f"{where}: could not find end of precision specifier")
    digits = text[at + 1 : end]
    if not digits or len(digits.lstrip("0")) > 19 or int(digits) >= 2**63:
        why = "value out of range" if digits else "invalid syntax"
        raise CelError(f'{where}: error while converting precision to integer: strconv.Atoi: parsing "{digits}": {why}')
    return int(digits), end


def clause_error(letter: str, kind: str) -> CelError:
    """Return the error for a value of this type in a clause."""
    return CelError(f"error during formatting: {ONLY[letter.lower()]}, was given {kind}")


def format_text(text: str, given: list[Any], meter: Meter) -> str:
    """Return the text with formatted values."""

    def clause(letter: str, precision: int | None, place: int) -> str:
        if precision is not None and precision // 10 <= LARGEST:
            meter.reserve(precision)
        if unshared_size(given[place]) > MAX_VALUES:
            raise TooExpensive
        found = _one(letter, precision, given[place])
        meter.reserve(len(found))
        return found

    return replace_clauses(text, len(given), clause)


def _one(letter: str, precision: int | None, value: Any) -> str:
    found = CLAUSES[letter.lower()](letter, precision, value)
    if found is None:
        raise clause_error(letter, type_name(value))
    return found


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _decimal(_letter: str, _precision: int | None, value: Any) -> str | None:
    return str(int(value)) if _is_integer(value) else None


def _number(letter: str, precision: int | None, value: Any) -> str | None:
    """A number with grouped digits and exponents in superscript, as in English."""
    if value in ("NaN", "Infinity", "-Infinity"):
        value = float(value)
    if not isinstance(value, float):
        return None
    if precision is not None and precision // 10 > LARGEST:
        return "%!(NOVERB)"
    digits = DIGITS if precision is None else precision
    if value == 0:
        value = 0.0
    if letter == "e":  # the precision is a width for e
        return _scientific(value).rjust(digits)
    if not math.isfinite(value):
        return _no_number(value)
    exact = f"{value:,.{min(digits, 1100)}f}"  # no double has more digits
    return exact + "0" * (digits - 1100)


def _no_number(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"


def _scientific(value: float) -> str:
    if not math.isfinite(value):
        return _no_number(value)
    number, _, exponent = f"{value:.{DIGITS}e}".partition("e")
    return f"{number}{TIMES}10{exponent.lstrip('+').translate(SUPERSCRIPTS)}"


def _binary(_letter: str, _precision: int | None, value: Any) -> str | None:
    return format(int(value), "b") if isinstance(value, int) else None


def _hexadecimal(letter: str, _precision: int | None, value: Any) -> str | None:
    if isinstance(value, (str, bytes)):
        found = (value.encode() if isinstance(value, str) else value).hex()
        return found.upper() if letter == "X" else found
    return format(int(value), letter) if _is_integer(value) else None


def _octal(_letter: str, _precision: int | None, value: Any) -> str | None:
    return format(int(value), "o") if _is_integer(value) else None


def _text(_letter: str, _precision: int | None, value: Any) -> str | None:
    if isinstance(value, LISTS):
        return "[" + ", ".join([_inner(one) for one in value]) + "]"
    if isinstance(value, (dict, Map, Object)):
        return _entries(value)
    if value is None:
        return "null"
    if isinstance(value, TypeValue):
        return value.name
    if isinstance(value, (str, bytes, bool, int, float, Time, Duration)):
        try:
            return text_of(value)
        except CelError as error:
            why = f'could not convert argument "{error}" to string'
            raise CelError(f"error during formatting: {why}") from None
    return None


def _entries(value: Any) -> str:
    pairs: list[tuple[str, str]] = []
    for key in value:
        if not isinstance(key, (str, bool, int, Uint)):
            why = f"no formatting function for map key of type {type_name(key)}"
            raise CelError(f"error during formatting: {why}")
        pairs.append((_inner(key), _inner(value_at(value, key))))
    return "{" + ", ".join([f"{key}:{one}" for key, one in sorted(pairs, key=lambda pair: pair[0])]) + "}"


def _inner(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bytes):
        return f"b{quoted(text_of(value))}"
    if isinstance(value, Time):
        return f'timestamp("{text_of(value)}")'
    if isinstance(value, Duration):
        return f'duration("{text_of(value)}")'
    if isinstance(value, float):
        return f"{value:.6f}" if math.isfinite(value) else f'"{go_number(value)}"'
    found = _text("s", None, value)
    if found is None:
        raise CelError(f"error during formatting: no formatting function for {type_name(value)}")
    return found


CLAUSES: dict[str, Callable[[str, int | None, Any], str | None]] = {
    "s": _text,
    "d": _decimal,
    "f": _number,
    "e": _number,
    "b": _binary,
    "x": _hexadecimal,
    "o": _octal,
}
"""The formatters. They return None for a value of a wrong type."""
