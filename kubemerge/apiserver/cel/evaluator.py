"""Evaluation of compiled expressions. Each step has the cost that it has on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import costs, operators
from .access import Missing, has_field, index, optional_field, select, shown
from .equality import are_comparable, cannot_compare, equal
from .language.tree import CALL, CONST, FOLD, IDENT, LIST, MAP, SELECT, STRUCT, TEST, Expr
from .language.types import DYN
from .library import functions
from .meter import Meter
from .values import (
    CelError,
    GrowingList,
    GrowingMap,
    NoOverload,
    Optional,
    Struct,
    TypeValue,
    as_key,
    go_type,
    iterated,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from .language.checker import Checked

    Env = dict[str, Any]
    Run = Callable[[Env], Any]

METER = "\0"
"""The name of the meter among the variables."""
CONVERSIONS = frozenset("bool bytes double duration dyn int string timestamp type uint".split())  # noqa: SIM905
"""Functions that are evaluated in advance if their argument is constant."""
PATTERNS = ("matches", "find", "findAll")
"""Functions whose second argument is compiled in advance if it is constant."""
SCALARS = (bool, int, float, str)
GROWING: dict[type, type] = {list: GrowingList, dict: GrowingMap}
"""The types of growing results of comprehensions that begin empty."""
SHORT = 4096
"""Texts up to this length are not counted."""


def run(compiled: Run, variables: Env, meter: Meter) -> Any:
    """Return the value of a compiled expression. Raise CelError, or Cancelled."""
    return compiled({**variables, METER: meter})


class Compiler:
    """Compiles the nodes of an expression to functions. Raises CelError for an invalid constant."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.constants: dict[Run, Any] = {}

    def compiled(self) -> Run:
        """Compile the whole expression."""
        return self.run(self.checked.expr)

    def run(self, expr: Expr) -> Run:
        """Compile a node."""
        found: Run = MAKERS[expr.kind](self, expr)
        return found

    def constant(self, value: Any) -> Run:
        """Compile a node with a known value."""

        def run(_env: Env) -> Any:
            return value

        self.constants[run] = value
        return run

    # ---- constants, variables and fields ---------------------------------------------------------------------------

    def const(self, expr: Expr) -> Run:
        """Compile a literal."""
        return self.constant(expr.value)

    def path(self, expr: Expr) -> Run | None:
        """Compile a variable with all its selections as one step. None for another node.

        A server charges for each selected name, and once for the resulting value.
        """
        if expr in self.checked.named:
            return None
        if expr in self.checked.qualified:
            return _variable(self.checked.qualified[expr])
        if expr.kind == IDENT:
            return _variable(expr.name.removeprefix("."))
        if expr.kind == SELECT:
            return _select(self.inner(expr.parts[0]), expr.name)
        if expr.kind == TEST:
            return _test(self.inner(expr.parts[0]), expr.name)
        if expr.kind == CALL and expr.name == "_?_:_":
            return self.condition(expr)
        if expr.kind == CALL and expr.name in ("_[_]", "_[?_]", "_?._"):
            return self.indexed(expr)
        return None

    def inner(self, expr: Expr) -> Run:
        """Compile the operand of a selection, or a branch of a condition."""
        return self.path(expr) or self.run(expr)

    def attribute(self, expr: Expr) -> Run:
        """Compile a variable, a selection or an index."""
        if expr in self.checked.named:
            return self.constant(TypeValue(self.checked.named[expr]))
        inner = self.inner(expr)
        # A selection from a condition is part of its branches, and a test of a field's presence is free.
        return inner if _is_free(expr) else _attribute_value(inner)

    def indexed(self, expr: Expr) -> Run:
        """Compile an index into a list or map."""
        target, key = self.inner(expr.parts[0]), self.inner(expr.parts[1])
        if key in self.constants and not isinstance(self.constants[key], (str, int, float)):
            raise CelError(f"invalid qualifier type: {go_type(self.constants[key])}")
        return _index(target, key, optional=expr.name != "_[_]")

    def condition(self, expr: Expr) -> Run:
        """Compile `a ? b : c`, which costs nothing itself."""
        question, yes, no = self.run(expr.parts[0]), self.inner(expr.parts[1]), self.inner(expr.parts[2])

        def run(env: Env) -> Any:
            answer = question(env)
            if answer is True:
                return yes(env)
            if answer is False:
                return no(env)
            raise NoOverload

        return run

    # ---- lists and maps --------------------------------------------------------------------------------------------

    def listed(self, expr: Expr) -> Run:
        """Compile a list literal."""
        parts = [self.run(part) for part in expr.parts]
        optional = expr.value

        def values(env: Env) -> list[Any]:
            found = []
            for place, part in enumerate(parts):
                value = part(env)
                if place in optional:
                    if not isinstance(value, Optional):
                        why = "cannot initialize optional list element from non-optional value"
                        raise CelError(f"{why} {value}")
                    if not value.there:
                        continue
                    value = value.value
                found.append(value)
            return found

        run = _constructed(values, costs.LIST)

        if all(part in self.constants for part in parts):
            return self.constant([self.constants[part] for part in parts])
        return run

    def mapped(self, expr: Expr) -> Run:
        """Compile a map literal. The last one of equal keys counts."""
        parts = [self.run(part) for part in expr.parts]
        pairs = [(parts[place], parts[place + 1], place in expr.value) for place in range(0, len(parts), 2)]

        def entries(env: Env) -> dict[Any, Any]:
            found: dict[Any, Any] = {}
            for key_of, value_of, optional in pairs:
                key, value = as_key(key_of(env)), value_of(env)
                if optional:
                    if not isinstance(value, Optional):
                        why = f"cannot initialize optional entry '{key}' from non-optional value {shown(value)}"
                        raise CelError(why)
                    if not value.there:
                        found.pop(key, None)
                        continue
                    value = value.value
                found[key] = value
            return found

        run = _constructed(entries, costs.MAP)

        if all(part in self.constants for part in parts):
            return self.constant({as_key(self.constants[key]): self.constants[value] for key, value, _ in pairs})
        return run

    def struct(self, expr: Expr) -> Run:
        """Compile the literal of a struct."""
        parts = [self.run(part) for part in expr.parts]
        fields, name = expr.value, expr.name

        def made(env: Env) -> Struct:
            found: dict[str, Any] = {}
            for field, part in zip(fields, parts, strict=True):
                value = part(env)
                if field.optional:
                    if not isinstance(value, Optional):
                        why = f"cannot initialize optional entry '{field.name}' from non-optional value {shown(value)}"
                        raise CelError(why)
                    if not value.there:
                        found.pop(field.name, None)
                        continue
                    value = value.value
                found[field.name] = value
            return Struct(name, found)

        return _constructed(made, costs.STRUCT)

    # ---- calls -----------------------------------------------------------------------------------------------------

    def call(self, expr: Expr) -> Run:
        """Compile a call."""
        name = self.checked.functions.get(expr) or expr.name
        if expr.name in ("_?_:_", "_[_]", "_[?_]", "_?._"):
            return self.attribute(expr)
        free = expr in self.checked.functions
        parts = [self.run(part) for part in (expr.parts[1:] if free else expr.parts)]
        if name in ("_&&_", "_||_"):
            return _logical(parts[0], parts[1], decides=name == "_||_")
        if name in ("or", "orValue") and len(parts) == 2:
            return _otherwise(parts[0], parts[1], value=name == "orValue")
        if name == "@not_strictly_false":
            return _not_false(parts[0])
        if name in ("_==_", "_!=_"):
            return _equality(parts[0], parts[1], same=name == "_==_")
        overloads = self.checked.overloads[expr]
        overload = overloads[0] if len(overloads) == 1 else ""
        if overload == "in_list" and parts[1] in self.constants:
            found = self.membership(parts[0], self.constants[parts[1]])
            if found is not None:
                return found
        if overload == "add_list" and _is_result(expr.parts[0]):
            return _grown(parts[0], parts[1])
        member = expr.member and not free
        call = functions.find_function(name, member=member)
        pattern = self.constants.get(parts[1]) if name in PATTERNS and len(parts) > 1 else None
        compiles = isinstance(pattern, str)
        if compiles:
            functions.judge_pattern(pattern)
        stops = compiles or _strict(name, overload, len(parts))
        unknown = any(self.checked.types.get(part) == DYN for part in expr.parts)
        fits = functions.overload_check(name, len(parts), member=member) if unknown else None
        called = functions.COMPILED if compiles else name
        made = _call(called, parts, call, costs.of_call(name, overload), stops, fits)
        if name in CONVERSIONS and len(parts) == 1 and parts[0] in self.constants:
            return self.constant(run(made, {}, Meter(2**63)))
        return made

    def membership(self, item: Run, among: list[Any]) -> Run | None:
        """Compile a test of membership in a constant list of scalars, which is free."""
        if not among:
            return self.constant(False)
        if not all(isinstance(one, SCALARS) for one in among):
            return None
        known = {_hashed(one) for one in among}

        def run(env: Env) -> bool:
            return _hashed(item(env)) in known

        return run

    # ---- comprehensions ----------------------------------------------------------------------------------------------

    def fold(self, expr: Expr) -> Run:
        """Compile a comprehension."""
        over, init, condition, step, result = (self.run(part) for part in expr.parts)
        names = expr.value
        if self.constants.get(condition) is False:
            return _bound(over, names.result, init, result)
        always = self.constants.get(condition) is True
        return _folded(over, init, None if always else condition, step, result, names)


