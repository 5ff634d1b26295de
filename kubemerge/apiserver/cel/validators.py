"""Validation of constants after type-checking: durations, times, patterns, formats, mixed lists and maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..regex.matching import compile_pattern
from ..regex.syntax import BadPattern, UnknownPattern
from .language.checker import is_call, nodes, unwrapped
from .language.environments import CHECKED_CONSTANTS, NEWEST
from .language.tree import CALL, CONST, LIST, MAP, Expr
from .language.types import DYN, Type, runtime_name
from .library.conversions import FUNCTIONS
from .library.formatting import clause_error, replace_clauses
from .values import CelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .language.checker import Checked

    Problem = tuple[int, str]


def problems(checked: Checked, environment: int = NEWEST) -> list[Problem]:
    """Return all problems of constants in a type-checked expression. Old environments only reject mixed ones."""
    found: list[Problem] = []
    everything = nodes(checked.expr)
    for one in everything:
        if one.kind == CONST or not one.parts or environment < CHECKED_CONSTANTS:
            continue
        found.extend(_of_literal(one))
        if is_call(one, "format") and one.member:
            found.extend(_of_format(one, checked))
    exempt = _in_formats(everything)
    for one in everything:
        if one.kind == LIST and one not in exempt:
            found.extend(_of_list(one, checked))
        elif one.kind == MAP and one not in exempt:
            found.extend(_of_map(one, checked))
    return found


def _of_literal(expr: Expr) -> Iterator[Problem]:
    given = expr.parts[1:] if expr.member else expr.parts
    if expr.name not in LITERALS or expr.kind != CALL or not given or given[0].kind != CONST:
        return
    if not LITERALS[expr.name](given[0].value):
        yield given[0].at, f"invalid {expr.name} argument"


def _converts(name: str) -> Any:
    def check(value: Any) -> bool:
        try:
            FUNCTIONS[name](value)
        except CelError:
            return False
        return True

    return check


def _compiles(value: Any) -> bool:
    try:
        compile_pattern(value)
    except BadPattern:
        return False
    except UnknownPattern:
        pass
    return True


LITERALS = {"duration": _converts("duration"), "timestamp": _converts("timestamp"), "matches": _compiles}
"""Functions whose first argument is validated if it is constant."""


# ---- lists and maps --------------------------------------------------------------------------------------------------


def _in_formats(everything: list[Expr]) -> set[Expr]:
    """Nodes inside calls of `format`, where types may be mixed."""
    return {inner for one in everything if is_call(one, "format") for inner in nodes(one)}


def _of_list(expr: Expr, checked: Checked) -> Iterator[Problem]:
    first: Type | None = None
    for place, part in enumerate(expr.parts):
        found = checked.types[part]
        if place in expr.value:
            found = unwrapped(found)
        if first is None:
            first = found
        elif found != first:
            yield part.at, f"expected type '{first}' but found '{found}'"
            return


def _of_map(expr: Expr, checked: Checked) -> Iterator[Problem]:
    first: tuple[Type, Type] | None = None
    for place in range(0, len(expr.parts), 2):
        found = checked.types[expr.parts[place]], checked.types[expr.parts[place + 1]]
        if place in expr.value:
            found = found[0], unwrapped(found[1])
        if first is None:
            first = found
            continue
        for offset in (0, 1):
            if found[offset] != first[offset]:
                why = f"expected type '{first[offset]}' but found '{found[offset]}'"
                yield expr.parts[place + offset].at, why


# ---- formats ---------------------------------------------------------------------------------------------------------

TAKEN = {
    "d": ("int", "uint"),
    "f": ("double", "string"),
    "e": ("double", "string"),
    "b": ("int", "uint", "bool"),
    "x": ("int", "uint", "string", "bytes"),
    "o": ("int", "uint"),
}
SHOWN = frozenset(
    ("list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null")
)


class _Misfit(CelError):
    """A value of the wrong type for a clause. Its position is the value's."""

    def __init__(self, at: int, letter: str, of: Type) -> None:
        super().__init__(str(clause_error(letter, runtime_name(of))))
        self.at = at


def _of_format(expr: Expr, checked: Checked) -> Iterator[Problem]:
    target, given = expr.parts
    if target.kind != CONST or not isinstance(target.value, str) or given.kind != LIST:
        return
    used = 0

    def clause(letter: str, _precision: int | None, place: int) -> str:
        nonlocal used
        used = place + 1
        part = given.parts[place]
        if letter == "s":
            _check_text(part, checked)
        elif checked.types[part] != DYN and checked.types[part].name not in TAKEN[letter.lower()]:
            raise _Misfit(part.at, letter, checked.types[part])
        return ""

    try:
        replace_clauses(target.value, len(given.parts), clause, checks=True)
    except _Misfit as error:
        yield error.at, str(error)
        return
    except CelError as error:
        yield expr.at, str(error)
        return
    if len(given.parts) > used:
        why = f"too many arguments supplied to string.format (expected {used}, got {len(given.parts)})"
        yield expr.at, why


def _check_text(part: Expr, checked: Checked) -> None:
    of = checked.types[part]
    if of != DYN and of.name not in SHOWN:
        raise _Misfit(part.at, "s", of)
    if part.kind in (LIST, MAP):
        for inner in part.parts:
            _check_text(inner, checked)
