"""The rules of a definition about its objects, which are expressions: `x-kubernetes-validations`."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.guard import with_room

from .cel.evaluator import evaluate, program, run
from .cel.language.parser import parsed
from .cel.language.tree import CelSyntaxError, Expr
from .cel.language.types import DYN, Type, escaped, field_of, type_of
from .cel.values import CelError, NoOverload, Optional, TooExpensive, wrapped
from .definitions.paths import field_path
from .problems import NOWHERE, OMITTED, Problem, duplicate, forbidden, invalid, required
from .ratcheting import by_keys, key_of

if TYPE_CHECKING:
    from .ratcheting import Correlated
    from .schemas import Raw, Schema

WORD = "x-kubernetes-validations"
BUDGET = 10_000_000
"""What all rules of one object may cost together."""
LONGEST_MESSAGE = 5 * 1024


class Forgiving(NamedTuple):
    """What is known of the value before: of this one, and of the nearest one above it."""

    current: Correlated | None
    above: Correlated | None

    def forgives(self) -> bool:
        """Whether nothing has changed here."""
        known = self.current if self.current is not None else self.above
        return known is not None and known.is_equal()

    def key(self, name: str) -> Forgiving:
        """The same for a field."""
        if self.current is None:
            return self
        if self.above is None and name in ("apiVersion", "kind"):
            return Forgiving(None, None)
        return Forgiving(self.current.key(name), self.current)

    def element(self, place: int) -> Forgiving:
        """The same for an element."""
        return self if self.current is None else Forgiving(self.current.index(place), self.current)


class Rule(NamedTuple):
    """A rule that was compiled; `why_not` says why it was not."""

    raw: Raw
    run: Any
    why_not: str
    uses_old: bool
    may_miss: bool


def _compiled(raw: Raw) -> Rule:
    text, may_miss = str(raw.get("rule") or ""), raw.get("optionalOldSelf") is True
    uses_old = uses(text, "oldSelf")
    try:
        found = program(text, ("self", "oldSelf") if uses_old else ("self",))
    except CelSyntaxError as error:
        return Rule(raw, None, error.why, uses_old, may_miss)
    return Rule(raw, found, "", uses_old, may_miss)


class _Stop(Exception):
    """No further rules are judged."""


def broken(content: Any, before: Any, schema: Schema, whole: Correlated | None) -> list[Problem]:
    """The rules that an object breaks."""
    return judged(content, before, schema, whole)[0]


def judged(content: Any, before: Any, schema: Schema, whole: Correlated | None) -> tuple[list[Problem], list[Problem]]:
    """The rules that an object breaks, and those that it broke before as well, which is forgiven."""
    walk = _Walk()
    of = type_of(schema, root=True)

    def look() -> None:
        with suppress(_Stop):
            walk.look("", content, before, schema, of, Forgiving(whole, None), root=True)

    with_room(look)
    return walk.found, walk.forgiven


class _Walk:
    """Goes through an object with what is left of the budget."""

    def __init__(self) -> None:
        self.found: list[Problem] = []
        self.forgiven: list[Problem] = []
        self.left = BUDGET

    def look(
        self,
        at: str,
        value: Any,
        before: Any,
        schema: Schema,
        of: Type | None,
        forgiving: Forgiving,
        *,
        root: bool = False,
    ) -> None:
        if value is None or of is None:
            return
        if schema.rules:
            self._judge_all(at, value, before, schema, forgiving, root=root)
        if isinstance(value, list):
            self._elements(at, value, before, schema, of, forgiving)
        elif isinstance(value, dict):
            self._fields(at, value, before, schema, of, forgiving)

    def _elements(self, at: str, value: list[Any], before: Any, schema: Schema, of: Type, forgiving: Forgiving) -> None:
        inner = schema.items
        if inner is None or not inner.uses(WORD):
            return
        keyed = schema.list_type == "map" and isinstance(before, list)
        olds = by_keys(before, schema.map_keys) if keyed else {}
        for place, item in enumerate(value):
            key = key_of(item, schema.map_keys) if olds else None
            old = olds.get(key) if key is not None else None
            kind = of.inner[0] if of.inner else DYN
            self.look(f"{at}[{place}]", item, old, inner, kind, forgiving.element(place), root=inner.embedded)

    def _fields(
        self, at: str, value: dict[str, Any], before: Any, schema: Schema, of: Type, forgiving: Forgiving
    ) -> None:
        olds = before if isinstance(before, dict) and schema.map_type in (None, "granular", "atomic") else {}
        extra = schema.extra
        for key, inner in value.items():
            known = schema.field(key)
            if known is not None and known.uses(WORD):
                name = escaped(key)
                kind = (field_of(of, name) if of.name == "object" else DYN) if name else type_of(known)
                place = f"{at}.{key}" if at else key
                self.look(place, inner, olds.get(key), known, kind, forgiving.key(key), root=known.embedded)
            elif known is None and extra is not None and extra.uses(WORD):
                kind = of.inner[1] if len(of.inner) == 2 else DYN
                self.look(f"{at}[{key}]", inner, olds.get(key), extra, kind, forgiving.key(key), root=extra.embedded)

    def _judge_all(self, at: str, value: Any, before: Any, schema: Schema, forgiving: Forgiving, *, root: bool) -> None:
        if schema.programs is None:
            schema.programs = [*map(_compiled, schema.rules)]
        new: dict[str, Any] = {"self": wrapped(value, schema, root=root)}
        old = wrapped(before, schema, root=root) if before is not None else None
        for rule in schema.programs:
            if not rule.uses_old:
                self._judge(at, value, schema, rule, new, forgiving)
            elif rule.may_miss:
                self._judge(at, value, schema, rule, {**new, "oldSelf": Optional(old, before is not None)}, forgiving)
            elif before is not None:
                self._judge(at, value, schema, rule, {**new, "oldSelf": old}, forgiving)

    def _judge(
        self, at: str, value: Any, schema: Schema, rule: Rule, variables: dict[str, Any], forgiving: Forgiving
    ) -> None:
        place = at or NOWHERE
        if self.left <= 0:
            self._out_of_budget(place, schema)
        if rule.run is None:
            self.found.append(invalid(place, schema.type, f"rule compile error: compilation failed: {rule.why_not}"))
            return
        try:
            found, cost = run(rule.run, variables)
        except CelError as error:
            self._failed(place, schema, error, _said(rule.raw))
            return
        self.left -= cost
        if self.left < 0:
            self._out_of_budget(place, schema)
        if found is not True:
            forgives = not rule.uses_old and forgiving.forgives()
            (self.forgiven if forgives else self.found).append(self._broken(at, value, schema, rule.raw, variables))

    def _out_of_budget(self, place: str, schema: Schema) -> None:
        why = "validation failed due to running out of cost budget, no further validation rules will be run"
        self.found.append(invalid(place, schema.type, why))
        raise _Stop

    def _failed(self, place: str, schema: Schema, error: CelError, said: str) -> None:
        why = f"{error} evaluating rule: {said}"
        if isinstance(error, NoOverload):
            signature = "call arguments did not match a supported operator, function or macro signature"
            why = f"'{error}': {signature} for rule: {said}"
        if isinstance(error, TooExpensive):
            limit = "no further validation rules will be run due to call cost exceeds limit"
            self.found.append(invalid(place, schema.type, f"'{error}': {limit} for rule: {said}"))
            raise _Stop
        self.found.append(invalid(place, schema.type, why))

    def _broken(self, at: str, value: Any, schema: Schema, rule: Raw, variables: dict[str, Any]) -> Problem:
        place = at
        path = rule.get("fieldPath")
        if path:
            reached = field_path(path, schema.raw)
            if not isinstance(reached, str):
                joined = reached.at if reached.at.startswith("[") else f".{reached.at}"
                place = f"{at}{joined}" if at else reached.at
        message = rule.get("message")
        default = message.strip() if message else f"failed rule: {str(rule.get('rule')).strip()}"
        detail = self._message(rule, variables) or default
        shown = OMITTED if schema.type in ("object", "array") else value
        return _problem(place or NOWHERE, shown, detail, rule.get("reason"))

    def _message(self, rule: Raw, variables: dict[str, Any]) -> str:
        """What the expression for the message says; empty if it says nothing that can be used."""
        text = rule.get("messageExpression")
        if not text:
            return ""
        try:
            found, cost = evaluate(text, variables)
        except (CelError, CelSyntaxError):
            return ""
        self.left -= cost
        said = found.strip() if isinstance(found, str) else ""
        return "" if "\n" in said or len(said.encode()) > LONGEST_MESSAGE else said


def _said(rule: Raw) -> str:
    return str(rule.get("message") or rule.get("rule") or "").strip()


def _problem(at: str, value: Any, detail: str, reason: str | None) -> Problem:
    if reason == "FieldValueForbidden":
        return forbidden(at, detail)
    if reason == "FieldValueRequired":
        return required(at, detail)
    if reason == "FieldValueDuplicate":
        return duplicate(at, value)
    return invalid(at, value, detail)


@lru_cache(maxsize=2048)
def uses(text: str, name: str) -> bool:
    """Whether an expression speaks of a variable."""
    try:
        return _speaks_of(parsed(text), name)
    except CelSyntaxError:
        return False


def _speaks_of(expr: Expr, name: str) -> bool:
    return (expr.kind == "ident" and expr.name == name) or any(_speaks_of(part, name) for part in expr.parts)
