"""The type checker: types of all nodes, overloads of all calls, and type errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .environments import NEWEST, OPTIONAL_SYNTAX
from .overloads import PATCH_FUNCTIONS, STRUCTS, overloads
from .tree import CALL, IDENT, SELECT, Expr, Uint
from .types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    ERROR,
    INT,
    NAMED,
    NULL,
    STRING,
    TIME,
    UINT,
    Type,
    field_of,
    list_of,
    map_of,
    optional,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .overloads import Overload

    Scope = dict[str, Type]

CONSTANTS: dict[type, Type] = {
    bool: BOOL,
    int: INT,
    Uint: UINT,
    float: DOUBLE,
    str: STRING,
    bytes: BYTES,
    type(None): NULL,
}
VARIABLE = "_var"
"""The prefix of unknown types."""
NIL = Type("<nil>")
"""The type of a call of an undeclared method, in old environments."""
OPAQUE = frozenset({"optional_type", "net.IP", "net.CIDR"})
MESSAGES = STRUCTS | {"object"}


class Checked(NamedTuple):
    """The types and overloads of an expression. Nodes are keys by their identity."""

    expr: Expr
    type: Type
    problems: list[tuple[int, str]]
    types: dict[Expr, Type]
    overloads: dict[Expr, tuple[str, ...]]
    functions: dict[Expr, str]
    """Names of functions that are called with a dot before their name, such as `optional.of`."""
    named: dict[Expr, str]
    """Names of types, for nodes that are types."""
    qualified: dict[Expr, str]
    """Variables with a dot in their names, such as `authorizer.requestResource`."""
    used: frozenset[str]
    """The variables of the expression."""


PATCHED_OBJECT, JSON_PATCH = "Object", "JSONPatch"
"""Types that patches of admission policies can construct. `Object.spec` and the like are types of nested objects."""
_OF_JSON_PATCH = {"op": STRING, "from": STRING, "path": STRING, "value": DYN}


def check_types(expr: Expr, variables: Scope, *, patches: bool = False, environment: int = NEWEST) -> Checked:
    """Check an expression with these variables. It recurses as deeply as the expression nests.

    `patches`: it is a patch of an admission policy, which has more types and functions.
    """
    checker = _Checker(variables, overloads(environment), patches=patches, has_nil=environment < OPTIONAL_SYNTAX)
    checker.look(expr, variables)
    types = {node: checker.filled(found, to_dyn=True) for node, found in checker.types.items()}
    return Checked(
        expr,
        types[expr],
        checker.problems,
        types,
        checker.overloads,
        checker.functions,
        checker.named,
        checker.qualified,
        frozenset(checker.used),
    )


def qualified(expr: Expr) -> str:
    """Return a qualified name, or an empty text for another node."""
    parts: list[str] = []
    while expr.kind == SELECT:
        parts.append(expr.name)
        expr = expr.parts[0]
    return ".".join([expr.name, *reversed(parts)]) if expr.kind == IDENT else ""


def unwrapped(of: Type) -> Type:
    """Return the type inside an optional one."""
    return of.inner[0] if of.name == "optional_type" else of


class _Unifier:
    def __init__(self) -> None:
        self._known: dict[str, Type] = {}
        self._undo: list[tuple[str, Type | None]] = []
        self._count = 0

    def fresh(self) -> Type:
        self._count += 1
        return Type(f"{VARIABLE}{self._count - 1}")

    def _learn(self, variable: Type, found: Type) -> None:
        self._undo.append((variable.name, self._known.get(variable.name)))
        self._known[variable.name] = found

    def fit(self, given: Iterable[Type], wanted: Iterable[Type]) -> bool:
        """Whether types match the expected ones. If not, no type variable is bound."""
        self._undo = []
        if all(self._fits(one, other) for one, other in zip(given, wanted, strict=True)):
            return True
        for name, before in reversed(self._undo):
            if before is None:
                del self._known[name]
            else:
                self._known[name] = before
        return False

    def _fits(self, given: Type, wanted: Type) -> bool:
        if wanted.name.startswith(VARIABLE):
            fits, known = self._substitutes(given, wanted)
            if fits or known:
                return fits
        if given.name.startswith(VARIABLE):
            return self._substitutes(wanted, given)[0]
        if NIL in (given, wanted):
            return given == wanted
        if given in (DYN, ERROR) or wanted in (DYN, ERROR):
            return True
        if NULL in (given, wanted):
            return _nullable(wanted if given == NULL else given)
        if given.name != wanted.name:
            return False
        if given.name == "object":
            return given.schema is wanted.schema
        if given.name == "type" or not given.inner:
            return True
        if len(given.inner) != len(wanted.inner):
            return False
        return all(self._fits(one, other) for one, other in zip(given.inner, wanted.inner, strict=True))

    def _substitutes(self, given: Type, variable: Type) -> tuple[bool, bool]:
        """Whether a type can replace a variable, and whether the variable is bound."""
        if given == variable:
            return True, True
        known = self._known.get(variable.name)
        if known is None:
            if not self._occurs(variable, given):
                self._learn(variable, given)
                return True, False
            return False, False
        if given == known:
            return True, True
        if not self._fits(given, known):
            return False, True
        wider = given if _is_wider(given, known) else known
        if not self._occurs(variable, wider):
            self._learn(variable, wider)
        return True, True

    def _occurs(self, variable: Type, within: Type) -> bool:
        if variable == within:
            return True
        if within.name.startswith(VARIABLE):
            known = self._known.get(within.name)
            return known is not None and self._occurs(variable, known)
        return any(self._occurs(variable, one) for one in within.inner)

    def filled(self, of: Type, *, to_dyn: bool = False) -> Type:
        """Replace bound variables in a type. With `to_dyn`, unbound ones become dyn."""
        while of.name in self._known:
            of = self._known[of.name]
        if of.name.startswith(VARIABLE):
            return DYN if to_dyn else of
        if not of.inner:
            return of
        return of._replace(inner=tuple([self.filled(one, to_dyn=to_dyn) for one in of.inner]))

    def joined(self, before: Type | None, one: Type) -> Type:
        """Return the type of elements with one more element."""
        if before is None:
            return one
        if self.fit((before,), (one,)):
            return before if _is_wider(before, one) else one
        return DYN


def _nullable(of: Type) -> bool:
    return of in (NULL, TIME, DURATION) or of.name in OPAQUE or of.name in MESSAGES


def _is_wider(one: Type, other: Type) -> bool:
    """Whether the first type is equal to the second, or less specific."""
    if one == DYN or one.name.startswith(VARIABLE):
        return True
    if other == DYN or other.name.startswith(VARIABLE) or one.name != other.name:
        return False
    if one.name == "object":
        return one.schema is other.schema
    if one.name == "type":
        return True
    if len(one.inner) != len(other.inner):
        return False
    return all(_is_wider(left, right) for left, right in zip(one.inner, other.inner, strict=True))


class _Checker(_Unifier):
    def __init__(self, variables: Scope, functions: dict[str, list[Overload]], *, patches: bool, has_nil: bool) -> None:
        super().__init__()
        self.globals, self._functions = variables, functions
        self._patches, self._has_nil = patches, has_nil
        self.problems: list[tuple[int, str]] = []
        self.types: dict[Expr, Type] = {}
        self.overloads: dict[Expr, tuple[str, ...]] = {}
        self.functions: dict[Expr, str] = {}
        self.named: dict[Expr, str] = {}
        self.qualified: dict[Expr, str] = {}
        self.used: set[str] = set()

    def _wrong(self, at: int, why: str) -> Type:
        self.problems.append((at, why))
        return ERROR

    def look(self, expr: Expr, known: Scope) -> Type:
        found: Type = getattr(self, f"_{expr.kind}")(expr, known)
        self.types[expr] = found
        return found

    def _const(self, expr: Expr, _known: Scope) -> Type:
        return CONSTANTS[type(expr.value)]

    def _ident(self, expr: Expr, known: Scope) -> Type:
        name = expr.name
        if name.startswith("."):
            name, known = name[1:], self.globals
        found = self._variable(expr, name, known)
        return found or self._wrong(expr.at, f"undeclared reference to '{expr.name}' (in container '')")

    def _variable(self, expr: Expr, name: str, known: Scope) -> Type | None:
        if name in known:
            self.used.add(name)
            if "." in name:
                self.qualified[expr] = name
            return known[name]
        found = NAMED.get(name) or self._patch_type(name)
        if found is not None:
            self.named[expr] = name
            return Type("type", (found,))
        return None

    def _patch_type(self, name: str) -> Type | None:
        is_one = name in (PATCHED_OBJECT, JSON_PATCH) or name.startswith(f"{PATCHED_OBJECT}.")
        return Type(name) if self._patches and is_one else None

    def _has_function(self, name: str) -> bool:
        return name in self._functions and (self._patches or name not in PATCH_FUNCTIONS)

    def _struct(self, expr: Expr, known: Scope) -> Type:
        name = expr.name.removeprefix(".")
        found = self._patch_type(name)
        if found is None and name not in NAMED:
            return self._wrong(expr.at, f"undeclared reference to '{expr.name}' (in container '')")
        if found is None:
            self._wrong(expr.at, f"'{expr.name}' is not a message type")
        for field, part in zip(expr.value, expr.parts, strict=True):
            given = self.look(part, known)
            if field.optional:
                given = self._optional(part, given)
            if found is None:
                self._wrong(field.at, f"undefined field '{field.name}'")
                continue
            wanted = _OF_JSON_PATCH.get(field.name, Type("")) if found.name == JSON_PATCH else DYN
            if not self.fit((given,), (wanted,)):
                why = f"is '{wanted}' but provided type is '{self.filled(given, to_dyn=True)}'"
                self._wrong(field.at, f"expected type of field '{field.name}' {why}")
        return found or ERROR

    def _select(self, expr: Expr, known: Scope) -> Type:
        name = qualified(expr)
        found = self._variable(expr, name, known) if name else None
        if found is not None:
            return found
        return self.filled(self._field(expr.at, self.look(expr.parts[0], known), expr.name))

    def _field(self, at: int, target: Type, name: str, *, maybe: bool = False) -> Type:
        target = self.filled(target)
        maybe = maybe or target.name == "optional_type"
        of = unwrapped(target)
        if of.name == "map":
            found = of.inner[1]
        elif of.name == "object":
            known = field_of(of, name)
            found = known if known is not None else self._wrong(at, f"undefined field '{name}'")
        elif self._patch_type(of.name) is not None:
            found = _OF_JSON_PATCH.get(name, DYN) if of.name == JSON_PATCH else DYN
        elif of.name in STRUCTS:
            found = self._wrong(at, f"unexpected failed resolution of '{of.name}'")
        elif of.name.startswith(VARIABLE):
            self.fit((DYN,), (of,))
            found = DYN
        else:
            if of not in (DYN, ERROR):
                self._wrong(at, f"type '{of}' does not support field selection")
            found = DYN
        return optional(found) if maybe else found

    def _test(self, expr: Expr, known: Scope) -> Type:
        self._field(expr.at, self.look(expr.parts[0], known), expr.name)
        return BOOL

    def _list(self, expr: Expr, known: Scope) -> Type:
        found: Type | None = None
        for place, part in enumerate(expr.parts):
            one = self.look(part, known)
            found = self.joined(found, self._optional(part, one) if place in expr.value else one)
        return list_of(found or self.fresh())

    def _optional(self, part: Expr, one: Type) -> Type:
        if one.name != "optional_type" and one != DYN:
            self._wrong(part.at, f"expected type '{optional(one)}' but found '{one}'")
        return unwrapped(one)

    def _map(self, expr: Expr, known: Scope) -> Type:
        key: Type | None = None
        value: Type | None = None
        for place in range(0, len(expr.parts), 2):
            key = self.joined(key, self.look(expr.parts[place], known))
            part = expr.parts[place + 1]
            one = self.look(part, known)
            value = self.joined(value, self._optional(part, one) if place in expr.value else one)
        if key is None or value is None:
            key, value = self.fresh(), self.fresh()
        return map_of(key, value)

    # ---- calls -----------------------------------------------------------------------------------------------------

    def _call(self, expr: Expr, known: Scope) -> Type:
        name, parts = expr.name, expr.parts
        if name == "_?._":
            found = self._field(expr.at, self.look(parts[0], known), str(parts[1].value), maybe=True)
            self.types[parts[1]] = STRING
            self.overloads[expr] = ("select_optional_field",)
            return self.filled(found)
        given = [self.look(part, known) for part in (parts[1:] if expr.member else parts)]
        if expr.member:
            prefix = qualified(parts[0])
            free = f"{prefix}.{name}" if prefix else ""
            if self._has_function(free):
                self.functions[expr] = free
                return self._resolved(expr, free, given, member=False)
            given.insert(0, self.look(parts[0], known))
        if not self._has_function(name):
            found = self._wrong(expr.at, f"undeclared reference to '{name}' (in container '')")
            return NIL if expr.member and self._has_nil else found
        return self._resolved(expr, name, given, member=expr.member)

    def _resolved(self, expr: Expr, name: str, given: list[Type], *, member: bool) -> Type:
        if name in ("_&&_", "_||_") and NIL not in given:
            return self._logical(expr, given)
        found: Type | None = None
        matching: list[str] = []
        for form in self._functions[name]:
            if form.member != member or len(form.takes) != len(given):
                continue
            takes, gives = self._instance(form)
            if not self.fit(given, takes):
                continue
            matching.append(form.id)
            gives = self.filled(gives)
            found = gives if found is None else found if found in (DYN, gives) else DYN
        if found is not None:
            self.overloads[expr] = tuple(matching)
            return found
        said = [str(self.filled(one, to_dyn=True)) for one in given]
        signature = f"{said[0]}.({', '.join(said[1:])})" if member else f"({', '.join(said)})"
        return self._wrong(expr.at, f"found no matching overload for '{name}' applied to '{signature}'")

    def _logical(self, expr: Expr, given: list[Type]) -> Type:
        fits = True
        for part, one in zip(expr.parts, given, strict=True):
            if not self.fit((one,), (BOOL,)):
                self._wrong(part.at, f"expected type 'bool' but found '{one}'")
                fits = False
        self.overloads[expr] = ("logical_and" if expr.name == "_&&_" else "logical_or",)
        return BOOL if fits else ERROR

    def _instance(self, form: Overload) -> tuple[tuple[Type, ...], Type]:
        """An overload with fresh variables in place of its letters."""
        if not form.has_letters:
            return form.takes, form.gives
        letters: dict[str, Type] = {}

        def of(one: Type) -> Type:
            if len(one.name) == 1:
                if one.name not in letters:
                    letters[one.name] = self.fresh()
                return letters[one.name]
            return one._replace(inner=tuple([of(inner) for inner in one.inner])) if one.inner else one

        return tuple([of(one) for one in form.takes]), of(form.gives)

    # ---- comprehensions ----------------------------------------------------------------------------------------------

    def _fold(self, expr: Expr, known: Scope) -> Type:
        over, init, condition, step, result = expr.parts
        names = expr.value
        target = self.filled(self.look(over, known))
        start = self.look(init, known)
        outer = {**known, names.result: start}
        first, second = self._items(over, target, two=bool(names.second))
        inner = {**outer, names.first: first, **({names.second: second} if names.second else {})}
        for part, wanted in ((condition, BOOL), (step, start)):
            found = self.look(part, inner)
            if not self.fit((wanted,), (found,)):
                self._wrong(part.at, f"expected type '{wanted}' but found '{found}'")
        return self.filled(self.look(result, outer))

    def _items(self, over: Expr, target: Type, *, two: bool) -> tuple[Type, Type]:
        if target.name == "list":
            return (INT, target.inner[0]) if two else (target.inner[0], DYN)
        if target.name == "map":
            return target.inner[0], target.inner[1]
        if target in (DYN, ERROR) or target.name.startswith(VARIABLE):
            self.fit((DYN,), (target,))
            return DYN, DYN
        why = "cannot be range of a comprehension (must be list, map, or dynamic)"
        self._wrong(over.at, f"expression of type '{target}' {why}")
        return ERROR, ERROR


def nodes(expr: Expr) -> list[Expr]:
    """Return all nodes of a tree, outer ones first."""
    found = [expr]
    for one in found:
        found.extend(one.parts)
    return found


def is_call(expr: Expr, name: str) -> bool:
    """Whether a node calls a function of this name."""
    return expr.kind == CALL and expr.name == name


def value_type(value: Any) -> Type:
    """Return the type of a constant."""
    return CONSTANTS[type(value)]
