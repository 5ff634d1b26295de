"""A value whose type does not fit its field."""

from __future__ import annotations

from engine.values.immutable import Immutable

from . import go_bytes
from .go_times import problem
from .go_types import BYTES, MICRO_TIME, TIME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from engine.paths import Steps
    from engine.tables.rules import Rule

_OWN_DECODERS = frozenset({"quantity", "int-or-string"})
"""Types that decode their JSON themselves. Go stops at their first error."""
READERS: dict[str, Callable[[str], str]] = {
    TIME: problem,
    MICRO_TIME: lambda text: problem(text, micro=True),
    BYTES: go_bytes.problem,
}
"""Parsers of the texts of Go types. They return the error."""


class Doubtful(Exception):
    """A value may have a wrong type. `check` decides whether it has one, and finds its place."""


class FreeKey(str):
    """A path step for a key of a map with free keys. Go's messages omit it."""

    __slots__ = ()


SCHEMA_OR_BOOL = "JSONSchemaPropsOrBool"
"""A Go type that is decoded specially."""


class TypeMismatch(Immutable):
    """A value of the wrong type for its field. `owner` is the type that has the field, and `go` the value's Go type."""

    __slots__ = ("at", "value", "rule", "owner", "go", "steps")  # noqa: RUF023 - the order in which they are filled
    at: Steps
    value: Any
    rule: Rule
    owner: str
    go: str
    steps: Steps
    """The path with the names of embedded structs, as Go prints it."""

    def __init__(self, at: Steps, value: Any, rule: Rule, owner: str, go: str = "", steps: Steps = ()) -> None:
        self._fill(at, value, rule, owner, go, steps)

    def inside(self, step: str | int, *embedded: str) -> TypeMismatch:
        """Return the error with a step before its path. Paths are built from the innermost step outward."""
        steps = (*self.steps, step, *reversed(embedded))
        return TypeMismatch((*self.at, step), self.value, self.rule, self.owner, self.go, steps)

    def below(self, step: str) -> TypeMismatch:
        """Return the error with a step before its path. Go's message omits this step, as Go decodes the value apart."""
        return TypeMismatch((step, *self.at), self.value, self.rule, self.owner, self.go, self.steps)

    @property
    def stops(self) -> bool:
        """Whether Go stops decoding here, because a type with its own JSON decoder failed. Other errors are
        collected.
        """
        if self.go == SCHEMA_OR_BOOL:
            return True
        return self.rule.kind == "primitive" and (self.rule.of in _OWN_DECODERS or self.go in (TIME, MICRO_TIME))

    def placed(self, at: Steps) -> TypeMismatch:
        """Return the error with the complete path of an object inside another one."""
        whole, steps = (*at, *reversed(self.at)), (*at, *reversed(self.steps))
        return TypeMismatch(whole, self.value, self.rule, self.owner, self.go, steps)


def problem_of_quantity(value: Any) -> str:
    """Return the error of a quantity, or an empty text."""
    from engine.values import quantities  # late, because decimals are slow to import

    return quantities.problem(value)