MAKERS: dict[str, Callable[[Compiler, Expr], Run]] = {
    CONST: Compiler.const,
    IDENT: Compiler.attribute,
    SELECT: Compiler.attribute,
    TEST: Compiler.attribute,
    CALL: Compiler.call,
    LIST: Compiler.listed,
    MAP: Compiler.mapped,
    FOLD: Compiler.fold,
    STRUCT: Compiler.struct,
}


def _is_free(expr: Expr) -> bool:
    if expr.kind == TEST:
        return True
    while expr.kind == SELECT or (expr.kind == CALL and expr.name in ("_[_]", "_[?_]", "_?._")):
        expr = expr.parts[0]
    return expr.kind == CALL and expr.name == "_?_:_"


def _is_result(expr: Expr) -> bool:
    return expr.kind == IDENT and expr.name == "@result"


def _hashed(value: Any) -> Any:
    """A scalar as a key: equal numbers of all types are one key, and booleans are no numbers."""
    if isinstance(value, (bool, str)) or value is None:
        return (type(value), value)
    if isinstance(value, (int, float)):
        return value
    return (type(value), id(value))


# ---- attributes ------------------------------------------------------------------------------------------------------


def _variable(name: str) -> Run:
    def run(env: Env) -> Any:
        if name not in env:
            raise CelError(f"no such attribute(s): {name}")
        found = env[name]
        return found.value_of() if isinstance(found, _Later) else found

    return run


