"""Macros, which the parser expands to comprehensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .tree import CALL, CONST, FOLD, IDENT, LIST, MAP, SELECT, TEST, CelSyntaxError, Expr, Variables

if TYPE_CHECKING:
    from collections.abc import Callable

    Args = tuple[Expr, ...]
    Expander = Callable[[Expr, Args, int], Expr]

RESULT = "@result"
INPUT = "@__sortBy_input__"
UNUSED = "#unused"
LARGEST = 50_000
"""The maximum number of nodes in copied targets of one expression. Each `optMap` in a chain doubles its target."""


def copy_tree(expr: Expr, left: list[int]) -> Expr:
    """Copy a tree, with new nodes."""
    left[0] -= 1
    if left[0] < 0:
        raise CelSyntaxError(-1, "expression is too large once its macros are expanded")
    parts = tuple([copy_tree(one, left) for one in expr.parts])
    return Expr(expr.kind, expr.at, expr.name, parts, expr.value, expr.member)


def _ident(at: int, name: str = RESULT) -> Expr:
    return Expr(IDENT, at, name)


def _const(at: int, value: object) -> Expr:
    return Expr(CONST, at, value=value)


def _call(at: int, name: str, *parts: Expr) -> Expr:
    return Expr(CALL, at, name, parts)


def _list(at: int, *parts: Expr) -> Expr:
    return Expr(LIST, at, parts=parts, value=frozenset())


def _variable(expr: Expr, why: str) -> str:
    if expr.kind != IDENT:
        raise CelSyntaxError(expr.at, why)
    if expr.name == "__result__":
        raise CelSyntaxError(expr.at, "iteration variable overwrites accumulator variable")
    return expr.name


SIMPLE, IDENTIFIER = "argument must be a simple name", "argument is not an identifier"


def _variables(given: Args, count: int, why: str) -> Variables:
    if count == 1:
        return Variables(_variable(given[0], why), "", RESULT)
    names = [given[0], given[1]]
    for one in names:
        if one.kind != IDENT:
            raise CelSyntaxError(one.at, why)
    if names[0].name == names[1].name:
        raise CelSyntaxError(given[1].at, f"duplicate variable name: {names[0].name}")
    return Variables(_variable(names[0], why), _variable(names[1], why), RESULT)


def _fold(at: int, target: Expr, names: Variables, init: Expr, condition: Expr, step: Expr, result: Expr) -> Expr:
    return Expr(FOLD, at, parts=(target, init, condition, step, result), value=names)


def _all(count: int) -> Expander:
    def expand(target: Expr, given: Args, at: int) -> Expr:
        names = _variables(given, count, SIMPLE)
        condition = _call(at, "@not_strictly_false", _ident(at))
        step = _call(at, "_&&_", _ident(at), given[count])
        return _fold(at, target, names, _const(at, True), condition, step, _ident(at))

    return expand


def _exists(count: int) -> Expander:
    def expand(target: Expr, given: Args, at: int) -> Expr:
        names = _variables(given, count, SIMPLE)
        condition = _call(at, "@not_strictly_false", _call(at, "!_", _ident(at)))
        step = _call(at, "_||_", _ident(at), given[count])
        return _fold(at, target, names, _const(at, False), condition, step, _ident(at))

    return expand


def _exists_one(count: int) -> Expander:
    def expand(target: Expr, given: Args, at: int) -> Expr:
        names = _variables(given, count, SIMPLE)
        counted = _call(at, "_+_", _ident(at), _const(at, 1))
        step = _call(at, "_?_:_", given[count], counted, _ident(at))
        result = _call(at, "_==_", _ident(at), _const(at, 1))
        return _fold(at, target, names, _const(at, 0), _const(at, True), step, result)

    return expand


def _mapped(target: Expr, names: Variables, given: Args, at: int) -> Expr:
    """A list of results. With two arguments, the first one filters the elements."""
    step = _call(at, "_+_", _ident(at), _list(at, given[-1]))
    if len(given) == 2:
        step = _call(at, "_?_:_", given[0], step, _ident(at))
    return _fold(at, target, names, _list(at), _const(at, True), step, _ident(at))


def _map(target: Expr, given: Args, at: int) -> Expr:
    return _mapped(target, _variables(given, 1, IDENTIFIER), given[1:], at)


def _filter(target: Expr, given: Args, at: int) -> Expr:
    names = _variables(given, 1, IDENTIFIER)
    return _mapped(target, names, (given[1], given[0]), at)


def _transform_list(target: Expr, given: Args, at: int) -> Expr:
    return _mapped(target, _variables(given, 2, SIMPLE), given[2:], at)


def _transform_map(target: Expr, given: Args, at: int) -> Expr:
    names = _variables(given, 2, SIMPLE)
    return _inserted(target, names, given[2:], at, _ident(at, names.first), given[-1])


def _transform_entries(target: Expr, given: Args, at: int) -> Expr:
    return _inserted(target, _variables(given, 2, SIMPLE), given[2:], at, given[-1])


def _inserted(target: Expr, names: Variables, given: Args, at: int, *entry: Expr) -> Expr:
    step = _call(at, "cel.@mapInsert", _ident(at), *entry)
    if len(given) == 2:
        step = _call(at, "_?_:_", given[0], step, _ident(at))
    empty = Expr(MAP, at, value=frozenset())
    return _fold(at, target, names, empty, _const(at, True), step, _ident(at))


def _bound(at: int, name: str, value: Expr, result: Expr) -> Expr:
    """A comprehension over an empty range, which only binds a name to a value."""
    return _fold(at, _list(at), Variables(UNUSED, "", name), value, _const(at, False), _ident(at, name), result)


def _of_optional(name: str, *, flat: bool) -> Expander:
    def expand(target: Expr, given: Args, at: int) -> Expr:
        copy, variable, result = given
        if variable.kind != IDENT:
            raise CelSyntaxError(variable.at, f"{name}() variable name must be a simple identifier")
        value = Expr(CALL, at, "value", (copy,), member=True)
        found = _bound(at, variable.name, value, result)
        if not flat:
            found = _call(at, "optional.of", found)
        has_value = Expr(CALL, at, "hasValue", (target,), member=True)
        return _call(at, "_?_:_", has_value, found, _call(at, "optional.none"))

    return expand


def _sort_by(target: Expr, given: Args, at: int) -> Expr:
    if target.kind not in (LIST, SELECT, TEST, IDENT, FOLD, CALL):
        why = "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
        raise CelSyntaxError(target.at, why)
    keys = _map(_ident(at, INPUT), given, at)
    call = Expr(CALL, at, "@sortByAssociatedKeys", (_ident(at, INPUT), keys), member=True)
    return _bound(at, INPUT, target, call)


MEMBERS: dict[tuple[str, int], Expander] = {
    ("all", 2): _all(1),
    ("all", 3): _all(2),
    ("exists", 2): _exists(1),
    ("exists", 3): _exists(2),
    ("exists_one", 2): _exists_one(1),
    ("exists_one", 3): _exists_one(2),
    ("existsOne", 3): _exists_one(2),
    ("map", 2): _map,
    ("map", 3): _map,
    ("filter", 2): _filter,
    ("transformList", 3): _transform_list,
    ("transformList", 4): _transform_list,
    ("transformMap", 3): _transform_map,
    ("transformMap", 4): _transform_map,
    ("transformMapEntry", 3): _transform_entries,
    ("transformMapEntry", 4): _transform_entries,
    ("optMap", 2): _of_optional("optMap", flat=False),
    ("optFlatMap", 2): _of_optional("optFlatMap", flat=True),
    ("sortBy", 2): _sort_by,
}
"""Macros by name and number of arguments."""
COPYING = frozenset(("optMap", "optFlatMap"))
"""Macros whose first argument is a copy of their target."""


def has(given: Args, at: int) -> Expr:
    """Return a test for the presence of a field."""
    if given[0].kind != SELECT:
        raise CelSyntaxError(given[0].at, "invalid argument to has() macro")
    return Expr(TEST, at, given[0].name, given[0].parts)
