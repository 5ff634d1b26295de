"""Problems of custom resources and definitions. Values are printed like Go's `%v`."""

from __future__ import annotations

import math
from typing import Any

from engine.values.floats import text_form
from engine.values.go_json import encode

from .. import problems
from ..problems import NO_PATH, REQUIRED, TOO_LONG, TOO_MANY, UNSUPPORTED, WRONG_TYPE, Printed, Problem
from ..text.go_text import quoted

BLOCKING = frozenset({WRONG_TYPE, REQUIRED, UNSUPPORTED, TOO_LONG, TOO_MANY})
"""Problems after which a server skips all rules of the definition."""


def blocks_rules(problem: Problem) -> bool:
    """Whether rules are skipped because of the problem."""
    return problem.kind in BLOCKING


def shown(value: Any) -> str:
    """Return a value as Go prints it in a message."""
    if isinstance(value, str):
        return quoted(value)
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, Printed):
        return value.text
    return go_number(value) if isinstance(value, float) else encode(value)


def go_number(value: float) -> str:
    """Return a float as Go prints it with `%v`."""
    if value - value == 0:
        return text_form(value)
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def go_text(value: Any) -> str:
    """Return any value as Go prints it with `%v`."""
    if value is None:
        return "<nil>"
    if isinstance(value, list):
        return f"[{' '.join(map(go_text, value))}]"
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{go_text(one)}' for key, one in sorted(value.items()))}]"
    return value if isinstance(value, str) else shown(value)


def _printed(value: Any) -> Printed:
    return Printed(shown(value))


def invalid(at: str, value: Any, detail: str) -> Problem:
    """The value is invalid."""
    return problems.invalid(at, _printed(value), detail)


def wrong_type(at: str, value: Any, detail: str) -> Problem:
    """The type of the value is invalid."""
    return Problem(WRONG_TYPE, at, _printed(value), detail)


def duplicate(at: str, value: Any) -> Problem:
    """The value is a duplicate."""
    return problems.duplicate(at, _printed(value))


def unsupported(at: str, value: Any, allowed: list[str]) -> Problem:
    """The value is not one of the supported values."""
    return problems.unsupported(at, _printed(value), allowed)


def by_schema(problem: Problem) -> Problem:
    """Mark a text as too long by a schema, which some releases word in another way."""
    return problem._replace(origin=OF_SCHEMA)


OF_SCHEMA = "schema"
NOT_CHECKED = problems.invalid(
    NO_PATH,
    None,
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation",
)


NOT_CHECKED_IN_GO = NOT_CHECKED._replace(value="null")
"""The same of a release that prints values in Go syntax."""


def deduplicate(found: list[Problem]) -> list[Problem]:
    """Remove repeated problems."""
    return list(dict.fromkeys(found))
