"""What a cluster does for its users, whether it is a file or an API server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..manifests.identity import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Schema

__all__ = ["Cluster", "Object", "Recreates", "Reference", "Resource"]

Object = dict[str, Any]


@dataclass(frozen=True)
class Resource:
    """One kind that a cluster serves, in one version."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool
    short_names: tuple[str, ...] = ()
    patch_types: tuple[str, ...] = ()
    """"json", "merge" and "strategic", as far as the kind takes them."""
    has_status: bool = False
    """Whether status is written apart from everything else, as `subresource="status"`."""
    built_in: bool = True
    """Whether it comes with Kubernetes, and not from a CustomResourceDefinition."""
    singular: str = ""
    """What one object of the kind is called, where that is not just the kind in lower case."""
    scaled_by: str | None = None
    """The path of the number of replicas, as `spec.replicas`; None for a kind that cannot be scaled."""

    @property
    def api_version(self) -> str:
        """The apiVersion, as `apps/v1`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def names(self) -> frozenset[str]:
        """What people call it: its plural, what one object is called, its kind, and short names."""
        return frozenset((self.plural, self.singular or self.plural, self.kind.lower(), *self.short_names))

    @property
    def called(self) -> str:
        """The resource as the API calls it in its messages: `deployments.apps`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def title(self) -> str:
        """The kind as the API calls it where an object is invalid: `Deployment.apps`."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


class Cluster(Protocol):
    """A cluster. What it refuses is a `ClusterError`; objects are plain dicts, and never shared with the caller.

    With `dry_run`, a request is judged and answered as if it were done, and nothing is written.
    """

    def resources(self) -> list[Resource]:
        """Every kind in every version that can be asked for; of one kind the preferred version comes first."""

    def resource(self, api_version: str, kind: str) -> Resource:
        """One kind; NoMatch if the cluster does not serve it."""

    def schema(self, api_version: str, kind: str) -> Schema | None:
        """The rules by which the kind merges; None where nobody knows them."""

    def get(self, reference: Reference) -> Object:
        """The object; NotFound if there is none."""

    def list(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = ""
    ) -> Iterator[Object]:
        """The objects of a kind, by namespace and name; of all namespaces unless one is given."""

    def create(self, content: Object, *, dry_run: bool = False) -> Object:
        """Store a new object. AlreadyExists if it is there; NotFound if its namespace is not."""

    def replace(self, content: Object, *, subresource: str | None = None, dry_run: bool = False) -> Object:
        """Store the object in place of the one that is there. Conflict if its resourceVersion is not the latest.

        NotFound if there is none, but for a few kinds (Service, Role ...), of which it is created.
        """

    def patch(
        self,
        reference: Reference,
        patch: Object | Sequence[Object],
        patch_type: str,
        *,
        subresource: str | None = None,
        dry_run: bool = False,
    ) -> Object:
        """Change the object by a patch ("json", "merge", "strategic"). A resourceVersion in it is a precondition."""

    def delete(
        self,
        reference: Reference,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: str | None = None,
        dry_run: bool = False,
    ) -> Object:
        """Delete the object, and answer it as it was; one with finalizers stays, and has a deletionTimestamp."""

    def close(self) -> None:
        """Let go of the file or the connection."""


@runtime_checkable
class Recreates(Protocol):
    """What a cluster does besides that can delete and create as one step, so that nothing is lost in between."""

    def recreate(self, content: Object, *, uid: str | None = None) -> Object | None:
        """Store a new object in place of the one that is there; None if that one is only marked to go."""
