"""Values in a table: short ones as they are, long ones folded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..apiserver.text.yaml_out import dump

_SHORT = 120
_FEW = 2


@dataclass(frozen=True)
class Value:
    """A value as text. If `summary` is set, the text unfolds below it."""

    text: str
    summary: str = ""


def shown(value: Any) -> Value | None:
    """A value in readable form. None if there is none."""
    if value is None:
        return None
    text = _text(value)
    lines = text.count("\n") + 1
    if len(text) <= _SHORT and lines <= _FEW:
        return Value(text)
    return Value(text, _summary(value, lines))


def _text(value: Any) -> str:
    if isinstance(value, dict | list):
        return dump(value).rstrip("\n")
    return value if isinstance(value, str) and "\n" in value else dump([value])[2:].rstrip("\n")


def _summary(value: Any, lines: int) -> str:
    if isinstance(value, dict):
        return f"map of {len(value)}: {_beginning(', '.join(map(str, value)))}"
    if isinstance(value, list):
        return f"list of {len(value)}"
    return _beginning(str(value)) if lines == 1 else f"text of {lines} lines"


def _beginning(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"