def _attribute_value(inner: Run) -> Run:
    """The value of an attribute, which costs 1 even if it is missing."""

    def run(env: Env) -> Any:
        meter = env[METER]
        try:
            found = inner(env)
        except CelError:
            meter.spend(1)
            raise
        meter.left -= 1
        if meter.left < meter.stop:
            meter.check()
        return found

    return run


def _constructed(make: Run, cost: int) -> Run:
    """A list or a map, which has the same cost if one of its parts has no value."""

    def run(env: Env) -> Any:
        try:
            found = make(env)
        except CelError:
            env[METER].spend(cost)
            raise
        env[METER].spend(cost)
        return found

    return run


def _select(target: Run, name: str) -> Run:
    def run(env: Env) -> Any:
        of = target(env)
        meter = env[METER]
        if type(of) is Optional:
            found = optional_field(of, name)
            if not found.there:
                return found
        else:
            try:
                found = select(of, name)
            except CelError:
                meter.spend(1)
                raise
        meter.left -= 1
        if meter.left < meter.stop:
            meter.check()
        return found

    return run


def _test(target: Run, name: str) -> Run:
    def run(env: Env) -> bool:
        of = target(env)
        if type(of) is Optional:
            found = of.there and has_field(of.value, name)
            env[METER].spend(int(found))
            return found
        env[METER].spend(1)
        return has_field(of, name)

    return run


def _index(target: Run, key_of: Run, *, optional: bool) -> Run:
    def run(env: Env) -> Any:
        of = target(env)
        maybe = optional
        if type(of) is Optional:
            if not of.there:
                return of
            of, maybe = of.value, True
        meter = env[METER]
        try:
            key = key_of(env)
            try:
                found = index(of, key)
            except Missing:
                if maybe:
                    return Optional()
                raise
        except CelError:
            if not maybe:
                meter.spend(1)
            raise
        meter.spend(1)
        return Optional(found, there=True) if maybe else found

    return run


# ---- calls -----------------------------------------------------------------------------------------------------------


def _strict(name: str, overload: str, count: int) -> bool:
    """Whether a server stops at the first argument without a value, and does not charge for the call."""
    return count > 2 or name == "format" or (not overload and functions.is_dispatched(name))


def _call(
    name: str,
    parts: list[Run],
    call: Callable[..., Any],
    cost: costs.Cost | None,
    stops: bool,
    fits: Callable[[list[Any]], bool] | None,
) -> Run:
    is_metered = call in functions.METERED

    def run(env: Env) -> Any:
        given: list[Any] = []
        failed: CelError | None = None
        for part in parts:
            try:
                given.append(part(env))
            except CelError as error:
                if stops and len(given) < len(parts) - 1:
                    raise
                failed = failed or error
                given.append(error)
        meter = env[METER]
        if failed is not None:
            meter.spend(cost(given, failed) if cost is not None else 1)
            raise failed
        try:
            if fits is not None and not fits(given):
                raise NoOverload
            found = call(*given, meter=meter) if is_metered else call(*given)
        except (TypeError, AttributeError, NoOverload):
            failed = functions.no_overload(name, given)
        except CelError as error:
            failed = error
        if failed is not None:
            meter.spend(cost(given, failed) if cost is not None else 1)
            raise failed
        meter.spend(cost(given, found) if cost is not None else 1)
        if isinstance(found, (str, bytes)) and len(found) > SHORT:
            meter.reserve(len(found))
        return found

    return run


