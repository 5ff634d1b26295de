"""Roles and role bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..targets import NoSuchResource, kind_called
from .parts import BadOptions, given, head

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...cluster import Cluster, Object

GROUP = "rbac.authorization.k8s.io"
API_VERSION = f"{GROUP}/v1"
_VERBS = (
    *("*", "get", "delete", "list", "create", "update", "patch", "watch", "proxy", "deletecollection", "use", "bind"),
    *("escalate", "impersonate"),
)
_URL_VERBS = ("*", "get", "put", "post", "head", "options", "delete", "patch")
_SPECIAL = {
    "use": {("policy", "podsecuritypolicies"), ("extensions", "podsecuritypolicies")},
    "bind": {(GROUP, "roles"), (GROUP, "clusterroles")},
    "escalate": {(GROUP, "roles"), (GROUP, "clusterroles")},
    "impersonate": {("", "users"), ("", "serviceaccounts"), ("", "groups"), ("authentication.k8s.io", "userextras")},
}
"""Verbs for special resources only, which need not be served."""


class NoMatch(BadOptions):
    """A resource that the cluster does not serve. kubectl prints this error without a prefix."""


class RequestedResource(NamedTuple):
    """The rules of a role."""

    verbs: Sequence[str]
    resources: Sequence[str]
    names: Sequence[str] = ()
    urls: Sequence[str] = ()
    aggregation: str = ""


class _Resource(NamedTuple):
    group: str
    plural: str
    part: str
    known: bool


def unusual(wanted: RequestedResource) -> list[str]:
    """The verbs that do not apply to resources, each with a warning."""
    return [f"'{verb}' is not a standard resource verb" for verb in _once(wanted.verbs) if verb not in _VERBS]


def role(cluster: Cluster, name: str, wanted: RequestedResource) -> Object:
    """A Role."""
    if not wanted.verbs:
        raise BadOptions("at least one verb must be specified")
    if not wanted.resources:
        raise BadOptions("at least one resource must be specified")
    return {**head(API_VERSION, "Role", name), "rules": _rules(cluster, wanted)}


def cluster_role(cluster: Cluster, name: str, wanted: RequestedResource) -> Object:
    """A ClusterRole, which may aggregate the rules of others."""
    if wanted.aggregation:
        if wanted.urls or wanted.verbs or wanted.resources or wanted.names:
            others = "nonResourceURLs, verbs, resources or resourceNames"
            raise BadOptions(f"aggregation rule must be specified without {others}")
        labels = dict(sorted(part.partition("=")[::2] for part in wanted.aggregation.split(",")))
        selectors = {"clusterRoleSelectors": [{"matchLabels": labels}]}
        return {**head(API_VERSION, "ClusterRole", name), "rules": None, "aggregationRule": selectors}
    if not wanted.verbs:
        raise BadOptions("at least one verb must be specified")
    if not wanted.resources and not wanted.urls:
        raise BadOptions("one of resource or nonResourceURL must be specified")
    rules = _rules(cluster, wanted)
    _check_urls(wanted)
    return {**head(API_VERSION, "ClusterRole", name), "rules": rules}


def _check_urls(wanted: RequestedResource) -> None:
    for verb in _once(wanted.verbs) if wanted.urls else ():
        if verb not in _URL_VERBS:
            raise BadOptions(f"invalid verb: '{verb}' for nonResourceURL")
    for url in wanted.urls:
        if url != "*" and not url.startswith("/"):
            raise BadOptions("nonResourceURL should start with /")
        if "*" in url[:-1]:
            raise BadOptions("nonResourceURL only supports wildcard matches when '*' is at the end")


def _rules(cluster: Cluster, wanted: RequestedResource) -> list[Object]:
    """A rule for each group of resources, and one for URLs."""
    verbs = ["*"] if "*" in wanted.verbs else _once(wanted.verbs)
    resources = [_resource(cluster, text) for text in _until_all(wanted.resources)]
    _check(resources, verbs)
    groups: dict[str, list[str]] = {}
    for one in resources:
        groups.setdefault(one.group, []).append(f"{one.plural}/{one.part}" if one.part else one.plural)
    rules = [
        {
            "verbs": verbs,
            "apiGroups": [group],
            "resources": _once(groups[group]),
            **given({"resourceNames": _once(wanted.names)}),
        }
        for group in sorted(groups)
    ]
    return [*rules, *([{"verbs": verbs, "nonResourceURLs": _once(wanted.urls)}] if wanted.urls else [])]


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _until_all(texts: Sequence[str]) -> Sequence[str]:
    return ["*"] if "*" in texts else texts


def _resource(cluster: Cluster, text: str) -> _Resource:
    """`pods`, `rs.apps`, `pods/log`: by the plural that the cluster serves, or as it is."""
    word, _, part = text.partition("/")
    plural, _, group = word.partition(".")
    if plural == "*":
        return _Resource(group, plural, part, known=True)
    try:
        found = kind_called(cluster, word)
    except NoSuchResource:
        return _Resource(group, plural, part, known=False)
    return _Resource(found.group, found.plural, part, known=True)


def _check(resources: Sequence[_Resource], verbs: Sequence[str]) -> None:
    for one in resources:
        if not one.plural:
            raise BadOptions("resource must be specified if apiGroup/subresource specified")
        if one.plural == "*":
            return
        special = [verb for verb in verbs if verb in _SPECIAL]
        for verb in special:
            if (one.group, one.plural) not in _SPECIAL[verb]:
                raise BadOptions(f"can not perform '{verb}' on '{one.plural}' in group '{one.group}'")
        if not one.known and not special:
            where = f' in group "{one.group}"' if one.group else ""
            raise NoMatch(f'the server doesn\'t have a resource type "{one.plural}"{where}')


# ---- bindings --------------------------------------------------------------------------------------------------------


class Subjects(NamedTuple):
    """The subjects of a binding."""

    users: Sequence[str]
    groups: Sequence[str]
    accounts: Sequence[str]


def role_binding(name: str, *, role: str, cluster_role: str, subjects: Subjects) -> Object:
    """A RoleBinding to a Role or a ClusterRole."""
    if bool(role) == bool(cluster_role):
        raise BadOptions("exactly one of clusterrole or role must be specified")
    return _binding("RoleBinding", name, ("Role", role) if role else ("ClusterRole", cluster_role), subjects)


def cluster_role_binding(name: str, *, cluster_role: str, subjects: Subjects) -> Object:
    """A ClusterRoleBinding."""
    return _binding("ClusterRoleBinding", name, ("ClusterRole", cluster_role), subjects)


def _binding(kind: str, name: str, to: tuple[str, str], subjects: Subjects) -> Object:
    bound = [{"kind": "User", "apiGroup": GROUP, "name": one} for one in subjects.users]
    bound += [{"kind": "Group", "apiGroup": GROUP, "name": one} for one in subjects.groups]
    bound += [_account(one) for one in subjects.accounts]
    reference = {"apiGroup": GROUP, "kind": to[0], "name": to[1]}
    return {**head(API_VERSION, kind, name), **given({"subjects": bound}), "roleRef": reference}


def _account(text: str) -> Object:
    parts = text.split(":")
    if len(parts) != 2 or not all(parts):
        raise BadOptions("serviceaccount must be <namespace>:<name>")
    return {"kind": "ServiceAccount", "name": parts[1], "namespace": parts[0]}
