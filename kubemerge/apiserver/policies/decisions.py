"""The results of policies that callers may look at."""

from __future__ import annotations

from typing import Any, NamedTuple


class PolicyWarning(str):
    """A warning of a policy with the action Warn, and the expression that failed."""

    __slots__ = ("binding", "expression", "policy")
    policy: str
    binding: str
    expression: str

    @classmethod
    def of(cls, text: str, policy: str, binding: str, expression: str) -> PolicyWarning:
        """Return the warning."""
        found = cls(text)
        found.policy, found.binding, found.expression = policy, binding, expression
        return found


class Mutated(NamedTuple):
    """An object before and after one invocation of a mutating policy."""

    policy: str
    binding: str
    before: dict[str, Any]
    after: dict[str, Any]
