"""Role, ClusterRole, RoleBinding and ClusterRoleBinding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..defaulting.rules import Default, Group, TypePosition, equals
from ..eras import Era
from ..kinds.builtin_kinds import RBAC_GROUP
from ..problems import Problem, declarative, immutable, invalid, required, unsupported_text
from ..unchecked import as_map, as_text, maps
from ..validation import names
from ..validation.eras import VERBS_BEFORE
from ..validation.object_names import path_segment
from ..validation.selectors import label_selector
from ..validation.values import formats
from .record import KindRecord, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

SUBJECTS = ("ServiceAccount", "User", "Group")
VERSIONS = (f"{RBAC_GROUP}/v1", f"{RBAC_GROUP}/v1beta1", f"{RBAC_GROUP}/v1alpha1")


def role(content: Object) -> Iterator[Problem]:
    """Validate a Role."""
    for index, rule in maps(content, "rules"):
        yield from _rule(f"rules[{index}]", rule, namespaced=True)


def cluster_role(content: Object) -> Iterator[Problem]:
    """Validate a ClusterRole."""
    for index, rule in maps(content, "rules"):
        yield from _rule(f"rules[{index}]", rule, namespaced=False)
    aggregation = content.get("aggregationRule")
    if aggregation is None:
        return
    at, selectors = "aggregationRule.clusterRoleSelectors", list(maps(as_map(aggregation), "clusterRoleSelectors"))
    if not selectors:
        yield required(at, "at least one clusterRoleSelector required if aggregationRule is non-nil")
    for index, selector in selectors:
        found = list(label_selector(f"{at}[{index}]", selector))
        yield from found
        if found:
            yield invalid(f"{at}[{index}]", None, "invalid label selector.")


def _rule(at: str, rule: Object, *, namespaced: bool) -> Iterator[Problem]:
    if not rule.get("verbs"):
        yield from VERBS_BEFORE.limit([required(f"{at}.verbs", "verbs must contain at least one value")])
    urls = rule.get("nonResourceURLs")
    if urls:
        if namespaced:
            yield invalid(f"{at}.nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs")
        if any(rule.get(field) for field in ("apiGroups", "resources", "resourceNames")):
            why = "rules cannot apply to both regular resources and non-resource URLs"
            yield invalid(f"{at}.nonResourceURLs", urls, why)
        return
    if not rule.get("apiGroups"):
        yield required(f"{at}.apiGroups", "resource rules must supply at least one api group")
    if not rule.get("resources"):
        yield required(f"{at}.resources", "resource rules must supply at least one resource")


def role_binding(content: Object) -> Iterator[Problem]:
    """Validate a RoleBinding."""
    return _binding(content, ("Role", "ClusterRole"), namespaced=True)


def cluster_role_binding(content: Object) -> Iterator[Problem]:
    """Validate a ClusterRoleBinding."""
    return _binding(content, ("ClusterRole",), namespaced=False)


def _binding(content: Object, kinds: tuple[str, ...], *, namespaced: bool) -> Iterator[Problem]:
    ref = as_map(content.get("roleRef"))
    group, kind, name = (as_text(ref.get(field)) for field in ("apiGroup", "kind", "name"))
    if group != RBAC_GROUP:
        yield unsupported_text("roleRef.apiGroup", group, (RBAC_GROUP,))
    if kind not in kinds:
        yield unsupported_text("roleRef.kind", kind, kinds)
    if not name:
        yield declarative(required("roleRef.name"))
    else:
        yield from formats.each("roleRef.name", name, path_segment)
    for index, subject in maps(content, "subjects"):
        yield from _subject(f"subjects[{index}]", subject, namespaced=namespaced)


def _subject(at: str, subject: Object, *, namespaced: bool) -> Iterator[Problem]:
    kind, name, group = (as_text(subject.get(field)) for field in ("kind", "name", "apiGroup"))
    if kind == "ServiceAccount":
        if name:
            yield from formats.each(f"{at}.name", name, names.subdomain)
        if group:
            yield unsupported_text(f"{at}.apiGroup", group, ("",))
        if not namespaced and not subject.get("namespace"):
            yield required(f"{at}.namespace")
    elif kind in ("User", "Group"):
        if group != RBAC_GROUP:
            yield unsupported_text(f"{at}.apiGroup", group, (RBAC_GROUP,))
    else:
        yield unsupported_text(f"{at}.kind", kind, SUBJECTS)


def changed_binding(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a binding. Its roleRef is immutable."""
    ref = as_map(content.get("roleRef"))
    if ref != as_map(before.get("roleRef")):
        shown = {
            name: ref.get(field, "") for name, field in (("APIGroup", "apiGroup"), ("Kind", "kind"), ("Name", "name"))
        }
        yield from Era(37).limit([immutable("roleRef", shown)])
        yield from Era(until=36).limit([invalid("roleRef", shown, "cannot change roleRef")])


_SOURCE = "rbac/v1/defaults.go SetDefaults_"
_DEFAULTS = (
    Group(
        ("RoleBinding", "ClusterRoleBinding"),
        _SOURCE + "RoleBinding, ClusterRoleBinding",
        (Default("roleRef.apiGroup", RBAC_GROUP),),
    ),
    Group(
        ("Subject",),
        _SOURCE + "Subject",
        (Default("apiGroup", RBAC_GROUP, equals("kind", "User", "Group"), since="1.8"),),
    ),
)
RECORDS = (
    KindRecord(group=RBAC_GROUP, kind="Role", versions=VERSIONS, named_again=True, check=role),
    KindRecord(group=RBAC_GROUP, kind="ClusterRole", versions=VERSIONS, named_again=True, check=cluster_role),
    KindRecord(
        group=RBAC_GROUP,
        kind="RoleBinding",
        versions=VERSIONS,
        defaults=_DEFAULTS,
        places={"RoleBinding": (TypePosition("subjects[]", "Subject"),)},
        named_again=True,
        check=role_binding,
        check_update=after_create_check(role_binding, changed_binding),
    ),
    KindRecord(
        group=RBAC_GROUP,
        kind="ClusterRoleBinding",
        versions=VERSIONS,
        defaults=_DEFAULTS,
        places={"ClusterRoleBinding": (TypePosition("subjects[]", "Subject"),)},
        named_again=True,
        check=cluster_role_binding,
        check_update=after_create_check(cluster_role_binding, changed_binding),
    ),
)
