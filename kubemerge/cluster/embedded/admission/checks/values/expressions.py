"""Expressions of CEL in built-in kinds: whether they can be read. Their types are not looked at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.unchecked import text

from .....refusals import invalid

if TYPE_CHECKING:
    from collections.abc import Iterator


_MESSAGE = re.compile(r"\w\s*\{")
"""How a message is made, as `Object{...}`: definitions have none, and only their language is read here."""


def syntax(at: str, value: Any) -> Iterator[str]:
    """Why an expression cannot be read."""
    from ...custom.cel.language.parser import parsed  # late, because hardly any object has one
    from ...custom.cel.language.tree import CelSyntaxError, located

    expression = text(value)
    if _MESSAGE.search(expression):
        return
    try:
        parsed(expression)
    except CelSyntaxError as error:
        yield invalid(at, expression, f"compilation failed: {located(expression, [(error.at, error.why)])}")
