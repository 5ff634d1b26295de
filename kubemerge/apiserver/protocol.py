"""The protocols of a cluster, embedded or real."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine import Schema

from .identity import Reference

__all__ = [
    "MANAGER",
    "AnswersPaths",
    "AsksAhead",
    "Cluster",
    "Event",
    "Object",
    "Recreates",
    "Reference",
    "Resource",
    "Watches",
]

Object = dict[str, Any]

MANAGER = "kubemerge"
"""The default field manager."""


@dataclass(frozen=True)
class Resource:
    """One kind in one version, as a cluster serves it."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool
    short_names: tuple[str, ...] = ()
    patch_types: tuple[str, ...] = ()
    """The accepted patch types, among "apply", "json", "merge" and "strategic"."""
    has_status: bool = False
    """Whether status is a subresource, written with `subresource="status"`."""
    built_in: bool = True
    """Whether the kind is built in, not defined by a CustomResourceDefinition."""
    singular: str = ""
    """The singular name, if it is not the lower-case kind."""
    scaled_by: str | None = None
    """The path of the number of replicas, as `spec.replicas`. None for a kind without scale."""
    verbs: tuple[str, ...] = ()
    """Its verbs, where the server reports them."""
    categories: tuple[str, ...] = ()
    """Its categories, such as `all`, where the server reports them."""

    @property
    def api_version(self) -> str:
        """The apiVersion, as `apps/v1`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def names(self) -> frozenset[str]:
        """All names of the kind: plural, singular, kind, and short names."""
        return frozenset((self.plural, self.singular or self.plural, self.kind.lower(), *self.short_names))

    @property
    def called(self) -> str:
        """The resource as API messages name it: `deployments.apps`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def title(self) -> str:
        """The kind as API validation errors name it: `Deployment.apps`."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


class Cluster(Protocol):
    """A cluster. It rejects requests with a `ClusterError`. Objects are plain dicts, never shared with the caller.

    `manager` is the field manager of a write in metadata.managedFields. With `dry_run`, a request is validated and
    returns its usual result, but nothing is stored. `field_validation` handles fields that the kind does not have:
    "Strict" rejects the request, "Ignore" drops them, and "Warn", the default, drops them with a warning.
    """

    on_warning: Callable[[str], None] | None
    """Called with each warning of the server, one sentence each."""

    @property
    def release(self) -> str:
        """The Kubernetes release, as `1.37`."""

    @property
    def server_version(self) -> Mapping[str, Any]:
        """The server's version: major, minor, gitVersion and more."""

    @property
    def place(self) -> str:
        """The cluster's name in messages: a file, or a context."""

    @property
    def address(self) -> str:
        """The cluster's address: a file, or the URL of a server."""

    @property
    def namespace(self) -> str:
        """The default namespace."""

    def resources(self) -> list[Resource]:
        """Return every served kind in every version, the preferred version first."""

    def resource(self, api_version: str, kind: str) -> Resource:
        """Return one kind. Raise NoMatch if the cluster does not serve it."""

    def schema(self, api_version: str, kind: str) -> Schema | None:
        """Return the merge rules of the kind, or None if they are unknown."""

    def get(self, reference: Reference, *, subresource: str | None = None) -> Object:
        """Return the object. Raise NotFound if it does not exist. For the subresource "scale", return its Scale."""

    def list(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = ""
    ) -> Iterator[Object]:
        """Yield the objects of a kind by namespace and name, of all namespaces by default."""

    def create(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Store a new object. Raise AlreadyExists if it exists, NotFound if its namespace does not."""

    def replace(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        subresource: str | None = None,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Replace the object. Raise Conflict if its resourceVersion is not the latest.

        A missing object is NotFound, except for a few kinds (Service, Role ...), where it is created.
        """

    def patch(
        self,
        reference: Reference,
        patch: Object | Sequence[Object],
        patch_type: str,
        *,
        manager: str = MANAGER,
        force: bool = False,
        subresource: str | None = None,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Patch the object ("json", "merge", "strategic", "apply"). A resourceVersion is a precondition.

        "apply" is a server-side apply of a config. It creates a missing object. An ApplyConflict lists fields of other
        managers that it would change, and `force` takes them over. For the subresource "scale", patch and result are of
        the Scale.
        """

    def delete(
        self,
        reference: Reference,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: str | None = None,
        grace_period: int | None = None,
        dry_run: bool = False,
    ) -> Object:
        """Delete the object and return its last state. One with finalizers stays and has a deletionTimestamp."""

    def close(self) -> None:
        """Close the file or the connection."""


@runtime_checkable
class AnswersPaths(Protocol):
    """A cluster that serves every API path, as a server does."""

    def raw(self, path: str) -> bytes:
        """Return the body at a path, unchanged."""


@runtime_checkable
class AsksAhead(Protocol):
    """A remote cluster that can fetch several objects at once."""

    def ahead(self, references: Iterable[Reference]) -> None:
        """Prefetch objects. `get` then returns the prefetched ones."""


class Event(NamedTuple):
    """A watch event, "ADDED", "MODIFIED" or "DELETED", with the object. A deleted object has its last state."""

    type: str
    object: Object


@runtime_checkable
class Watches(Protocol):
    """A cluster whose changes can be watched."""

    def watch(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = "", fields: str = ""
    ) -> Iterator[Event | None]:
        """Yield the existing objects of a kind, then None, then every change, without an end."""


@runtime_checkable
class Recreates(Protocol):
    """A cluster that can delete and create in one step, so that no state in between can get lost."""

    def recreate(
        self,
        content: Object,
        *,
        uid: str | None = None,
        manager: str = MANAGER,
        field_validation: str | None = None,
    ) -> Object | None:
        """Replace the object by a new one. Return None if finalizers keep the old one."""
