"""Compiled policies. Each expression is compiled once for each generation of its policy."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..cel.language.types import BOOL, DYN, NULL, STRING
from ..cel.programs import Program, Refused, compile_expression
from ..unchecked import as_map, as_text, maps
from ..validation.values import compiled as environments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..cel.evaluator import Run
    from ..cel.language.types import Type
    from ..protocol import Object

PATCH_TYPES = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
RESULTS = {"ApplyConfiguration": environments.OBJECT, "JSONPatch": environments.JSON_PATCHES}

WITHIN_BUDGET = 10
"""The number of expressions that cannot exceed the cost budget of a policy together."""


class Expression(NamedTuple):
    """An expression with its program, or the reason why it has none."""

    text: str
    program: Program | None
    why_not: str = ""


class Validation(NamedTuple):
    """One validation with its messages."""

    expression: Expression
    message_expression: Expression | None
    message: str
    reason: str


class Condition(NamedTuple):
    """A match condition or an audit annotation, with its name or key."""

    name: str
    expression: Expression


class Mutation(NamedTuple):
    """One mutation."""

    patch_type: str
    expression: Expression


class CompiledPolicy:
    """The expressions of one policy, compiled on first use."""

    def __init__(self, policy: Object) -> None:
        self.policy = policy
        self.spec = as_map(policy.get("spec"))
        self.name = as_text(as_map(policy.get("metadata")).get("name"))
        self.fails = self.spec.get("failurePolicy") != "Ignore"
        """Whether errors reject the request."""

    @cached_property
    def variables(self) -> dict[str, Expression]:
        """The variables by name."""
        return self._composed[0]

    @property
    def _known(self) -> Mapping[str, Type]:
        return self._composed[1]

    @cached_property
    def _composed(self) -> tuple[dict[str, Expression], dict[str, Type]]:
        base = environments.PARAMS if self.spec.get("paramKind") is not None else environments.REQUEST
        known = environments.with_variables(base, {})
        found: dict[str, Expression] = {}
        types: dict[str, Type] = {}
        for _, one in maps(self.spec, "variables"):
            name = as_text(one.get("name"))
            found[name] = _compiled(as_text(one.get("expression")), known)
            program = found[name].program
            types[name] = environments.variable_type(program.checked.type) if program is not None else DYN
            known = environments.with_variables(base, types)
        return found, known

    @cached_property
    def conditions(self) -> list[Condition]:
        """The match conditions."""
        found = [one for _, one in maps(self.spec, "matchConditions")]
        return [
            Condition(as_text(one.get("name")), _compiled(as_text(one.get("expression")), self._known, BOOL))
            for one in found
        ]

    @cached_property
    def validations(self) -> list[Validation]:
        """The validations."""
        return [self._validation(one) for _, one in maps(self.spec, "validations")]

    @cached_property
    def has_messages(self) -> bool:
        """Whether a validation has a message expression."""
        return any(one.message_expression is not None for one in self.validations)

    @cached_property
    def plain(self) -> tuple[Run, ...] | None:
        """The compiled validations, if the policy consists of them and of cheap messages. None for others.

        Such a policy has no effect on a request that all of them accept.
        """
        spec, validations = self.spec, self.validations
        expressions = [*validations, *filter(None, (one.message_expression for one in validations))]
        programs = [one.expression.program for one in validations]
        if any(spec.get(field) for field in ("variables", "matchConditions", "auditAnnotations", "paramKind")):
            return None
        if None in programs or len(expressions) > WITHIN_BUDGET:
            return None
        return tuple(one.run for one in programs if one is not None)

    def _validation(self, one: Object) -> Validation:
        said = as_text(one.get("messageExpression"))
        known = environments.without_authorizer(self._known)
        return Validation(
            _compiled(as_text(one.get("expression")), self._known, BOOL),
            _compiled(said, known, STRING) if said else None,
            as_text(one.get("message")),
            as_text(one.get("reason")),
        )

    @cached_property
    def audit_annotations(self) -> list[Condition]:
        """The audit annotations."""
        found = [one for _, one in maps(self.spec, "auditAnnotations")]
        return [
            Condition(
                as_text(one.get("key")), _compiled(as_text(one.get("valueExpression")), self._known, STRING, NULL)
            )
            for one in found
        ]

    @cached_property
    def mutations(self) -> list[Mutation]:
        """The mutations."""
        return [
            Mutation(kind, _compiled(self._patch(one, kind), self._known, RESULTS[kind], patches=True))
            for _, one in maps(self.spec, "mutations")
            if (kind := as_text(one.get("patchType"))) in PATCH_TYPES
        ]

    def _patch(self, one: Object, kind: str) -> str:
        return as_text(as_map(one.get(PATCH_TYPES[kind])).get("expression"))


def _compiled(text: str, known: Mapping[str, Type], *wanted: Type, patches: bool = False) -> Expression:
    try:
        program = compile_expression(text, dict(known), patches=patches)
    except Refused as refused:
        return Expression(text, None, str(refused))
    found: Any = program.checked.type
    if wanted and found not in wanted:
        return Expression(text, None, environments.wrong_type(found, wanted))
    return Expression(text, program)
