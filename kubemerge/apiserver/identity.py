"""Object identities and references."""

from __future__ import annotations

from collections import namedtuple  # typing.NamedTuple is slow to import
from collections.abc import Mapping

from engine import aliases
from engine.values.immutable import Immutable

from .text.text import shown

DEFAULT_NAMESPACE = "default"
"""The default namespace."""
SYSTEM_FIELDS = ("uid", "creationTimestamp", "resourceVersion")
"""Fields of metadata whose values only a server can choose."""


class ObjectId(namedtuple("ObjectId", ("group", "kind", "namespace", "name"))):
    """The identity of an object: group, kind, namespace and name, but not the version.

    Offline, the scope of a kind may be unknown: an object without a namespace counts as in `default`. In a cluster, the
    namespace of a cluster-scoped object is empty.
    """

    __slots__ = ()
    group: str
    kind: str
    namespace: str
    name: str

    @classmethod
    def of(cls, content: Mapping[str, aliases.Any]) -> ObjectId:
        """Return the identity of this object. A missing namespace counts as `default`."""
        group, metadata = content["apiVersion"].rpartition("/")[0], content["metadata"]
        return cls(group, content["kind"], metadata.get("namespace") or DEFAULT_NAMESPACE, metadata.get("name") or "")

    @property
    def group_kind(self) -> tuple[str, str]:
        """Its group and kind, without the version."""
        return self.group, self.kind

    @property
    def title(self) -> str:
        """The object in kubectl's notation: `deployment.apps/nginx`."""
        return shown(f"{self.kind.lower()}{f'.{self.group}' if self.group else ''}/{self.name}")


class Reference(Immutable):
    """A reference to an object. A missing namespace means `default`, if the kind is namespaced."""

    __slots__ = ("api_version", "kind", "name", "namespace")
    api_version: str
    kind: str
    name: str
    namespace: str | None

    def __init__(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> None:
        self._fill(api_version, kind, name, namespace)

    @classmethod
    def of(cls, content: Mapping[str, aliases.Any]) -> Reference:
        """Return a reference to this object."""
        metadata = content["metadata"]
        return cls(content["apiVersion"], content["kind"], metadata.get("name") or "", metadata.get("namespace"))

    @property
    def id(self) -> ObjectId:
        """The identity of the object, without the version."""
        group, _, _ = self.api_version.rpartition("/")
        return ObjectId(group, self.kind, self.namespace or DEFAULT_NAMESPACE, self.name)

    @property
    def head(self) -> aliases.Object:
        """The part of the object that identifies it."""
        metadata = {"name": self.name, "namespace": self.namespace}
        return {"apiVersion": self.api_version, "kind": self.kind, "metadata": metadata}
