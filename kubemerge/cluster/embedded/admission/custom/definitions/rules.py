"""Whether the rules of a definition can be compiled: their types go together, and they are true or false."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cel.language.checker import Checked, checked
from ..cel.language.parser import parsed
from ..cel.language.tree import CelSyntaxError, located
from ..cel.language.types import BOOL, STRING, Type, optional, type_of
from ..problems import Problem, internal, invalid
from ..schemas import Schema
from .printing import literal
from .printing import rule as shown_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .words import Place

RULES = "x-kubernetes-validations"


class RuleChecks:
    """The rules of one schema; the types of their values are found by the way to them."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._whole = Schema(raw)

    def problems(self, place: Place, listed: list[dict[str, Any]]) -> Iterator[Problem]:
        """What is wrong with the rules at a place."""
        schema = self._at(place.steps)
        of = type_of(schema, root=not place.steps or schema.embedded) if schema is not None else None
        if of is None:
            why = "internal error: failed to retrieve type information for x-kubernetes-validations"
            yield internal(f"{place.at}.{RULES}", why)
            return
        for index, rule in enumerate(listed):
            yield from _of_rule(rule, f"{place.at}.{RULES}[{index}]", of, place)

    def _at(self, steps: tuple[str, ...]) -> Schema | None:
        found: Schema | None = self._whole
        for step in steps:
            if found is None:
                return None
            found = found.items if step == "[]" else found.extra if step == "{}" else found.field(step)
        return found


def _of_rule(rule: dict[str, Any], at: str, of: Type, place: Place) -> Iterator[Problem]:
    text, asked = str(rule.get("rule") or ""), rule.get("optionalOldSelf")
    variables = {"self": of, "oldSelf": optional(of) if asked is True else of}
    found, why = _compiled(text, variables, BOOL, "cel expression must evaluate to a bool")
    if why:
        yield invalid(f"{at}.rule", literal(shown_rule(rule)), why)
    message = str(rule.get("messageExpression") or "")
    if message and not why:
        _, why = _compiled(
            message, variables, STRING, "messageExpression must evaluate to a string", "messageExpression "
        )
        if why:
            yield invalid(f"{at}.messageExpression", literal(shown_rule(rule)), why)
    if found is not None and "oldSelf" in found.used:
        if place.uncorrelated:
            said = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {place.uncorrelated}"
            yield invalid(f"{at}.rule", text, said)
    elif asked is not None:
        yield invalid(f"{at}.optionalOldSelf", asked, "may not be set if oldSelf is not used in rule")


def _compiled(
    text: str, variables: dict[str, Type], wanted: Type, otherwise: str, before: str = ""
) -> tuple[Checked | None, str]:
    """The types of an expression, and why it is none that can be used."""
    try:
        found = checked(parsed(text), variables)
    except CelSyntaxError as error:
        return None, f"{before}compilation failed: {located(text, [(error.at, error.why)])}"
    if found.problems:
        return None, f"{before}compilation failed: {located(text, found.problems)}"
    if found.type != wanted:
        return None, otherwise
    return found, ""
