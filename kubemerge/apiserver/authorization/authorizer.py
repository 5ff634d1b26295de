"""Authorizers. This one allows everything, and `rbac` has the other."""

from __future__ import annotations

from collections import namedtuple  # typing.NamedTuple is slow to import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..user import User
    from .attributes import Attributes
    from .role_index import RoleRef
    from .rules import Rule

MODES = ("always-allow", "rbac")
"""The authorization modes of a server. The first is the default."""


class Decision(namedtuple("Decision", ("allowed", "reason"), defaults=("",))):
    """Whether a request is allowed, and the reason. The reason may be empty."""

    __slots__ = ()
    allowed: bool
    reason: str


class HeldRules(namedtuple("HeldRules", ("rules", "errors"))):
    """The rules of a user in a namespace, and the messages about roles that could not be found."""

    __slots__ = ()
    rules: list[Rule]
    errors: list[str]


class Authorizer:
    """The authorizer of the default mode: every user has all permissions."""

    decides = False
    """Whether any request could be denied."""

    def authorize(self, attributes: Attributes) -> Decision:  # noqa: ARG002
        """Return whether a request is allowed."""
        return Decision(True)

    def held_rules(self, user: User, namespace: str, called: str = "") -> HeldRules:  # noqa: ARG002
        """Return the rules of a user in a namespace."""
        from .rules import FULL_AUTHORITY

        return HeldRules(list(FULL_AUTHORITY), [])

    def called(self, ref: RoleRef, requested: str) -> str:  # noqa: ARG002
        """Return the resource that is named if a role is missing."""
        return requested

    def rules_of(self, ref: RoleRef, namespace: str) -> tuple[Rule, ...] | None:  # noqa: ARG002
        """Return the rules of a role that a binding in a namespace references."""
        return None


ALWAYS_ALLOW = Authorizer()
