"""Evaluation of a policy's expressions for one request, with its variables and its cost budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..cel.meter import MAX_COST, Cancelled, Meter
from ..cel.values import CelError, LazyFields
from .compiled import WITHIN_BUDGET

if TYPE_CHECKING:
    from .compiled import CompiledPolicy, Expression

BUDGET = WITHIN_BUDGET * MAX_COST
"""The cost of all validations of a policy in one request, of all their messages, or of one mutation."""
CONDITIONS_BUDGET = BUDGET // 4
"""The cost of all match conditions."""
OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run"


class OutOfBudget(Exception):
    """The expressions of a policy cost too much."""

    def __init__(self) -> None:
        super().__init__(OUT_OF_BUDGET)


class Result(NamedTuple):
    """The value of an expression, or an error."""

    value: Any = None
    error: str = ""


class Evaluation:
    """Evaluates expressions of one policy with common variables and a common budget."""

    def __init__(self, policy: CompiledPolicy, variables: dict[str, Any], budget: int = BUDGET) -> None:
        self.left = budget
        self._policy = policy
        self._spent_by_variables = 0
        self._variables = variables
        if policy.variables:
            self._variables = {**variables, "variables": LazyFields(policy.variables, self._variable)}

    def evaluate(self, expression: Expression) -> Result:
        """Return the result of an expression. Raise OutOfBudget if the budget is spent."""
        if expression.program is None:
            return Result(error=f"compilation error: {expression.why_not}")
        meter = Meter(MAX_COST)
        error, value = "", None
        try:
            value = expression.program.evaluate(self._variables, meter)
        except (CelError, Cancelled) as failed:
            error = f"expression '{expression.text}' resulted in error: {failed}"
        if self._spent_by_variables:
            self._spend(self._spent_by_variables)
            self._spent_by_variables = 0
        self._spend(meter.spent)
        return Result(value, error)

    def _spend(self, cost: int) -> None:
        if cost > self.left:
            raise OutOfBudget
        self.left -= cost

    def _variable(self, name: str) -> Any:
        expression = self._policy.variables[name]
        if expression.program is None:
            raise CelError(f'composited variable "{name}" fails to compile: {expression.why_not}')
        meter = Meter(MAX_COST)
        try:
            return expression.program.evaluate(self._variables, meter)
        except (CelError, Cancelled) as error:
            raise CelError(f'composited variable "{name}" fails to evaluate: {error}') from None
        finally:
            self._spent_by_variables += meter.spent
