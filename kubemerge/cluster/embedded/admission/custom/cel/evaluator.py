"""Evaluating an expression, with a bound on the work that it may do."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from . import operators
from .access import field, index, is_in, optional_field
from .equality import equal
from .language.checker import free_name
from .language.parser import parsed
from .language.tree import CALL, CONST, FOLD, IDENT, LIST, MAP, SELECT, TEST, Expr
from .library import functions
from .library.functions import decided
from .values import CelError, List, Map, NoOverload, Object, Optional, TooExpensive, TypeValue, items

if TYPE_CHECKING:
    from collections.abc import Callable

    Env = dict[str, Any]
    Run = Callable[[Env], Any]

MOST_WORK = 1_000_000
"""What one evaluation may cost."""
WORK = "\0work"
TYPES = frozenset(["bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type", "dyn"])


def evaluate(text: str, variables: Env, most: int = MOST_WORK) -> tuple[Any, int]:
    """The value of an expression, and the work that it took; raises CelError."""
    return run(program(text, tuple(variables)), variables, most)


def run(compiled: Run, variables: Env, most: int = MOST_WORK) -> tuple[Any, int]:
    """The value of an expression that was compiled before, and the work that it took; raises CelError."""
    work = [most]
    try:
        found = compiled({**variables, WORK: work})
    except RecursionError:
        raise CelError("the expression nests too deeply") from None
    return found, most - work[0]


@lru_cache(maxsize=2048)
def program(text: str, variables: tuple[str, ...]) -> Run:
    """An expression, ready to be evaluated; raises CelSyntaxError."""
    return _run(parsed(text), frozenset(variables))


def _spend(env: Env, cost: int) -> None:
    env[WORK][0] -= cost
    if env[WORK][0] < 0:
        raise TooExpensive


def _size(expr: Expr) -> int:
    return 1 + sum(map(_size, expr.parts))


def _run(expr: Expr, known: frozenset[str]) -> Run:
    return MAKERS[expr.kind](expr, known)


def _const(expr: Expr, _known: frozenset[str]) -> Run:
    value = expr.value
    return lambda _env: value


def _ident(expr: Expr, known: frozenset[str]) -> Run:
    name = expr.name
    if name not in known and name in TYPES:
        return lambda _env: TypeValue(name)

    def run(env: Env) -> Any:
        if name not in env:
            raise CelError(f"no such attribute(s): {name}")
        return env[name]

    return run


def _named(expr: Expr) -> str:
    """The name of a type with dots."""
    if expr.kind == IDENT:
        return expr.name
    return f"{_named(expr.parts[0])}.{expr.name}" if expr.kind == SELECT else ""


def _select(expr: Expr, known: frozenset[str]) -> Run:
    """A field; where everything before it is there, without asking twice."""
    first, _, _ = _named(expr).partition(".")
    if first in ("google", "net", "kubernetes") and first not in known:
        return lambda _env: TypeValue(_named(expr))
    target, name = _run(expr.parts[0], known), expr.name
    return lambda env: field(target(env), name)


def _test(expr: Expr, known: frozenset[str]) -> Run:
    target, name = _run(expr.parts[0], known), expr.name

    def run(env: Env) -> bool:
        of = target(env)
        if isinstance(of, Optional):
            return optional_field(of, name).there
        if isinstance(of, Object):
            return of.has(name)
        if isinstance(of, (dict, Map)):
            return name in of
        raise NoOverload

    return run


def _list(expr: Expr, known: frozenset[str]) -> Run:
    parts = [(_run(part, known), place in expr.value) for place, part in enumerate(expr.parts)]

    def run(env: Env) -> list[Any]:
        found = []
        for part, may_miss in parts:
            value = part(env)
            if not may_miss:
                found.append(value)
            elif value.there:
                found.append(value.value)
        return found

    return run


def _map(expr: Expr, known: frozenset[str]) -> Run:
    parts = [_run(part, known) for part in expr.parts]

    def run(env: Env) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for place in range(0, len(parts), 2):
            key, value = parts[place](env), parts[place + 1](env)
            if place in expr.value:
                if not value.there:
                    continue
                value = value.value
            if key in found:
                raise CelError(f"Failed with repeated key: {key}")
            found[key] = value
        return found

    return run


# ---- calls -----------------------------------------------------------------------------------------------------------


def _call(expr: Expr, known: frozenset[str]) -> Run:
    free = free_name(expr, known)
    name = free or expr.name
    parts = [_run(part, known) for part in (expr.parts[1:] if free else expr.parts)]
    if name in LAZY:
        return LAZY[name](parts)
    if name in EAGER:
        work = EAGER[name]
        first, second = parts
        return lambda env: work(first(env), second(env))
    if name in operators.OPERATORS:
        return _operator(operators.OPERATORS[name], parts)
    call = functions.found(name, member=expr.member and not free)

    def run(env: Env) -> Any:
        given = [part(env) for part in parts]
        _spend(env, 1 + functions.cost(name, given))
        try:
            return call(*given)
        except (TypeError, AttributeError):
            raise NoOverload from None

    return run


def _operator(call: Callable[..., Any], parts: list[Run]) -> Run:
    """An operator; only a sum costs by the length of what it makes."""

    def run(env: Env) -> Any:
        found = call(*[part(env) for part in parts])
        if isinstance(found, (str, bytes, list)):
            _spend(env, len(found) // 10)
        return found

    return run


def _and(parts: list[Run]) -> Run:
    return lambda env: decided((partial(part, env) for part in parts), False)


def _or(parts: list[Run]) -> Run:
    return lambda env: decided((partial(part, env) for part in parts), True)


def _condition(parts: list[Run]) -> Run:
    question, yes, no = parts

    def run(env: Env) -> Any:
        answer = question(env)
        if not isinstance(answer, bool):
            raise NoOverload
        return yes(env) if answer else no(env)

    return run


def _or_else(parts: list[Run]) -> Run:
    target, other = parts

    def run(env: Env) -> Any:
        found = target(env)
        if not isinstance(found, Optional):
            raise NoOverload
        return found if found.there else other(env)

    return run


def _or_value(parts: list[Run]) -> Run:
    target, other = parts

    def run(env: Env) -> Any:
        found = target(env)
        if not isinstance(found, Optional):
            raise NoOverload
        return found.value if found.there else other(env)

    return run


LAZY: dict[str, Callable[[list[Run]], Run]] = {
    "_&&_": _and,
    "_||_": _or,
    "_?_:_": _condition,
    "or": _or_else,
    "orValue": _or_value,
}
"""What does not need all its parts."""
EAGER: dict[str, Callable[[Any, Any], Any]] = {
    "_==_": equal,
    "_!=_": lambda left, right: not equal(left, right),
    "_[_]": index,
    "_[?_]": optional_field,
    "_?._": optional_field,
    "@in": is_in,
}


# ---- macros ----------------------------------------------------------------------------------------------------------


def _fold(expr: Expr, known: frozenset[str]) -> Run:
    target = _run(expr.parts[0], known)
    inner = known | frozenset(expr.value)
    parts = [_run(part, inner) for part in expr.parts[1:]]
    names = expr.value
    cost = sum(map(_size, expr.parts[1:])) + 1
    if expr.name in ("optMap", "optFlatMap"):
        return lambda env: _of_optional(env, target(env), names[0], parts[0], flat=expr.name == "optFlatMap")
    fold = functions.FOLDS[expr.name]

    def run(env: Env) -> Any:
        of = target(env)

        def each(key: Any) -> list[Callable[[], Any]]:
            _spend(env, cost)
            inside = {**env, **_bound(of, key, names)}
            return [partial(part, inside) for part in parts]

        return fold(_keys(of, len(names)), each)

    return run


def _keys(of: Any, variables: int) -> list[Any]:
    if variables == 2 and isinstance(of, (list, List)):
        return [*range(len(of))]
    return items(of)


def _bound(of: Any, key: Any, names: tuple[str, ...]) -> Env:
    if len(names) == 1:
        return {names[0]: key}
    return {names[0]: key, names[1]: index(of, key)}


def _of_optional(env: Env, of: Any, name: str, part: Run, *, flat: bool) -> Optional:
    if not isinstance(of, Optional):
        raise NoOverload
    if not of.there:
        return of
    found = part({**env, name: of.value})
    return found if flat else Optional(found, there=True)


MAKERS: dict[str, Callable[[Expr, frozenset[str]], Run]] = {
    CONST: _const,
    IDENT: _ident,
    SELECT: _select,
    TEST: _test,
    CALL: _call,
    LIST: _list,
    MAP: _map,
    FOLD: _fold,
}
