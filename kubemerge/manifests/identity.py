"""Which object is meant: what makes it the one it is, and how it is asked for."""

from __future__ import annotations

from collections import namedtuple  # that of typing takes a while to import

from engine.values.immutable import Immutable

from ..output.text import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

DEFAULT_NAMESPACE = "default"
"""Where an object is that names no namespace."""


class ObjectId(namedtuple("ObjectId", ("group", "kind", "namespace", "name"))):
    """What makes an object the one it is: group, kind, namespace and name. The version it is written in does not.

    Whether a kind has namespaces is not known everywhere: in files, an object that names none counts as in `default`;
    in a cluster, the namespace of a kind without namespaces is empty.
    """

    __slots__ = ()
    group: str
    kind: str
    namespace: str
    name: str

    @property
    def group_kind(self) -> tuple[str, str]:
        """Its kind, whatever the version."""
        return self.group, self.kind

    @property
    def title(self) -> str:
        """The object as kubectl calls it: `deployment.apps/nginx`."""
        return shown(f"{self.kind.lower()}{f'.{self.group}' if self.group else ''}/{self.name}")


class Reference(Immutable):
    """Which object is meant. Without a namespace it is `default`, where the kind has namespaces."""

    __slots__ = ("api_version", "kind", "name", "namespace")
    api_version: str
    kind: str
    name: str
    namespace: str | None

    def __init__(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> None:
        self._fill(api_version, kind, name, namespace)

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Reference:
        """What refers to this object."""
        metadata = content["metadata"]
        return cls(content["apiVersion"], content["kind"], metadata.get("name") or "", metadata.get("namespace"))

    @property
    def id(self) -> ObjectId:
        """What tells the object from others, in whichever version they are asked for."""
        group, _, _ = self.api_version.rpartition("/")
        return ObjectId(group, self.kind, self.namespace or DEFAULT_NAMESPACE, self.name)

    @property
    def head(self) -> dict[str, Any]:
        """As much of the object as says which it is."""
        metadata = {"name": self.name, "namespace": self.namespace}
        return {"apiVersion": self.api_version, "kind": self.kind, "metadata": metadata}