def _both(first: Run, second: Run, env: Env) -> tuple[Any, Any, CelError | None]:
    """The values of two arguments. Both are evaluated. An error replaces a value."""
    failed: CelError | None = None
    try:
        left = first(env)
    except CelError as error:
        left = failed = error
    try:
        right = second(env)
    except CelError as error:
        right = error
        failed = failed or error
    return left, right, failed


OF_ONE_COST = frozenset(("kubernetes.Quantity", "net.IP", "net.CIDR", "kubernetes.NamedFormat", "kubernetes.URL"))
OF_ONE_COST |= {"kubernetes.Semver"}


def _equality(first: Run, second: Run, *, same: bool) -> Run:
    def run(env: Env) -> bool:
        left, right, failed = _both(first, second, env)
        meter = env[METER]
        if same and getattr(left, "kind", "") in OF_ONE_COST:
            meter.spend(1)
        else:
            meter.spend(costs.compared([left, right]))
        if failed is not None:
            raise failed
        if not are_comparable(left, right) or (same and cannot_compare(left, right)):
            raise NoOverload
        return equal(left, right) is same

    return run


def _logical(first: Run, second: Run, *, decides: bool) -> Run:
    """`&&` and `||`: an operand without a value is an error only if the other one does not decide."""

    def run(env: Env) -> bool:
        failed: CelError | None = None
        left: object
        right: object
        try:
            left = first(env)
            if left is decides:
                return decides
            if type(left) is not bool:
                failed = NoOverload()
        except CelError as error:
            failed = error
        try:
            right = second(env)
            if right is decides:
                return decides
            if type(right) is not bool:
                failed = failed or NoOverload()
        except CelError as error:
            failed = failed or error
        if failed is not None:
            raise failed
        return not decides

    return run


def _not_false(part: Run) -> Run:
    def run(env: Env) -> bool:
        try:
            found = part(env)
        except CelError:
            found = True
        env[METER].spend(1)
        return found is not False

    return run


def _otherwise(target: Run, other: Run, *, value: bool) -> Run:
    """`or` and `orValue`, which cost nothing themselves."""

    def run(env: Env) -> Any:
        found = target(env)
        if type(found) is not Optional:
            raise NoOverload
        if not found.there:
            return other(env)
        return found.value if value else found

    return run


# ---- comprehensions --------------------------------------------------------------------------------------------------


class _Later:
    """A value that is evaluated on first use."""

    __slots__ = ("_env", "_error", "_known", "_run", "_value")

    def __init__(self, run: Run, env: Env) -> None:
        self._run, self._env = run, env
        self._known = False
        self._value: Any = None
        self._error: CelError | None = None

    def fail(self, error: CelError) -> None:
        """Store an error instead of a value."""
        self._known, self._error = True, error

    def value_of(self) -> Any:
        """Return the value, or raise the error of its evaluation."""
        if not self._known:
            self._known = True
            try:
                self._value = self._run(self._env)
            except CelError as error:
                self._error = error
        if self._error is not None:
            raise self._error
        return self._value


def _failed(error: CelError) -> _Later:
    found = _Later(_variable(""), {})
    found.fail(error)
    return found


def _bound(over: Run, name: str, init: Run, result: Run) -> Run:
    def run(env: Env) -> Any:
        over(env)
        return result({**env, name: _Later(init, env)})

    return run


def _grown(accumulator: Run, more: Run) -> Run:
    """Concatenate lists in place, where the first one is the accumulator of a comprehension."""

    def run(env: Env) -> Any:
        left, right, failed = _both(accumulator, more, env)
        env[METER].spend(1)
        if failed is not None:
            raise failed
        if type(left) is GrowingList:
            left.extend(right)
            return left
        return operators.add(left, right)

    return run


def _folded(over: Run, init: Run, condition: Run | None, step: Run, result: Run, names: Any) -> Run:
    first, second, accumulator = names

    def run(env: Env) -> Any:
        of = over(env)
        pairs = iterated(of, two=bool(second))
        start = init(env)
        if type(start) in GROWING:
            start = GROWING[type(start)]()
        inside = {**env, accumulator: start}
        for key, value in pairs:
            inside[first] = key
            if second:
                inside[second] = value
            if condition is not None:
                try:
                    if condition(inside) is False:
                        break
                except CelError:
                    pass
            try:
                inside[accumulator] = step(inside)
            except CelError as error:
                inside[accumulator] = _failed(error)
        outside = {**env, accumulator: inside[accumulator]}
        return result(outside)

    return run
