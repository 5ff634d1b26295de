"""The types in an expression, and what does not go together."""

from __future__ import annotations

from typing import NamedTuple

from .overloads import FREE, agrees, filled, fits, overloads
from .tree import IDENT, SELECT, Expr, Uint
from .types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    INT,
    NAMED,
    NULL,
    STRING,
    UINT,
    Type,
    field_of,
    list_of,
    map_of,
    optional,
)

CONSTANTS: dict[type, Type] = {bool: BOOL, int: INT, Uint: UINT, float: DOUBLE, str: STRING, bytes: BYTES}
CONSTANTS[type(None)] = NULL


class Checked(NamedTuple):
    """The type of a whole expression, what is wrong with it, and the variables that it uses."""

    type: Type
    problems: list[tuple[int, str]]
    used: frozenset[str]


def checked(expr: Expr, variables: dict[str, Type]) -> Checked:
    """The type of an expression with these variables."""
    checker = _Checker()
    found = checker.look(expr, variables)
    return Checked(found, checker.problems, frozenset(checker.used))


def free_name(expr: Expr, variables: object) -> str:
    """The name of a function with a dot in it that a call means; empty if it is none."""
    if not expr.member or expr.parts[0].kind != IDENT:
        return ""
    name = f"{expr.parts[0].name}.{expr.name}"
    if expr.parts[0].name in variables:  # type: ignore[operator]
        return ""
    return name if name in FREE or (name in overloads() and name.startswith("format.")) else ""


