"""Role-based access control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kinds.builtin_kinds import RBAC_GROUP
from ..user import MASTERS
from .authorizer import Authorizer, Decision, HeldRules
from .role_index import keys_of, not_found
from .rules import rule_allows

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..user import User
    from .attributes import Attributes
    from .role_index import RoleIndex, RoleRef
    from .rules import Rule


REQUESTED_SINCE = 32
"""The first minor release that names the resource of the request in messages about a missing role."""
NAMED_SINCE = 37
"""The first minor release whose reasons name the authorizer."""


class RBAC(Authorizer):
    """Authorization by Roles and their bindings. Members of `system:masters` have all permissions."""

    decides = True

    def __init__(self, index: Callable[[], RoleIndex], minor: int) -> None:
        self._index = index
        self._minor = minor
        self._prefix = "rbac: " if minor >= NAMED_SINCE else ""

    def authorize(self, attributes: Attributes) -> Decision:
        """Return whether a rule of the user allows a request."""
        user = attributes.user
        if MASTERS in user.groups:
            return Decision(True)
        missing = []
        for binding, rules in self._index().granted(user, attributes.namespace):
            if rules is None:
                missing.append(not_found(binding.ref))
                continue
            for rule in rules:
                if rule_allows(rule, attributes):
                    return Decision(True, f"RBAC: allowed by {binding.source(keys_of(user))}")
        return Decision(False, f"{self._prefix}RBAC: {aggregate(missing)}" if missing else "")

    def held_rules(self, user: User, namespace: str, called: str = "") -> HeldRules:
        """Return all rules of a user. `called` is the resource of a request that the storage of the server handles."""
        found = HeldRules([], [])
        for binding, rules in self._index().granted(user, namespace):
            if rules is None:
                resource = self.called(binding.ref, called) if called else ""
                found.errors.append(not_found(binding.ref, resource))
            else:
                found.rules.extend(rules)
        return found

    def called(self, ref: RoleRef, requested: str) -> str:
        """Return the resource that the storage of a server names if a role is missing."""
        return requested if self._minor >= REQUESTED_SINCE else f"{ref.kind.lower()}s.{RBAC_GROUP}"

    def rules_of(self, ref: RoleRef, namespace: str) -> tuple[Rule, ...] | None:
        """Return the rules of a role that a binding in this namespace references. None if it does not exist."""
        return self._index().rules_of(ref, namespace)


def aggregate(errors: list[str]) -> str:
    """Several messages as Go's aggregate error."""
    distinct = list(dict.fromkeys(errors))
    return distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]"
