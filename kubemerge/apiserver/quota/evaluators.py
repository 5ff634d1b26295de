"""The resources that quotas limit, by kind: which of them an object uses, and how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..unchecked import as_map, get_path, maps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from ..protocol import Object

CREATE, UPDATE = "CREATE", "UPDATE"
IGNORED = frozenset({("", "events"), ("events.k8s.io", "events")})
"""Resources that no quota limits, by group and plural."""
ALIASES = {
    ("", "configmaps"): "configmaps",
    ("", "resourcequotas"): "resourcequotas",
    ("", "replicationcontrollers"): "replicationcontrollers",
    ("", "secrets"): "secrets",
}
"""Resources that are also counted by a name without `count/`."""


class QuotaContext(NamedTuple):
    """The release, the time, and the other objects of the cluster."""

    minor: int
    clock: Callable[[], datetime]
    of_kind: Callable[[str, str, str | None], Iterator[Object]]


class Evaluator:
    """The usage of one resource. This class only counts objects."""

    def __init__(self, group: str, plural: str, context: QuotaContext) -> None:
        self.group, self.plural, self.context = group, plural, context
        self.count = f"count/{plural}.{group}" if group else f"count/{plural}"
        """The name of the number of objects."""

    def handles(self, operation: str, content: Object, before: Object | None, subresource: str) -> bool:
        """Whether a request may change the usage."""
        del content, before
        return operation == CREATE and not subresource

    def matching(self, names: Iterable[str]) -> list[str]:
        """Return the resources in `names` that objects of this kind use."""
        alias = ALIASES.get((self.group, self.plural))
        return [name for name in names if name in (self.count, alias)]

    def matches_scope(self, requirement: Object, content: Object) -> bool:
        """Whether an object is in a scope of a quota."""
        del requirement, content
        return False

    def missing(self, names: Iterable[str], content: Object) -> str:
        """Return the reason for a rejection if the object lacks a required amount. Empty if it has all."""
        del names, content
        return ""

    def usage(self, content: Object) -> dict[str, Any]:
        """Return the amounts that an object uses."""
        del content
        alias = ALIASES.get((self.group, self.plural))
        return dict.fromkeys([self.count, *([alias] if alias else [])], "1")


def scopes_of(quota: Object) -> list[Object]:
    """Return the scopes of a quota as requirements."""
    spec = as_map(quota.get("spec"))
    scopes = spec.get("scopes")
    named = [{"scopeName": one, "operator": "Exists"} for one in scopes] if isinstance(scopes, list) else []
    return named + [one for _, one in maps(as_map(spec.get("scopeSelector")), "matchExpressions")]


def hard_of(quota: Object) -> dict[str, Any]:
    """Return the limits of a quota that are in effect."""
    return as_map(get_path(quota, "status.hard"))


def used_of(quota: Object) -> dict[str, Any]:
    """Return the usage of a quota."""
    return as_map(get_path(quota, "status.used"))


def is_in_scopes(quota: Object, content: Object, evaluator: Evaluator) -> bool:
    """Whether an object is in all scopes of a quota."""
    return all(evaluator.matches_scope(one, content) for one in scopes_of(quota))


def is_matched(quota: Object, content: Object, evaluator: Evaluator) -> bool:
    """Whether a quota limits an object."""
    return bool(evaluator.matching(hard_of(quota))) and is_in_scopes(quota, content, evaluator)
