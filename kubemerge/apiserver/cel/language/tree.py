"""The syntax tree of an expression."""

from __future__ import annotations

from typing import Any, NamedTuple

CONST, IDENT, SELECT, TEST, CALL, LIST, MAP, FOLD = "const", "ident", "select", "test", "call", "list", "map", "fold"
STRUCT = "struct"


class Expr:
    """One node. The meaning of `name`, `parts` and `value` depends on the kind.

    The receiver of a member call is its first part. A fold is a comprehension: its parts are the range, the initial
    value, the condition, the step and the result, and `value` contains the names of its variables. A struct has the
    name of its type, and `value` contains a `Field` for each part. Nodes are compared by identity, because types and
    overloads are recorded per node.
    """

    __slots__ = ("at", "height", "kind", "member", "name", "parts", "value")

    def __init__(
        self,
        kind: str,
        at: int,
        name: str = "",
        parts: tuple[Expr, ...] = (),
        value: Any = None,
        member: bool = False,
    ) -> None:
        self.kind, self.at, self.name, self.parts, self.value, self.member = kind, at, name, parts, value, member
        self.height = 0
        """Levels of operators, selections and calls, as the parser of cel-go counts them."""


class Field(NamedTuple):
    """A field in the literal of a struct. `optional` if its value may be missing."""

    name: str
    at: int
    optional: bool


class Variables(NamedTuple):
    """The variables of a comprehension. `second` is empty if it has only one."""

    first: str
    second: str
    result: str


class Uint(int):
    """An unsigned integer."""


class CelSyntaxError(Exception):
    """A syntax error. `at` is the offset in the text, or -1 if it has none. `others` are errors before it."""

    def __init__(self, at: int, why: str, others: tuple[CelSyntaxError, ...] = ()) -> None:
        self.at, self.why, self.others = at, why, others
        super().__init__(why)

    def located_in(self, text: str) -> str:
        """Return all errors with their positions in the expression."""
        return located(text, [(one.at, one.why) for one in (*self.others, self)])


MOST_PROBLEMS = 100
LONGEST_LINE = 16384


def located(text: str, problems: list[tuple[int, str]]) -> str:
    """Return errors with their positions, as CEL prints them."""
    lines = text.split("\n")
    found = [_located(text, lines, at, why) for at, why in sorted(problems, key=lambda one: one[0])[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        found.append(f"{len(problems) - MOST_PROBLEMS} more errors were truncated")
    return "\n".join(found)


def _located(text: str, lines: list[str], at: int, why: str) -> str:
    if at < 0:
        return f"ERROR: <input>:-1:0: {why}"
    if not text:
        return f"ERROR: <input>:1:0: {why}"
    number, column = text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1)
    line = lines[number - 1]
    said = f"ERROR: <input>:{number}:{column + 1}: {why}"
    if len(line) > LONGEST_LINE:
        return said
    dots = "".join("." if char.isascii() else "\uff0e" for char in line[:column])
    sign = "^" if line[column : column + 1].isascii() else "\uff3e"
    return f"{said}\n | {line.replace(chr(9), ' ')}\n | {dots}{sign}"
