"""Match conditions of policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .evaluation import CONDITIONS_BUDGET, Evaluation, OutOfBudget

if TYPE_CHECKING:
    from .compiled import CompiledPolicy
    from .context import PolicyContext


class ConditionError(Exception):
    """Match conditions that cannot be evaluated, in a policy whose errors reject the request."""


def meets_conditions(policy: CompiledPolicy, context: PolicyContext, variables: dict[str, Any]) -> bool:
    """Whether a request meets the match conditions of a policy. They do not see the Namespace.

    A false condition takes precedence over errors of the others. Raise ConditionError for errors if the policy fails.
    """
    if not policy.conditions:
        return True
    request = variables["request"]
    sent = context.request.resource
    resource = {"group": sent.group, "version": sent.version, "resource": sent.plural}
    evaluation = Evaluation(
        policy,
        {**variables, "namespaceObject": None, "request": {**request, "resource": resource}},
        CONDITIONS_BUDGET,
    )
    errors: list[str] = []
    try:
        results = [evaluation.evaluate(one.expression) for one in policy.conditions]
    except OutOfBudget as error:
        if policy.fails:
            raise ConditionError(str(error)) from None
        return False
    for result in results:
        if result.error:
            errors.append(result.error)
        elif result.value is False:
            return False
    if errors and policy.fails:
        raise ConditionError(_aggregate(errors))
    return not errors


def _aggregate(errors: list[str]) -> str:
    distinct = list(dict.fromkeys(errors))
    return distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]"
