"""Routing: the kind, collection, object or subresource of a path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..identity import Reference

if TYPE_CHECKING:
    from ..protocol import Resource
    from .catalog import Catalog

OF_A_NAMESPACE = frozenset({"status", "finalize"})
"""The subresources of a Namespace. Any other word after its name is a kind of objects in it."""


@dataclass(frozen=True)
class Target:
    """The target of a request."""

    resource: Resource
    namespace: str | None = None
    """None for all namespaces, or for a cluster-scoped kind."""
    name: str = ""
    """Empty for a collection."""
    part: str = ""
    """A subresource, such as `status`."""
    watched: bool = False
    """Whether the path is a legacy watch path, which begins with `watch/`."""

    @property
    def reference(self) -> Reference:
        """Return a reference to the object."""
        return Reference(self.resource.api_version, self.resource.kind, self.name, self.namespace)


@dataclass(frozen=True)
class VirtualKind:
    """A kind that is never stored, such as an access review."""

    api_version: str
    plural: str
    namespace: str | None = None


def path_parts(path: str) -> list[str]:
    """Return the segments of a path like `splitPath` of upstream. Segments in the middle may be empty."""
    path = path.strip("/")
    return path.split("/") if path else []


def is_clean(path: str) -> bool:
    """Whether a path may be served: it has no empty segments, except at its end."""
    return "//" not in path.rstrip("/")


def api_version_of(parts: list[str]) -> tuple[str, list[str]] | None:
    """Return the apiVersion at the start of a path, and the rest of the path. None for another path."""
    if len(parts) >= 2 and parts[0] == "api":
        return parts[1], parts[2:]
    if len(parts) >= 3 and parts[0] == "apis":
        return f"{parts[1]}/{parts[2]}", parts[3:]
    return None


def target_of(parts: list[str], catalog: Catalog) -> Target | VirtualKind | None:
    """Return the target of a path, or None if it is not served."""
    found = api_version_of(parts)
    if found is None or not found[1]:
        return None
    api_version, rest = found
    watched = rest[0] == "watch" and len(rest) > 1
    rest = rest[1:] if watched else rest
    namespace = None
    if rest[0] == "namespaces" and len(rest) > 2 and not (rest[2] in OF_A_NAMESPACE and len(rest) == 3):
        namespace, rest = rest[1], rest[2:]
    plural, name, part = (*rest, "", "")[:3]
    resource = catalog.find(api_version, plural)
    if len(rest) > 3 and (resource is None or resource.built_in):
        return None
    if resource is None:
        return VirtualKind(api_version, plural, namespace) if len(rest) == 1 and not watched else None
    misplaced = namespace is not None if not resource.namespaced else name and namespace is None
    if misplaced or (watched and part):
        return None
    return Target(resource, namespace, name, part, watched)
