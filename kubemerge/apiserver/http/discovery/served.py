"""Served resources at one moment: every resource and subresource, and the definitions of custom resources."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import engine

from ...eras import minor_of
from ...kinds.builtin_kinds import DEFINITION, stored_in
from ...kinds.names import rank
from ...unchecked import as_map, as_text, maps
from .resources import categories, is_on, verbs_of, virtual_kinds
from .subresources import SCALE, WITHOUT_STATUS, WRITTEN, subresources_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...cluster import EmbeddedCluster
    from ...protocol import Object, Resource

_GROUPS = (
    "",
    "apiregistration.k8s.io",
    "extensions",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "settings.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "auditregistration.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "storagemigration.k8s.io",
)
"""The groups of Kubernetes in the order of servers. Others come after them."""
_STORED_AS = {DEFINITION: "apiextensions.k8s.io/v1beta1"}
"""Exceptions from the rule for storage versions."""


@dataclass(frozen=True)
class ServedResource:
    """A resource or a subresource, as servers list it."""

    group: str
    version: str
    name: str
    """The name in paths: `deployments`, `deployments/scale`."""
    kind: str
    namespaced: bool
    verbs: tuple[str, ...]
    singular: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    answers: str = ""
    """The apiVersion of its objects, if different: `autoscaling/v1` of a Scale."""
    object_kind: str = ""
    """The kind of the parent object, if different."""
    stored_as: str = ""
    """The apiVersion in which its objects are stored. Empty if none are."""
    built_in: bool = True

    @property
    def api_version(self) -> str:
        """The apiVersion, as `apps/v1`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def resource(self) -> str:
        """The name without the subresource."""
        return self.name.partition("/")[0]

    @property
    def subresource(self) -> str:
        """The subresource. Empty for the resource itself."""
        return self.name.partition("/")[2]


