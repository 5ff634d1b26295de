"""CEL rules of a definition: `x-kubernetes-validations`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.guard import with_room

from ..cel.language.environments import NEWEST
from ..cel.language.types import BOOL, DYN, STRING, Type, escaped, field_of, optional, type_of
from ..cel.meter import Cancelled, Meter, TooExpensive
from ..cel.programs import Program, Refused, compile_expression
from ..cel.values import CelError, Optional, wrapped
from ..eras import NO_END, in_release
from ..problems import NO_PATH, OMITTED, Problem, forbidden, required
from ..schemas.problems import duplicate, invalid
from ..text.go_text import quoted
from ..validation.eras import TYPES_SHOWN, VALUES_SHOWN
from .deadlines import evaluate_in_time
from .definitions.paths import field_path
from .ratcheting import by_keys, key_of

if TYPE_CHECKING:
    from ..schemas.schemas import Raw, Schema
    from .ratcheting import Correlated

WORD = "x-kubernetes-validations"
BUDGET = 10_000_000
"""The cost limit of all rules of one object."""
LONGEST_MESSAGE = 5 * 1024
NO_BUDGET = "failed due to running out of cost budget, no further validation rules will be run"
OUT_OF_BUDGET = f"validation {NO_BUDGET}"


class OldValues(NamedTuple):
    """The old value of this value, and of its nearest ancestor."""

    current: Correlated | None
    above: Correlated | None

    def forgives(self) -> bool:
        """Whether the value is unchanged."""
        known = self.current if self.current is not None else self.above
        return known is not None and known.is_equal()

    def key(self, name: str) -> OldValues:
        """Return the same for a field."""
        if self.current is None:
            return self
        if self.above is None and name in ("apiVersion", "kind"):
            return OldValues(None, None)
        return OldValues(self.current.key(name), self.current)

    def element(self, place: int) -> OldValues:
        """Return the same for an element."""
        return self if self.current is None else OldValues(self.current.index(place), self.current)


NOT_BOOL = "cel expression must evaluate to a bool"
NOT_STRING = "messageExpression must evaluate to a string"


class CompiledRule(NamedTuple):
    """A compiled rule, with the compilation errors of its expressions."""

    raw: Raw
    program: Program | None
    why_not: str
    message: Program | None = None
    why_no_message: str = ""
    uses_old: bool = False
    """Whether it uses oldSelf."""

    @property
    def may_miss(self) -> bool:
        """Whether oldSelf is optional."""
        return self.raw.get("optionalOldSelf") is True


def compile_rule(raw: Raw, of: Type, environment: int = NEWEST) -> CompiledRule:
    """Compile a rule for values of a type."""
    may_miss = raw.get("optionalOldSelf") is True
    variables = {"self": of, "oldSelf": optional(of) if may_miss else of}
    try:
        program = compile_expression(str(raw.get("rule") or ""), variables, BOOL, NOT_BOOL, environment=environment)
    except Refused as refused:
        return CompiledRule(raw, None, str(refused), uses_old="oldSelf" in refused.used)
    uses_old = "oldSelf" in program.checked.used
    text = str(raw.get("messageExpression") or "")
    if not text:
        return CompiledRule(raw, program, "", uses_old=uses_old)
    try:
        message = compile_expression(text, variables, STRING, NOT_STRING, environment=environment)
        return CompiledRule(raw, program, "", message, uses_old=uses_old)
    except Refused as refused:
        why = str(refused)
    if why.startswith("program instantiation"):
        why = why.removeprefix("program ")
    why = why if why == NOT_STRING else f"messageExpression {why}"
    return CompiledRule(raw, program, "", None, why, uses_old)


class RuleOfValue(NamedTuple):
    """A value and one of its rules."""

    place: str
    at: str
    value: Any
    schema: Schema
    rule: CompiledRule
    message_variables: dict[str, Any]


class _Stop(Exception):
    """The end of rule evaluation."""


def broken_rules(content: Any, before: Any, schema: Schema, whole: Correlated | None) -> list[Problem]:
    """Return the problems of broken rules."""
    return evaluate_rules(content, before, schema, whole)[0]


def evaluate_rules(
    content: Any, before: Any, schema: Schema, whole: Correlated | None, minor: int = NO_END
) -> tuple[list[Problem], list[Problem]]:
    """Return the problems of broken rules as in a minor release. Also return those ratcheting accepts, because the old
    value broke them, too.
    """
    walk: RuleTraversal = evaluate_in_time(
        content, before, schema, lambda: evaluate_with_cost(content, before, schema, whole)
    )
    return in_release(walk.found, minor), in_release(walk.forgiven, minor)


def evaluate_with_cost(content: Any, before: Any, schema: Schema, whole: Correlated | None = None) -> RuleTraversal:
    """Return the same with the remaining budget."""
    of = type_of(schema, root=True)

    def look() -> RuleTraversal:
        walk = RuleTraversal()
        try:
            walk.look("", content, before, schema, of, OldValues(whole, None), root=True)
        except _Stop:
            walk.stopped = True
        return walk

    return with_room(look)


class RuleTraversal:
    """A traversal of the object with the remaining budget."""

    def __init__(self) -> None:
        self.stopped = False
        """Whether some rules were not evaluated."""
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
        forgiving: OldValues,
        *,
        root: bool = False,
    ) -> None:
        """Evaluate all rules of a value, and of everything inside it."""
        if value is None or of is None:
            return
        if schema.rules:
            self._judge_all(at, value, before, schema, of, forgiving, root=root)
        if isinstance(value, list):
            self._elements(at, value, before, schema, of, forgiving)
        elif isinstance(value, dict):
            self._fields(at, value, before, schema, of, forgiving)

    def _elements(self, at: str, value: list[Any], before: Any, schema: Schema, of: Type, forgiving: OldValues) -> None:
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
        self, at: str, value: dict[str, Any], before: Any, schema: Schema, of: Type, forgiving: OldValues
    ) -> None:
        olds = before if isinstance(before, dict) else {}
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

    def _judge_all(
        self, at: str, value: Any, before: Any, schema: Schema, of: Type, forgiving: OldValues, *, root: bool
    ) -> None:
        if schema.programs is None:
            schema.programs = [compile_rule(one, of) for one in schema.rules]
        place = at or NO_PATH
        if self.left <= 0:
            self._stop(place, schema, OUT_OF_BUDGET)
        try:
            new: dict[str, Any] = {"self": wrapped(value, schema, root=root)}
            both = new
            if before is not None and any(rule.uses_old for rule in schema.programs):
                both = {**new, "oldSelf": wrapped(before, schema, root=root)}
        except CelError as error:  # the format of a value is valid, but its value is not
            for rule in schema.programs:
                self._failed(RuleOfValue(place, at, value, schema, rule, {}), error)
            return
        for rule in schema.programs:
            variables = both
            if rule.may_miss:
                variables = {**new, "oldSelf": Optional(both.get("oldSelf"), before is not None)}
            elif rule.uses_old and before is None:
                continue
            self._judge(RuleOfValue(place, at, value, schema, rule, both), variables, forgiving)

    def _judge(self, one: RuleOfValue, variables: dict[str, Any], forgiving: OldValues) -> None:
        rule, schema = one.rule, one.schema
        if rule.program is None:
            self.found.append(invalid(one.place, schema.type, f"rule compile error: {rule.why_not}"))
            return
        meter = Meter()
        failed: CelError | Cancelled | None = None
        found: Any = None
        try:
            found = rule.program.evaluate(variables, meter)
        except (CelError, Cancelled) as error:
            failed = error
        if meter.spent > self.left:
            self._stop(one.place, schema, OUT_OF_BUDGET)
        self.left -= meter.spent
        if failed is not None:
            self._failed(one, failed)
        elif found is not True:
            forgives = not rule.uses_old and forgiving.forgives()
            self._broken(one, self.forgiven if forgives else self.found)

    def _stop(self, place: str, schema: Schema, why: str) -> None:
        self.found.append(invalid(place, schema.type, why))
        raise _Stop

    def _failed(self, one: RuleOfValue, error: CelError | Cancelled) -> None:
        said = _said(one.rule.raw)
        if isinstance(error, TooExpensive):
            limit = "no further validation rules will be run due to call cost exceeds limit"
            self._stop(one.place, one.schema, f"'{error}': {limit} for rule: {said}")
        why = f"{error} evaluating rule: {said}"
        if str(error).startswith("no such overload"):
            signature = "call arguments did not match a supported operator, function or macro signature"
            why = f"'{error}': {signature} for rule: {said}"
        self.found.append(invalid(one.place, one.schema.type, why))

    def _broken(self, one: RuleOfValue, found: list[Problem]) -> None:
        """Add the message of a broken rule."""
        rule, schema, place = one.rule.raw, one.schema, one.at
        path = rule.get("fieldPath")
        if path:
            reached = field_path(path, schema.raw)
            if not isinstance(reached, str):
                joined = reached.at if reached.at.startswith("[") else f".{reached.at}"
                place = f"{place}{joined}" if place else reached.at
        message = rule.get("message")
        detail = message.strip() if message else f"failed rule: {str(rule.get('rule')).strip()}"
        if one.rule.message is not None:
            said, stops = self._message(one, one.rule.message)
            if stops:
                found.append(invalid(place or NO_PATH, schema.type, said))
                raise _Stop
            detail = said or detail
        shown = OMITTED if schema.type in ("object", "array") else one.value
        for era, value in ((TYPES_SHOWN, schema.type), (VALUES_SHOWN, shown)):
            found += era.limit([_problem(place or NO_PATH, value, detail, rule.get("reason"))])

    def _message(self, one: RuleOfValue, program: Program) -> tuple[str, bool]:
        """The value of the messageExpression, and whether evaluation ends. Empty if it is not used."""
        meter = Meter()
        found: Any = None
        failed: CelError | Cancelled | None = None
        try:
            found = program.evaluate(one.message_variables, meter)
        except (CelError, Cancelled) as error:
            failed = error
        if meter.spent > self.left:
            return f"messageExpression evaluation {NO_BUDGET}", True
        self.left -= meter.spent
        if isinstance(failed, TooExpensive):
            limit = "no further validation rules will be run due to call cost exceeds limit"
            return f"{limit} for messageExpression: {quoted(str(one.rule.raw['messageExpression']))}", True
        said = found.strip() if isinstance(found, str) else ""
        return ("" if "\n" in said or "\r" in said or len(said.encode()) > LONGEST_MESSAGE else said), False


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