class _Checker:
    def __init__(self) -> None:
        self.problems: list[tuple[int, str]] = []
        self.used: set[str] = set()

    def _wrong(self, at: int, why: str) -> Type:
        self.problems.append((at, why))
        return DYN

    def look(self, expr: Expr, known: dict[str, Type]) -> Type:
        return getattr(self, f"_{expr.kind}")(expr, known)  # type: ignore[no-any-return]

    def _const(self, expr: Expr, _known: dict[str, Type]) -> Type:
        return CONSTANTS[type(expr.value)]

    def _ident(self, expr: Expr, known: dict[str, Type]) -> Type:
        if expr.name in known:
            self.used.add(expr.name)
            return known[expr.name]
        if expr.name in NAMED or expr.name in ("list", "map", "null_type", "type"):
            return Type("type")
        return self._wrong(expr.at, f"undeclared reference to '{expr.name}' (in container '')")

    def _select(self, expr: Expr, known: dict[str, Type]) -> Type:
        named = _qualified(expr)
        if named in ("google.protobuf.Timestamp", "google.protobuf.Duration", "net.IP", "kubernetes.Quantity"):
            return Type("type")
        return self._field(expr.at, self.look(expr.parts[0], known), expr.name)

    def _field(self, at: int, target: Type, name: str) -> Type:
        if target.name == "optional_type":
            inner = self._field(at, target.inner[0], name)
            return inner if inner.name == "optional_type" else optional(inner)
        if target.name == "map":
            return target.inner[1]
        if target == DYN:
            return DYN
        if target.name == "object":
            found = field_of(target, name)
            return found if found is not None else self._wrong(at, f"undefined field '{name}'")
        return self._wrong(at, f"type '{target}' does not support field selection")

    def _test(self, expr: Expr, known: dict[str, Type]) -> Type:
        self._field(expr.at, self.look(expr.parts[0], known), expr.name)
        return BOOL

    def _list(self, expr: Expr, known: dict[str, Type]) -> Type:
        found: Type | None = None
        for place, part in enumerate(expr.parts):
            one = self.look(part, known)
            if place in expr.value and one.name == "optional_type":
                one = one.inner[0]
            found = self._joined(part.at, found, one)
        return list_of(found or DYN)

    def _joined(self, at: int, before: Type | None, one: Type) -> Type:
        if before is None or agrees(before, one):
            return one if before is None or before == NULL else before
        return self._wrong(at, f"expected type '{before}' but found '{one}'")

    def _map(self, expr: Expr, known: dict[str, Type]) -> Type:
        key: Type | None = None
        value: Type | None = None
        for place in range(0, len(expr.parts), 2):
            key = self._joined(expr.parts[place].at, key, self.look(expr.parts[place], known))
            one = self.look(expr.parts[place + 1], known)
            if place in expr.value and one.name == "optional_type":
                one = one.inner[0]
            value = self._joined(expr.parts[place + 1].at, value, one)
        return map_of(key or DYN, value or DYN)

    # ---- calls -----------------------------------------------------------------------------------------------------

    def _call(self, expr: Expr, known: dict[str, Type]) -> Type:
        name, parts, member = expr.name, expr.parts, expr.member
        free = free_name(expr, known)
        if free:
            name, parts, member = free, parts[1:], False
        if name == "_?._":
            target = self.look(parts[0], known)
            inner = self._field(expr.at, target, str(parts[1].value))
            return inner if inner.name == "optional_type" else optional(inner)
        forms = overloads().get(name)
        if forms is None:
            for part in parts:
                self.look(part, known)
            return self._wrong(expr.at, f"undeclared reference to '{name}' (in container '')")
        given = [self.look(part, known) for part in parts]
        found: Type | None = None
        for form in forms:
            bound: dict[str, Type] = {}
            if form.member != member or len(form.takes) != len(given):
                continue
            if all(fits(one, wanted, bound) for one, wanted in zip(given, form.takes, strict=False)):
                gives = filled(form.gives, bound)
                found = gives if found is None or found == gives else DYN
        if found is not None:
            return found
        said = ", ".join(map(str, given[1:] if member else given))
        signature = f"{given[0]}.({said})" if member else f"({said})"
        return self._wrong(expr.at, f"found no matching overload for '{name}' applied to '{signature}'")

    # ---- macros ------------------------------------------------------------------------------------------------------

    def _fold(self, expr: Expr, known: dict[str, Type]) -> Type:
        target = self.look(expr.parts[0], known)
        if expr.name in ("optMap", "optFlatMap"):
            return self._optional(expr, target, known)
        if target.name not in ("list", "map", "dyn"):
            why = "cannot be range of a comprehension (must be list, map, or dynamic)"
            self._wrong(expr.parts[0].at, f"expression of type '{target}' {why}")
            target = DYN
        first, second = _items(target, len(expr.value))
        inner = {**known, **dict(zip(expr.value, (first, second), strict=False))}
        outer = set(self.used)
        given = [self.look(part, inner) for part in expr.parts[1:]]
        self.used -= {one for one in expr.value if one not in outer}
        return self._result(expr, target, given)

    def _result(self, expr: Expr, target: Type, given: list[Type]) -> Type:
        name = expr.name
        asks = name in ("all", "exists", "exists_one", "existsOne", "filter") or len(given) == 2
        if asks and not agrees(given[0], BOOL):
            sign = {"all": "_&&_", "exists": "_||_"}.get(name)
            said = f"'{sign}' applied to '(bool, {given[0]})'" if sign else f"'_?_:_' applied to '({given[0]}, A, A)'"
            self._wrong(expr.at, f"found no matching overload for {said}")
        if name in ("map", "transformList"):
            return list_of(given[-1])
        if name in ("filter", "sortBy"):
            return target if target.name == "list" else list_of(target.inner[0] if target.inner else DYN)
        if name == "transformMap":
            return map_of(target.inner[0] if target.name == "map" else INT, given[-1])
        return given[-1] if name == "transformMapEntry" else BOOL

    def _optional(self, expr: Expr, target: Type, known: dict[str, Type]) -> Type:
        inner = target.inner[0] if target.name == "optional_type" else DYN
        found = self.look(expr.parts[1], {**known, expr.value[0]: inner})
        return found if expr.name == "optFlatMap" else optional(found)


def _items(target: Type, variables: int) -> tuple[Type, Type]:
    """The types of the variables of a macro."""
    if target.name == "list":
        return (target.inner[0], DYN) if variables == 1 else (INT, target.inner[0])
    return (target.inner[0], target.inner[1]) if target.name == "map" else (DYN, DYN)


def _qualified(expr: Expr) -> str:
    if expr.kind == IDENT:
        return expr.name
    return f"{_qualified(expr.parts[0])}.{expr.name}" if expr.kind == SELECT and expr.parts else ""
