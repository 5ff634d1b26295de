"""Describe roles and their bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map
from .parts import go, marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView


def role(page: Page, one: Object, _: ClusterView) -> None:
    """A Role or a ClusterRole."""
    page.field("Name", one["metadata"]["name"])
    marks(page, one)
    page.line(0, "PolicyRule:")
    titles = ("Resources", "Non-Resource URLs", "Resource Names", "Verbs")
    page.table(1, titles, map(_row, _rules(as_list(one.get("rules")))))


def _rules(rules: Sequence[Object]) -> list[Object]:
    """One rule for each resource and name of an object, and for each URL and verb."""
    simple: dict[tuple[str, str, str | None], list[str]] = {}
    urls: list[Object] = []
    for rule in rules:
        for group, resource, name, verb in _parts(rule):
            verbs = simple.setdefault((group, resource, name), [])
            verbs += [] if verb in verbs else [verb]
        urls += [
            {"nonResourceURLs": [url], "verbs": [verb]}
            for url in as_list(rule.get("nonResourceURLs"))
            for verb in rule["verbs"]
        ]
    made: list[Object] = [
        {"apiGroups": [group], "resources": [resource], "resourceNames": [] if name is None else [name], "verbs": verbs}
        for (group, resource, name), verbs in simple.items()
    ]
    return sorted([*urls, *made], key=_order)


def _parts(rule: Object) -> Iterator[tuple[str, str, str | None, str]]:
    names: list[Any] = as_list(rule.get("resourceNames")) or [None]
    for group in as_list(rule.get("apiGroups")):
        for resource in as_list(rule.get("resources")):
            for verb in as_list(rule.get("verbs")):
                yield from ((group, resource, name, verb) for name in names)


def _order(rule: Object) -> str:
    fields = ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")
    return ",".join(go(as_list(rule.get(field))) for field in fields)


def _row(rule: Object) -> Sequence[str]:
    resources, groups = as_list(rule.get("resources")), as_list(rule.get("apiGroups"))
    called = ""
    if resources:
        plural, slash, part = resources[0].partition("/")
        called = f"{plural}{f'.{groups[0]}' if groups and groups[0] else ''}{slash}{part}"
    return called, *(go(as_list(rule.get(field))) for field in ("nonResourceURLs", "resourceNames", "verbs"))


def binding(page: Page, one: Object, _: ClusterView) -> None:
    """A RoleBinding or a ClusterRoleBinding."""
    page.field("Name", one["metadata"]["name"])
    marks(page, one)
    reference = as_map(one.get("roleRef"))
    page.line(0, "Role:")
    page.field("Kind", reference.get("kind", ""), 1)
    page.field("Name", reference.get("name", ""), 1)
    page.line(0, "Subjects:")
    rows = ([each.get(field, "") for field in ("kind", "name", "namespace")] for each in as_list(one.get("subjects")))
    page.table(1, ("Kind", "Name", "Namespace"), rows)
