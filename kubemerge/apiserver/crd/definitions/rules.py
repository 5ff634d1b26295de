"""Validation of a definition's rules: types, constants, and estimated costs."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from ...cel.declarations import REQUEST, declared
from ...cel.estimates import MOST, estimate
from ...cel.language.environments import by_release, is_old
from ...cel.language.types import type_of
from ...problems import Problem, forbidden, internal
from ...regex.large_stack import with_large_stack
from ...schemas.problems import invalid
from ...schemas.schemas import Schema
from ..rules import compile_rule
from .printing import rule_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...cel.declarations import Declared
    from ...cel.language.types import Type
    from ...cel.programs import Program
    from ..rules import CompiledRule
    from .keywords import SchemaPosition

RULES = "x-kubernetes-validations"
MOST_OF_ONE = 10_000_000
"""The maximum estimated cost of one expression."""
MOST_OF_ALL = 100_000_000
"""The maximum estimated cost of all expressions of a schema."""
LISTED = 4
"""The number of expressions listed if all together cost too much."""
NO_TYPE = "unable to convert structural schema to CEL declarations"
ADVICE = (
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are "
    "declared)"
)


class RuleChecks:
    """The rules of one schema. The types of their values follow from the path."""

    def __init__(self, raw: dict[str, Any], *, unchanged: bool = False) -> None:
        self._whole = Schema(raw)
        self._unchanged = unchanged
        """Whether the schema was stored before, so that the cost of single expressions is accepted."""
        self._cost_of: dict[str, int] = {}
        """The estimated cost of each expression, by its path."""
        self._since = 0
        """The first release that compiles all expressions."""

    def problems(self, place: SchemaPosition, listed: list[dict[str, Any]]) -> Iterator[Problem]:
        """Validate the rules at one path."""
        schema = self._at(place.steps)
        root = not place.steps
        of = type_of(schema, root=root or schema.embedded) if schema is not None else None
        sizes = declared(schema, root=root or schema.embedded) if schema is not None else None
        if of is None or sizes is None:
            why = "failed to retrieve type information for x-kubernetes-validations"
            if schema is not None:
                why = f"failed to construct type information for {RULES} rules: {NO_TYPE}"
            yield internal(f"{place.at}.{RULES}", f"internal error: {why}")
            return
        times = self._times(place.steps)
        for index, rule in enumerate(listed):
            yield from self._of_rule(rule, f"{place.at}.{RULES}[{index}]", of, sizes, times, place)

    def whole(self, at: str) -> Iterator[Problem]:
        """Validate the total cost of all rules, after each was validated."""
        total = min(sum(self._cost_of.values()), MOST)
        if total > MOST_OF_ALL:
            expensive = [(cost, place) for place, cost in self._cost_of.items() if cost >= MOST_OF_ALL // 100]
            for _, place in sorted(expensive, key=lambda one: -one[0])[:LISTED]:
                why = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
                yield forbidden(place, why)._replace(since=self._since)
            name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
            yield forbidden(at, exceeds(name, total, MOST_OF_ALL))._replace(since=self._since)

    def _at(self, steps: tuple[str, ...]) -> Schema | None:
        found: Schema | None = self._whole
        for step in steps:
            if found is None:
                return None
            found = found.items if step == "[]" else found.extra if step == "{}" else found.field(step)
        return found

    def _times(self, steps: tuple[str, ...]) -> int | None:
        """The maximum number of values at a path. None if it is unlimited."""
        found = 1
        for count in range(len(steps)):
            schema = self._at(steps[:count])
            most: int | None = 1
            if schema is not None and schema.type == "array":
                most = schema.raw.get("maxItems")
            elif schema is not None and schema.type == "object" and schema.has_extra:
                most = schema.raw.get("maxProperties")
            if most is None:
                return None
            found = min(found * max(0, most), MOST)
        return found

    def _of_rule(
        self, raw: dict[str, Any], at: str, of: Type, sizes: Declared, times: int | None, place: SchemaPosition
    ) -> Iterator[Problem]:
        found: dict[Problem, Problem] = {}
        for era, rule in by_release(lambda environment: compile_rule(raw, of, environment), _reasons, _is_old):
            if rule.program is not None:
                self._since = max(self._since, era.since)
            for one in era.limit(self._of_compiled(rule, raw, at, sizes, times, place)):
                found[one] = found.get(one, one)._replace(until=one.until)  # equal ones of several eras are one problem
        yield from found.values()

    def _of_compiled(
        self,
        rule: CompiledRule,
        raw: dict[str, Any],
        at: str,
        sizes: Declared,
        times: int | None,
        place: SchemaPosition,
    ) -> Iterator[Problem]:
        text, asked = str(raw.get("rule") or ""), raw.get("optionalOldSelf")
        if rule.program is not None:
            count = times if times is not None else REQUEST // (sizes.least + 1)
            cost = min(_estimated(rule.program, sizes) * count, MOST)
            yield from self._costs(f"{at}.rule", "estimated rule cost", cost)
        else:
            yield from _invalid_rule(f"{at}.rule", raw, rule.why_not)
        if rule.why_no_message:
            yield from _invalid_rule(f"{at}.messageExpression", raw, rule.why_no_message)
        elif rule.message is not None:
            cost = _estimated(rule.message, sizes)
            yield from self._costs(f"{at}.messageExpression", "estimated messageExpression cost", cost)
        if rule.uses_old:
            if place.uncorrelated:
                said = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {place.uncorrelated}"
                yield invalid(f"{at}.rule", text, said)
        elif asked is not None:
            yield invalid(f"{at}.optionalOldSelf", asked, "may not be set if oldSelf is not used in rule")

    def _costs(self, at: str, name: str, cost: int) -> Iterator[Problem]:
        self._cost_of[at] = cost
        if cost > MOST_OF_ONE and not self._unchanged:
            yield forbidden(at, exceeds(name, cost, MOST_OF_ONE))


def _invalid_rule(at: str, raw: dict[str, Any], why: str) -> Iterator[Problem]:
    for era, shown in rule_values(raw):
        yield from era.limit([invalid(at, shown, why)])


def _reasons(rule: CompiledRule) -> object:
    return rule.why_not, rule.why_no_message


def _is_old(rule: CompiledRule) -> bool:
    """Whether all environments compile a rule alike."""
    if rule.program is None or rule.why_no_message:
        return False
    texts = (rule.program, "rule"), (rule.message, "messageExpression")
    return all(is_old(str(rule.raw.get(name)), _used(one)) for one, name in texts if one is not None)


def _used(program: Program) -> Iterator[str]:
    """The overloads that an expression may call, and the types that it names."""
    yield from chain.from_iterable(program.checked.overloads.values())
    yield from map("{}_".format, program.checked.named.values())


def _estimated(program: Program, sizes: Declared) -> int:
    return with_large_stack(lambda: estimate(program.checked, sizes))


def exceeds(name: str, cost: int, most: int) -> str:
    """Return how far a cost exceeds a limit, in the words of a server."""
    factor = float(cost) / float(most)
    said = "more than 100x" if factor > 100 else f"{factor:.6f}x" if factor < 1.5 else f"{factor:.1f}x"
    return f"{name} exceeds budget by factor of {said} {ADVICE}"
