"""Escalation checks: a user can grant only permissions that they hold, unless they may `escalate` or `bind`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import NotFound
from ..kinds.builtin_kinds import RBAC_GROUP
from ..text.go_text import quoted
from ..unchecked import as_map
from ..user import MASTERS
from .attributes import AccessDenied, Attributes
from .rbac import aggregate
from .role_index import RoleRef
from .rules import FULL_AUTHORITY, missing_rules, missing_text, quoted_list, rules_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..unchecked import Object
    from ..user import User
    from .authorizer import Authorizer
    from .rules import Rule

_PLURALS = {
    "ClusterRole": "clusterroles",
    "ClusterRoleBinding": "clusterrolebindings",
    "Role": "roles",
    "RoleBinding": "rolebindings",
}
_FOR_COLLECTORS = ("ownerReferences", "finalizers", "selfLink", "managedFields")
"""Fields of metadata that garbage collection needs, and that anybody with write access may change."""
_AGGREGATION = "must have cluster-admin privileges to use the aggregationRule"


class EscalationCheck:
    """The check of one write of a role or binding."""

    def __init__(self, authorizer: Authorizer, user: User, kind: str, namespace: str, name: str = "") -> None:
        self._authorizer, self._user, self._namespace = authorizer, user, namespace
        self._kind, self._called = kind, f"{_PLURALS[kind]}.{RBAC_GROUP}"
        self._name = name
        """The name in the path of the request. Empty for a POST."""

    def check(self, content: Object, live: Object | None) -> None:
        """Reject a write that would grant permissions that the user does not hold."""
        if MASTERS in self._user.groups or (live is not None and _is_for_collectors(content, live)):
            return
        name = as_map(content.get("metadata")).get("name") or ""
        if self._kind.endswith("Binding"):
            self._check_binding(RoleRef.of(content), name)
        elif not self._allowed("escalate", _PLURALS[self._kind], self._name):
            self._check_role(content, live, name)

    def _check_role(self, content: Object, live: Object | None, name: str) -> None:
        self._confirm_held(rules_in(content), name)
        if self._kind == "ClusterRole" and (_aggregates(content) or _aggregates(live or {})):
            held = self._authorizer.held_rules(self._user, self._namespace, self._called)
            if missing_rules(held.rules, FULL_AUTHORITY):
                raise self._denied(name, _AGGREGATION)

    def _check_binding(self, ref: RoleRef, name: str) -> None:
        plural = _PLURALS.get(ref.kind, "")
        if plural in ("clusterroles", "roles") and self._allowed("bind", plural, ref.name):
            return
        rules = self._authorizer.rules_of(ref, self._namespace)
        if rules is None:
            raise NotFound(self._authorizer.called(ref, self._called), ref.name)
        self._confirm_held(rules, name)

    def _allowed(self, verb: str, plural: str, name: str) -> bool:
        asked = Attributes(self._user, verb, RBAC_GROUP, plural, name=name, namespace=self._namespace)
        return self._authorizer.authorize(asked).allowed

    def _confirm_held(self, rules: Sequence[Rule], name: str) -> None:
        held = self._authorizer.held_rules(self._user, self._namespace, self._called)
        missing = missing_rules(held.rules, rules)
        if not missing:
            return
        who = f"user {quoted(self._user.name)} (groups={quoted_list(self._user.groups)})"
        why = f"{who} is attempting to grant RBAC permissions not currently held:\n{missing_text(missing)}"
        if held.errors:
            why += f"; resolution errors: [{aggregate(held.errors)}]"
        raise self._denied(name, why)

    def _denied(self, name: str, why: str) -> AccessDenied:
        return AccessDenied(self._called, name, why)


def _aggregates(role: Object) -> bool:
    return bool(as_map(role.get("aggregationRule")).get("clusterRoleSelectors"))


def _is_for_collectors(content: Object, live: Object) -> bool:
    """Whether a write changes only what garbage collection needs."""
    return _compared(content) == _compared(live)


def _compared(content: Object) -> Object:
    metadata = {key: value for key, value in content["metadata"].items() if value and key not in _FOR_COLLECTORS}
    return {**{key: value for key, value in content.items() if value}, "metadata": metadata}
