"""What a cluster does for its users, whether it is a file or an API server."""

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
"""The field manager of a write that does not name one."""


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
    """Those of "apply", "json", "merge" and "strategic" that the kind accepts."""
    has_status: bool = False
    """Whether status is written separately, with `subresource="status"`."""
    built_in: bool = True
    """Whether it comes with Kubernetes and not from a CustomResourceDefinition."""
    singular: str = ""
    """The singular name, if it is not just the kind in lower case."""
    scaled_by: str | None = None
    """The path of the number of replicas, as `spec.replicas`; None for a kind that cannot be scaled."""
    verbs: tuple[str, ...] = ()
    """What may be done with it, where the server says so."""
    categories: tuple[str, ...] = ()
    """The words that stand for several kinds, this one among them, where the server says so."""

    @property
    def api_version(self) -> str:
        """The apiVersion, as `apps/v1`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def names(self) -> frozenset[str]:
        """The names people use for it: plural, singular, kind, and short names."""
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
    """A cluster. It refuses requests with a `ClusterError`; objects are plain dicts, never shared with the caller.

    `manager` is the name by which a write is booked in metadata.managedFields. With `dry_run`, a request is validated
    and answered as usual, but nothing is written. `field_validation` says what becomes of fields that the kind does
    not have: with "Strict" the request is refused, with "Ignore" they are dropped, and with "Warn", or without a word,
    they are dropped with a warning.
    """

    on_warning: Callable[[str], None] | None
    """Is told what the server warns of, each time in one sentence."""

    @property
    def release(self) -> str:
        """The release of Kubernetes that it is, as `1.37`."""

    @property
    def server_version(self) -> Mapping[str, Any]:
        """What the server says of its version: major, minor, gitVersion and more."""

    @property
    def place(self) -> str:
        """Where it is, for messages: a file, or a context."""

    @property
    def address(self) -> str:
        """Where it is for those who want to go there: a file, or the address of a server."""

    @property
    def namespace(self) -> str:
        """The namespace of objects that name none."""

    def resources(self) -> list[Resource]:
        """Every kind in every version that is served; the preferred version of a kind comes first."""

    def resource(self, api_version: str, kind: str) -> Resource:
        """One kind; NoMatch if the cluster does not serve it."""

    def schema(self, api_version: str, kind: str) -> Schema | None:
        """The rules by which the kind merges; None if they are unknown."""

    def get(self, reference: Reference, *, subresource: str | None = None) -> Object:
        """The object; NotFound if there is none. For the subresource "scale", the answer is its Scale."""

    def list(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = ""
    ) -> Iterator[Object]:
        """The objects of a kind, by namespace and name; of all namespaces unless one is given."""

    def create(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Store a new object. AlreadyExists if there is one; NotFound if its namespace does not exist."""

    def replace(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        subresource: str | None = None,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Store the object in place of the one that is there. Conflict if its resourceVersion is not the latest.

        NotFound if there is none, except for a few kinds (Service, Role ...), where it is created.
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
        """Change the object by a patch ("json", "merge", "strategic", "apply"); a resourceVersion is a precondition.

        An "apply" is a server-side apply of a config: it creates what does not exist, and an ApplyConflict lists the
        fields of other managers that it would change; `force` takes them over. For the subresource "scale", the patch
        is of the Scale, which is also the answer.
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
        """Delete the object, and return it as it was; one with finalizers stays, and has a deletionTimestamp."""

    def close(self) -> None:
        """Let go of the file or the connection."""


@runtime_checkable
class AnswersPaths(Protocol):
    """A cluster that answers at every path of the API, as a server does."""

    def raw(self, path: str) -> bytes:
        """What is at a path, as it is."""


@runtime_checkable
class AsksAhead(Protocol):
    """A cluster that is far away, and that can be asked for several objects at once."""

    def ahead(self, references: Iterable[Reference]) -> None:
        """Ask for objects that are wanted next; `get` then has their answers."""


class Event(NamedTuple):
    """What happened to an object: "ADDED", "MODIFIED" or "DELETED"; of a deleted one, its last state."""

    type: str
    object: Object


@runtime_checkable
class Watches(Protocol):
    """A cluster that others write to while it is looked at."""

    def watch(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = "", fields: str = ""
    ) -> Iterator[Event | None]:
        """The objects of a kind that there are, then None, then what happens to them, without an end."""


@runtime_checkable
class Recreates(Protocol):
    """A cluster that can delete and create in one step, so that nothing is lost in between."""

    def recreate(
        self,
        content: Object,
        *,
        uid: str | None = None,
        manager: str = MANAGER,
        field_validation: str | None = None,
    ) -> Object | None:
        """Store a new object in place of the one that is there; None if finalizers keep the old one."""
