"""What is wrong with a value, in the server's words; some kinds of problems keep rules from being judged."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from engine.values.floats import text_form
from engine.values.go_json import encode

from ..text.go_text import quoted

INVALID, TYPE, REQUIRED, DUPLICATE = "Invalid value", "Invalid value of a type", "Required value", "Duplicate value"
UNSUPPORTED, FORBIDDEN, TOO_LONG, TOO_MANY = "Unsupported value", "Forbidden", "Too long", "Too many"
BLOCKING = frozenset({TYPE, REQUIRED, UNSUPPORTED, TOO_LONG, TOO_MANY})
"""With one of these, a server does not judge any rule of the definition."""
NOWHERE = "<nil>"
"""How Go prints a place that was not given."""
OMITTED = object()
"""A value that is not shown."""


class Literal(NamedTuple):
    """A value whose text is known already."""

    text: str


class Problem(NamedTuple):
    """One problem: the kind, the place, and the whole text after it."""

    kind: str
    at: str
    body: str

    def __str__(self) -> str:
        return f"{self.at}: {self.body}"

    @property
    def blocks_rules(self) -> bool:
        """Whether rules are not judged because of it."""
        return self.kind in BLOCKING


def shown(value: Any) -> str:
    """A value as Go prints it in a message."""
    if isinstance(value, str):
        return quoted(value)
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, Literal):
        return value.text
    return go_number(value) if isinstance(value, float) else encode(value)


def go_number(value: float) -> str:
    """A float as Go prints it with `%v`."""
    if value - value == 0:
        return text_form(value)
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def go_text(value: Any) -> str:
    """Any value as Go prints it with `%v`."""
    if value is None:
        return "<nil>"
    if isinstance(value, list):
        return f"[{' '.join(map(go_text, value))}]"
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{go_text(one)}' for key, one in sorted(value.items()))}]"
    return value if isinstance(value, str) else shown(value)


def _body(kind: str, value: Any, detail: str) -> str:
    word = INVALID if kind == TYPE else kind
    body = word if value is OMITTED else f"{word}: {shown(value)}"
    return f"{body}: {detail}" if detail else body


def invalid(at: str, value: Any, detail: str) -> Problem:
    """The value is not allowed."""
    return Problem(INVALID, at, _body(INVALID, value, detail))


def wrong_type(at: str, value: Any, detail: str) -> Problem:
    """The value has a type that is not allowed."""
    return Problem(TYPE, at, _body(TYPE, value, detail))


def required(at: str, detail: str = "") -> Problem:
    """A value is missing."""
    return Problem(REQUIRED, at, _body(REQUIRED, OMITTED, detail))


def forbidden(at: str, detail: str) -> Problem:
    """The value must not be given."""
    return Problem(FORBIDDEN, at, _body(FORBIDDEN, OMITTED, detail))


def duplicate(at: str, value: Any) -> Problem:
    """The value is there twice."""
    return Problem(DUPLICATE, at, _body(DUPLICATE, value, ""))


def unsupported(at: str, value: Any, allowed: list[str]) -> Problem:
    """The value is none of those that are allowed."""
    listed = "supported values: " + ", ".join(map(quoted, allowed)) if allowed else ""
    return Problem(UNSUPPORTED, at, _body(UNSUPPORTED, value, listed))


def too_long(at: str, most: int) -> Problem:
    """The text is too long."""
    unit = "byte" if most == 1 else "bytes"
    return Problem(TOO_LONG, at, _body(TOO_LONG, OMITTED, f"may not be more than {most} {unit}"))


def too_many(at: str, found: int, most: int) -> Problem:
    """There are too many elements."""
    unit = "item" if most == 1 else "items"
    return Problem(TOO_MANY, at, _body(TOO_MANY, found, f"must have at most {most} {unit}"))


NOT_CHECKED = invalid(
    NOWHERE,
    None,
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation",
)


def listed(problems: list[Problem]) -> list[str]:
    """The texts of problems, each once."""
    return list(dict.fromkeys(map(str, problems)))


def internal(at: str, why: str) -> Problem:
    """The server itself failed."""
    return Problem("Internal error", at, f"Internal error: {why}")
