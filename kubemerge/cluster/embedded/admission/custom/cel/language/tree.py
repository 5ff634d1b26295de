"""The tree of an expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

CONST, IDENT, SELECT, TEST, CALL, LIST, MAP, FOLD = "const", "ident", "select", "test", "call", "list", "map", "fold"


@dataclass(frozen=True)
class Expr:
    """One node. What `name`, `parts` and `value` are depends on the kind.

    A call that has a receiver has it as its first part. A fold is a macro over a list or a map: its first part is what
    it goes over, and `value` names its variables.
    """

    kind: str
    at: int
    name: str = ""
    parts: tuple[Expr, ...] = ()
    value: Any = None
    member: bool = False


class Uint(int):
    """A number without a sign."""


class CelSyntaxError(Exception):
    """An expression that cannot be read; `at` is the place in it."""

    def __init__(self, at: int, why: str) -> None:
        self.at, self.why = at, why
        super().__init__(why)


def located(text: str, problems: list[tuple[int, str]]) -> str:
    """Problems at their places, as CEL prints them."""
    return "\n".join(_located(text, at, why) for at, why in sorted(problems))


def _located(text: str, at: int, why: str) -> str:
    if not text:
        return f"ERROR: <input>:1:0: {why}"
    before = text[:at].split("\n")
    lines = text.split("\n")
    number, column = len(before), len(before[-1])
    line = lines[number - 1].replace("\t", " ")
    return f"ERROR: <input>:{number}:{column + 1}: {why}\n | {line}\n | {'.' * column}^"
