"""`'...%s'.format([...])`: values in a text."""

from __future__ import annotations

import re
from typing import Any

from .......output.go_text import quoted
from ...problems import go_number
from ..values import CelError, Duration, List, Map, Time, TypeValue
from .conversions import text_of

_CLAUSE = re.compile(r"%(?:\.([0-9]+))?(.)|%", re.DOTALL)


def formatted(text: str, given: list[Any]) -> str:
    """The text with the values in the places of its clauses."""
    found: list[str] = []
    last = used = 0
    for clause in _CLAUSE.finditer(text):
        found.append(text[last : clause.start()])
        last = clause.end()
        if clause[2] is None:
            raise CelError("unexpected end of string")
        if clause[2] == "%":
            found.append("%")
            continue
        if used >= len(given):
            raise CelError(f"index {used} out of range")
        found.append(_one(clause[2], clause[1], given[used]))
        used += 1
    return "".join([*found, text[last:]])


def _one(kind: str, precision: str | None, value: Any) -> str:
    if kind == "s":
        return _text(value)
    if kind == "d":
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(int(value)) if isinstance(value, int) else go_number(value)
        raise CelError("error during formatting: decimal clause can only be used on integers")
    if kind in "fe":
        digits = int(precision) if precision else 6
        return f"{float(value):.{digits}{kind}}"
    if kind == "b":
        return format(int(value), "b")
    if kind in "xX":
        return _hexadecimal(value, kind)
    if kind == "o":
        return format(value, "o")
    raise CelError(f'unrecognized formatting clause "{kind}"')


def _hexadecimal(value: Any, kind: str) -> str:
    if isinstance(value, (str, bytes)):
        found = (value.encode() if isinstance(value, str) else value).hex()
        return found.upper() if kind == "X" else found
    return format(value, kind)


def _text(value: Any) -> str:
    if isinstance(value, (list, List)):
        return "[" + ", ".join(map(_inner, value)) + "]"
    if isinstance(value, (dict, Map)):
        pairs = [(key, value.get(key) if isinstance(value, Map) else value[key]) for key in value]
        return "{" + ", ".join(sorted(f"{_inner(key)}:{_inner(one)}" for key, one in pairs)) + "}"
    if value is None:
        return "null"
    return value.name if isinstance(value, TypeValue) else text_of(value)


def _inner(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Time):
        return f'timestamp("{text_of(value)}")'
    if isinstance(value, Duration):
        return f'duration("{text_of(value)}")'
    if isinstance(value, float):
        return f"{value:.6f}"
    return _text(value)
