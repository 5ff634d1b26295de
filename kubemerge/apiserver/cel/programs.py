"""Compiled expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..regex.large_stack import with_large_stack
from .evaluator import Compiler, run
from .language.checker import Checked, check_types
from .language.environments import NEWEST
from .language.parser import parse
from .language.tree import CelSyntaxError, located
from .language.types import DYN
from .meter import MAX_COST, Meter
from .validators import problems
from .values import CelError

if TYPE_CHECKING:
    from .evaluator import Env, Run
    from .language.types import Type


class Refused(Exception):
    """An expression that a server does not compile. The text is the reason."""

    def __init__(self, why: str, used: frozenset[str] = frozenset()) -> None:
        super().__init__(why)
        self.used = used
        """The variables of the expression, if only a constant is invalid."""


class Program(NamedTuple):
    """A compiled expression."""

    run: Run
    checked: Checked

    def evaluate(self, variables: Env, meter: Meter) -> Any:
        """Return its value. Raise CelError, or Cancelled."""
        before = (meter.left, meter.stop)
        try:
            return run(self.run, variables, meter)
        except RecursionError:  # again, on a large stack
            pass

        def once() -> Any:
            meter.left, meter.stop = before
            return run(self.run, variables, meter)

        return with_large_stack(once)


def compile_expression(
    text: str,
    variables: dict[str, Type],
    wanted: Type | None = None,
    otherwise: str = "",
    *,
    patches: bool = False,
    environment: int = NEWEST,
) -> Program:
    """Compile an expression. Raise Refused, with `otherwise` as the text if its type is not the expected one.

    `patches`: it is a patch of an admission policy.
    """
    return with_large_stack(
        lambda: _compiled(text, variables, wanted, otherwise, patches=patches, environment=environment)
    )


def _compiled(
    text: str, variables: dict[str, Type], wanted: Type | None, otherwise: str, *, patches: bool, environment: int
) -> Program:
    try:
        found = check_types(parse(text, environment), variables, patches=patches, environment=environment)
    except CelSyntaxError as error:
        raise Refused(f"compilation failed: {error.located_in(text)}") from None
    wrong = found.problems or problems(found, environment)
    if wrong:
        raise Refused(f"compilation failed: {located(text, wrong)}")
    if wanted is not None and found.type != wanted:
        raise Refused(otherwise)
    try:
        return Program(Compiler(found).compiled(), found)
    except CelError as error:
        raise Refused(f"program instantiation failed: {error}", found.used) from None


def evaluate(text: str, variables: dict[str, Any], most: int = MAX_COST) -> tuple[Any, int]:
    """Return the value of an expression with dynamic variables, and its cost."""
    meter = Meter(most)
    program = compile_expression(text, dict.fromkeys(variables, DYN))
    return program.evaluate(variables, meter), meter.spent