@dataclass(frozen=True, eq=False)
class ServedResources:
    """Served resources. A change of a definition makes a new one, so that documents are cached with it."""

    release: str
    changed: int
    """The moment of the last change to definitions, as a growing number."""
    rows: tuple[ServedResource, ...]
    """Every resource by group and version in the order of servers, each followed by its subresources."""
    definitions: tuple[Object, ...] = ()
    """The CustomResourceDefinitions that add resources."""
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Cached documents, by content."""

    @property
    def minor(self) -> int:
        """The minor of the release."""
        return minor_of(self.release)

    @cached_property
    def versions(self) -> Mapping[str, list[str]]:
        """The versions of each group, both in the order of servers. The first version is preferred."""
        grouped: dict[str, dict[str, None]] = {}
        for row in self.rows:
            grouped.setdefault(row.group, {})[row.version] = None
        return {group: list(versions) for group, versions in grouped.items()}

    def of(self, api_version: str) -> list[ServedResource]:
        """Return the rows of an apiVersion."""
        return self._by_api_version.get(api_version, [])

    @cached_property
    def _by_api_version(self) -> dict[str, list[ServedResource]]:
        found: dict[str, list[ServedResource]] = {}
        for row in self.rows:
            found.setdefault(row.api_version, []).append(row)
        return found

    def definition(self, name: str) -> Object:
        """Return the CustomResourceDefinition of this name. Empty without one."""
        return self._by_name.get(name, {})

    def version_of(self, name: str, version: str) -> Object:
        """Return a version of a CustomResourceDefinition. Empty without one."""
        return self._by_version.get((name, version), {})

    @cached_property
    def _by_version(self) -> dict[tuple[str, Any], Object]:
        found: dict[tuple[str, Any], Object] = {}
        for name, definition in self._by_name.items():
            for _, one in maps(as_map(definition.get("spec")), "versions"):
                if isinstance(one.get("name"), str):
                    found.setdefault((name, one["name"]), one)
        return found

    @cached_property
    def _by_name(self) -> dict[str, Object]:
        return {one["metadata"]["name"]: one for one in reversed(self.definitions)}


def served_by(cluster: EmbeddedCluster, before: ServedResources | None = None) -> ServedResources:
    """Return the served resources of a cluster. Return `before` if nothing changed."""
    changed = cluster.kinds_changed()
    if before is not None and (before.release, before.changed) == (cluster.release, changed):
        return before
    release = cluster.release
    known = cluster.resources()
    resources = [one for one in known if is_on(release, one)]
    definitions = _definitions(cluster) if any(not one.built_in for one in resources) else {}
    stored = {name: _storage_version(one) for name, one in definitions.items()}
    rows = [
        row
        for one in resources
        for row in _rows_of(one, definitions.get(one.called), stored.get(one.called), known, release)
    ]
    rows += [
        ServedResource(group, version, name, kind, namespaced, ("create",), kind.lower())
        for group, version, name, namespaced, kind in virtual_kinds(release)
    ]
    return ServedResources(release, changed, tuple(_sorted(rows)), tuple(definitions.values()))


def _definitions(cluster: EmbeddedCluster) -> dict[str, Object]:
    group, kind = DEFINITION
    listed = [one for one in cluster.resources() if (one.group, one.kind) == DEFINITION]
    return {one["metadata"]["name"]: one for one in cluster.list(f"{group}/{listed[0].version}", kind)}


def _sorted(rows: Iterable[ServedResource]) -> Iterator[ServedResource]:
    """Sort rows like servers: by group, the preferred version first, then by name."""
    grouped: dict[str, dict[str, list[ServedResource]]] = {}
    for row in rows:
        grouped.setdefault(row.group, {}).setdefault(row.version, []).append(row)
    for group in sorted(grouped, key=_place):
        versions = grouped[group]
        for version in sorted(versions, key=lambda one: (_stage(one), one)):
            listed = versions[version]
            custom = any(not row.built_in for row in listed)
            yield from sorted(listed, key=lambda row: row.resource if custom else row.name)


def _place(group: str) -> tuple[int, str]:
    return (_GROUPS.index(group), "") if group in _GROUPS else (len(_GROUPS), group)


def _stage(version: str) -> tuple[int, ...]:
    _, stage, number, further = rank(f"x/{version}")
    return -stage, -number, -further


def _rows_of(
    one: Resource, definition: Object | None, storage: str | None, others: list[Resource], release: str
) -> Iterator[ServedResource]:
    custom = not one.built_in
    verbs = verbs_of(one)
    stored_as = f"{one.group}/{storage or one.version}" if custom else _stored_as(one, others, release)
    head = (one.group, one.version)
    yield ServedResource(
        *head,
        one.plural,
        one.kind,
        one.namespaced,
        verbs,
        one.singular or one.kind.lower(),
        one.short_names,
        categories(definition, one, release),
        stored_as="" if "create" not in verbs else stored_as,
        built_in=one.built_in,
    )
    if one.has_status and (one.api_version, one.kind) not in WITHOUT_STATUS:
        yield ServedResource(*head, f"{one.plural}/status", one.kind, one.namespaced, WRITTEN, built_in=one.built_in)
    if one.scaled_by:
        api_version, _, kind = SCALE.rpartition("/")
        name = f"{one.plural}/scale"
        yield ServedResource(
            *head,
            name,
            kind,
            one.namespaced,
            WRITTEN,
            answers=api_version,
            object_kind=one.kind,
            built_in=one.built_in,
        )
    for other in subresources_of(one.group, one.kind, minor_of(release)) if one.built_in else ():
        api_version, _, kind = other.answers.rpartition("/")
        name = f"{one.plural}/{other.name}"
        yield ServedResource(
            *head, name, kind or one.kind, one.namespaced, other.verbs, answers=api_version, object_kind=one.kind
        )


def _storage_version(definition: Object) -> str | None:
    """The version in which custom resources are stored. None if the definition has none."""
    spec = as_map(definition.get("spec"))
    stored = [as_text(version.get("name")) for _, version in maps(spec, "versions") if version.get("storage") is True]
    return stored[0] if stored else None


def _stored_as(one: Resource, others: list[Resource], release: str) -> str:
    """The apiVersion in which objects of a built-in kind are stored.

    A release that can be downgraded stores a version that the release before could read: the preferred one of those.
    """
    if (one.group, one.kind) in _STORED_AS:
        return _STORED_AS[one.group, one.kind]
    group = stored_in(one.group, one.kind)
    listed = [other.api_version for other in others if (other.group, other.kind) == (group, one.kind)]
    before = [api_version for api_version in listed if _was_there(api_version, one.kind, minor_of(release) - 1)]
    return (before or listed or [one.api_version])[0]


def _was_there(api_version: str, kind: str, minor: int) -> bool:
    known = f"1.{minor}"
    return known not in engine.releases() or (api_version, kind) in engine.load(known)


__all__ = ["ServedResource", "ServedResources", "served_by"]
