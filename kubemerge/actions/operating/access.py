"""What a server allows us, or somebody whom we may stand for: asked of the server itself."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ...apiserver.unchecked import as_list, as_map, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...client.cluster import RemoteCluster

_AUTHORIZATION, _AUTHENTICATION = "authorization.k8s.io/v1", "authentication.k8s.io/v1"
_EVERYTHING = "*"


class Who(NamedTuple):
    """Whom a question is about: us, unless a name is given."""

    user: str = ""
    groups: tuple[str, ...] = ()

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers by which we stand for somebody."""
        named = [("Impersonate-User", self.user)] if self.user else []
        return [*named, *(("Impersonate-Group", one) for one in self.groups)]


class Said(NamedTuple):
    """Whether something is allowed, and why (not)."""

    allowed: bool
    why: str


def may(cluster: RemoteCluster, who: Who, **attributes: Any) -> Said:
    """Whether an action is allowed: `resourceAttributes` or `nonResourceAttributes` of a SelfSubjectAccessReview."""
    content = {"apiVersion": _AUTHORIZATION, "kind": "SelfSubjectAccessReview", "spec": attributes}
    answer = cluster.ask(_AUTHORIZATION, "selfsubjectaccessreviews", content, headers=who.headers)
    status = as_map(answer.get("status"))
    why = [as_text(status.get(name)) for name in ("reason", "evaluationError")]
    return Said(status.get("allowed") is True, "".join(f" - {one}" for one in why if one))


def rights(cluster: RemoteCluster, who: Who, namespace: str) -> tuple[list[list[str]], str]:
    """All that is allowed in a namespace, as the rows of a table, and what makes the list incomplete."""
    content = {"apiVersion": _AUTHORIZATION, "kind": "SelfSubjectRulesReview", "spec": {"namespace": namespace}}
    answer = cluster.ask(_AUTHORIZATION, "selfsubjectrulesreviews", content, headers=who.headers)
    status = as_map(answer.get("status"))
    rows = [*_of_resources(as_list(status.get("resourceRules"))), *_of_urls(as_list(status.get("nonResourceRules")))]
    return rows, as_text(status.get("evaluationError")) if status.get("incomplete") else ""


def _of_resources(rules: Sequence[Any]) -> list[list[str]]:
    """One row for each resource of each group, with all verbs of it, by name as kubectl sorts them."""
    found: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for rule in rules:
        names = tuple(map(str, as_list(rule.get("resourceNames"))))
        for group, resource in product(as_list(rule.get("apiGroups")), as_list(rule.get("resources"))):
            verbs = found.setdefault((str(group), str(resource), names), [])
            verbs += [str(one) for one in as_list(rule.get("verbs")) if one not in verbs]
    rows = [
        [f"{resource}.{group}" if group else resource, "[]", _listed(names), _listed(verbs)]
        for (group, resource, names), verbs in found.items()
    ]
    return sorted(rows, key=lambda row: row[0] != "*.*")


def _of_urls(rules: Sequence[Any]) -> list[list[str]]:
    return [
        ["", _listed([url]), "[]", _listed(as_list(rule.get("verbs")))]
        for rule in rules
        for url in as_list(rule.get("nonResourceURLs"))
    ]


def _listed(words: Sequence[Any]) -> str:
    return f"[{' '.join(map(str, words))}]"


def identity(cluster: RemoteCluster) -> dict[str, Any]:
    """Who the server takes us for: a SelfSubjectReview."""
    content = {"apiVersion": _AUTHENTICATION, "kind": "SelfSubjectReview"}
    return cluster.ask(_AUTHENTICATION, "selfsubjectreviews", content)


def rows_of(review: dict[str, Any]) -> list[list[str]]:
    """What a review says of us, as the rows of a table."""
    info = as_map(as_map(review.get("status")).get("userInfo"))
    rows = [["ATTRIBUTE", "VALUE"]]
    rows += [
        [title, as_text(info[name])] for title, name in (("Username", "username"), ("UID", "uid")) if info.get(name)
    ]
    if info.get("groups"):
        rows.append(["Groups", _listed(as_list(info["groups"]))])
    extra = as_map(info.get("extra"))
    return rows + [[f"Extra: {key}", _listed(as_list(extra[key]))] for key in sorted(extra)]
