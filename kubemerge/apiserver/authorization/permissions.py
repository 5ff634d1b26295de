"""The permissions that requests used, as Roles and ClusterRoles with the fewest rules."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..kinds.builtin_kinds import RBAC_GROUP
from ..user import AUTHENTICATED, USER_PREFIX, User
from .bootstrap import bootstrap_objects
from .role_index import RoleIndex
from .rules import Rule, not_covered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..protocol import Object
    from .attributes import Attributes

_VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
"""The verbs in the order of the result."""


class _Use(NamedTuple):
    user: str
    namespace: str
    rule: Rule
    managers: frozenset[str]


class UsedPermissions:
    """The permissions that the requests of a server used. Denied requests count, too."""

    def __init__(self, minor: int) -> None:
        self._lock = threading.Lock()
        self._uses: set[_Use] = set()
        self._minor = minor

    def note(self, asked: Attributes, managers: Iterable[str]) -> None:
        """Record a request. `managers` are its field manager and its program."""
        if asked.is_resource:
            rule = Rule((asked.verb,), (asked.group,), (asked.combined,), (asked.name,) if asked.name else ())
        else:
            rule = Rule((asked.verb,), urls=(asked.path,))
        namespace = "" if asked.resource == "namespaces" else asked.namespace
        use = _Use(asked.user.name, namespace, rule, frozenset(managers))
        with self._lock:
            self._uses.add(use)

    def clear(self) -> None:
        """Forget all requests."""
        with self._lock:
            self._uses.clear()

    def roles(self, user: str | None = None, manager: str | None = None, *, names: bool = False) -> list[Object]:
        """Return a ClusterRole for each user, and a Role for each namespace.

        `user` and `manager` select requests. With a manager, the roles are named after it. With `names`, rules are
        limited to the names of the objects, where requests have one.
        """
        with self._lock:
            uses = set(self._uses)
        chosen: dict[str, list[_Use]] = {}
        for use in uses:
            if user in (None, use.user) and (manager is None or manager in use.managers):
                chosen.setdefault(
                    manager or use.user.removeprefix(USER_PREFIX).rpartition(":")[2] or use.user, []
                ).append(use)
        return [role for name in sorted(chosen) for role in self._roles_of(name, chosen[name], names=names)]

    def _roles_of(self, name: str, uses: list[_Use], *, names: bool) -> Iterator[Object]:
        held = list(_rules_of_everybody(self._minor))
        for namespace in sorted({use.namespace for use in uses}):  # the ClusterRole first
            wanted = [use.rule if names else use.rule._replace(names=()) for use in uses if use.namespace == namespace]
            rules = merged_rules(not_covered(held, wanted))
            if not namespace:
                held += rules
            if rules:
                yield _role(name, namespace, rules)


@cache
def _rules_of_everybody(minor: int) -> tuple[Rule, ...]:
    """The rules that every user has, such as for discovery."""
    granted = RoleIndex(bootstrap_objects(minor)).granted(User("", groups=(AUTHENTICATED,)), "")
    return tuple(rule for one in granted for rule in one.rules or ())


def _role(name: str, namespace: str, rules: list[Rule]) -> Object:
    metadata: dict[str, Any] = {"name": name.replace("/", "-").replace("%", "-")}
    if namespace:
        metadata["namespace"] = namespace
    kind = "Role" if namespace else "ClusterRole"
    content = [dict(sorted(rule.content().items())) for rule in rules]
    return {"apiVersion": f"{RBAC_GROUP}/v1", "kind": kind, "metadata": metadata, "rules": content}


def merged_rules(parts: Iterable[Rule]) -> list[Rule]:
    """Merge rules of one verb and one resource, first by verbs, then by resources, then by groups."""
    rules = set(parts)
    covered = {rule for rule in rules if rule.names and rule._replace(names=()) in rules}
    found = list(rules - covered)
    for field in ("names", "verbs", "resources", "urls", "groups"):
        together: dict[Rule, set[str]] = {}
        for rule in found:
            together.setdefault(rule._replace(**{field: ()}), set()).update(getattr(rule, field) or ("",))
        found = [
            rule._replace(**{field: _ordered(field, values, is_group=bool(rule.resources))})
            for rule, values in together.items()
        ]
    return sorted(found, key=lambda rule: (rule.urls, rule.groups, rule.resources, rule.names, rule.verbs))


def _ordered(field: str, values: set[str], *, is_group: bool) -> tuple[str, ...]:
    if field == "verbs":
        return tuple(sorted(values, key=lambda verb: (_VERBS.index(verb) if verb in _VERBS else len(_VERBS), verb)))
    if field == "groups" and is_group:
        return tuple(sorted(values))
    return tuple(sorted(values - {""}))
