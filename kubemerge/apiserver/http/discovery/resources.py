"""Resources in discovery: versions, verbs and categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import engine

from ...crd.lookup import definition_of
from ...eras import minor_of
from ...kinds.builtin_kinds import facts_of
from ...unchecked import as_list, as_map
from ...unchecked import get_path as found_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...protocol import Cluster, Object, Resource

VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")
CUSTOM_VERBS = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
VERBS_OF = {
    "Namespace": ("create", "delete", "get", "list", "patch", "update", "watch"),
    "ComponentStatus": ("get", "list"),
}
_EXTENSIONS = {"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io"}
"""Groups whose kinds change the API itself, with a special category."""
_LAST_WITH_BETAS = "1.23"
"""The last release that enabled new beta versions by default. Those enabled then stayed enabled."""
_ON_LATER = {"flowcontrol.apiserver.k8s.io"}
"""Groups whose beta versions were enabled by default later, too."""
_OFF_SINCE = 16
_OFF = {"apps/v1beta1", "apps/v1beta2", "extensions/v1beta1"}
"""Versions that were disabled before they were removed, except for kinds without another version."""
_LEFT_ON = {"Ingress"}
_QUESTIONS: tuple[tuple[str, str, str, bool, str, int, int | None], ...] = (
    ("", "v1", "bindings", True, "Binding", 0, None),
    ("authentication.k8s.io", "v1", "selfsubjectreviews", False, "SelfSubjectReview", 28, None),
    ("authentication.k8s.io", "v1", "tokenreviews", False, "TokenReview", 0, None),
    ("authentication.k8s.io", "v1beta1", "tokenreviews", False, "TokenReview", 0, 21),
    ("authorization.k8s.io", "v1", "localsubjectaccessreviews", True, "LocalSubjectAccessReview", 0, None),
    ("authorization.k8s.io", "v1", "selfsubjectaccessreviews", False, "SelfSubjectAccessReview", 0, None),
    ("authorization.k8s.io", "v1", "selfsubjectrulesreviews", False, "SelfSubjectRulesReview", 8, None),
    ("authorization.k8s.io", "v1", "subjectaccessreviews", False, "SubjectAccessReview", 0, None),
    ("authorization.k8s.io", "v1beta1", "localsubjectaccessreviews", True, "LocalSubjectAccessReview", 0, 21),
    ("authorization.k8s.io", "v1beta1", "selfsubjectaccessreviews", False, "SelfSubjectAccessReview", 0, 21),
    ("authorization.k8s.io", "v1beta1", "selfsubjectrulesreviews", False, "SelfSubjectRulesReview", 8, 21),
    ("authorization.k8s.io", "v1beta1", "subjectaccessreviews", False, "SubjectAccessReview", 0, 21),
)
"""Virtual kinds that are never stored, such as reviews: group, version, plural, namespaced, kind, first and
last minor.
"""


@dataclass(frozen=True)
class DiscoveredResource:
    """One resource in discovery."""

    name: str
    group: str
    version: str
    namespaced: bool
    kind: str
    verbs: tuple[str, ...] = VERBS
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    singular: str = ""

    @property
    def api_version(self) -> str:
        """The apiVersion, as `apps/v1`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def called(self) -> str:
        """The name with the group, as `deployments.apps`."""
        return f"{self.name}.{self.group}" if self.group else self.name

    @property
    def facts(self) -> Object:
        """The resource as the API writes it."""
        found = {
            "categories": list(self.categories),
            "group": self.group,
            "kind": self.kind,
            "name": self.name,
            "namespaced": self.namespaced,
            "shortNames": list(self.short_names),
            "singularName": self.singular or self.kind.lower(),
            "verbs": list(self.verbs),
            "version": self.version,
        }
        return {key: value for key, value in found.items() if value or key in ("namespaced", "singularName")}


def verbs_of(one: Resource) -> tuple[str, ...]:
    """Return the verbs of a resource."""
    return CUSTOM_VERBS if not one.built_in else VERBS if one.group else VERBS_OF.get(one.kind, VERBS)


def is_on(release: str, one: Resource) -> bool:
    """Whether a server of this release serves a version of a built-in kind by default."""
    if not one.built_in or "beta" not in one.version:
        return not one.built_in or "alpha" not in one.version
    if one.api_version in _OFF and one.kind not in _LEFT_ON and minor_of(release) >= _OFF_SINCE:
        return False
    minor = min(minor_of(release), minor_of(_LAST_WITH_BETAS))
    return one.group in _ON_LATER or (one.api_version, one.kind) in engine.load(f"1.{minor}")


def served(cluster: Cluster, release: str) -> list[DiscoveredResource]:
    """Return the resources of a cluster, each in its preferred version, by group and name."""
    found: dict[tuple[str, str], DiscoveredResource] = {}
    for one in cluster.resources():  # the preferred version comes first
        if one.verbs:  # a real server reports it
            head = (one.plural, one.group, one.version, one.namespaced, one.kind)
            resource_entry = DiscoveredResource(*head, one.verbs, one.short_names, one.categories, one.singular)
            found.setdefault((one.group, one.plural), resource_entry)
            continue
        if not is_on(release, one):
            continue
        head = (one.plural, one.group, one.version, one.namespaced, one.kind)
        words = categories(None if one.built_in else definition_of(cluster, one), one, release)
        made = DiscoveredResource(*head, verbs_of(one), one.short_names, words, one.singular)
        found.setdefault((one.group, one.plural), made)
    for group, version, plural, namespaced, kind in virtual_kinds(release):
        found.setdefault((group, plural), DiscoveredResource(plural, group, version, namespaced, kind, ("create",)))
    return [found[key] for key in sorted(found)]


def categories(definition: Object | None, one: Resource, release: str) -> tuple[str, ...]:
    """Return the categories of a resource, such as `all`."""
    if not one.built_in:
        names = as_map(found_at(definition, "spec.names"))
        return tuple(map(str, as_list(names.get("categories"))))
    if facts_of(one.group, one.kind).in_all:
        return ("all",)
    return ("api-extensions",) if one.group in _EXTENSIONS and minor_of(release) >= _CATEGORY_SINCE else ()


_CATEGORY_SINCE = 18


def versions(cluster: Cluster, release: str) -> Sequence[str]:
    """Return every served apiVersion, sorted."""
    found = {one.api_version for one in cluster.resources() if is_on(release, one)}
    asked = {f"{group}/{version}" if group else version for group, version, *_ in virtual_kinds(release)}
    return sorted(found | asked)


def virtual_kinds(release: str) -> Iterator[tuple[str, str, str, bool, str]]:
    """Yield the virtual kinds of a release: group, version, plural, namespaced, and kind."""
    minor = minor_of(release)
    for group, version, plural, namespaced, kind, first, last in _QUESTIONS:
        if first <= minor and (last is None or minor <= last):
            yield group, version, plural, namespaced, kind
