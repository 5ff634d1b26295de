"""Clusters: what `apply`, `get` and the like talk to, and the embedded one, which is a file.

The embedded cluster keeps objects as an API server does: uid, resourceVersion, creationTimestamp and generation are
its own; a stale resourceVersion is refused, while a request without one is always meant for the latest; patches of
all three types are applied by the rules of one release; what cannot stand is refused in the words of the API
server. A namespaced object needs its Namespace. A deleted object stays until it has no finalizers; a deleted
Namespace takes along what is in it, and a deleted CustomResourceDefinition the objects of its kind. Status is
written apart (`subresource="status"`), and other writes leave it as it is.

An object is known by its group, kind, namespace and name, and kept in the version in which it was last written. Another
version sees the same content under another apiVersion: nothing is converted. A file may be opened with another release
than it was made for, to rehearse an upgrade: kinds that this one does not serve stay in the file and are not seen.

There are no controllers, no garbage collection by ownerReferences, no admission plug-ins or webhooks, no users, no
watches. Unknown fields are kept, of the schema of custom resources only types and defaults count, and managedFields
stay as they were loaded.
"""

from __future__ import annotations

from .errors import (
    AlreadyExists,
    BadRequest,
    ClusterError,
    Conflict,
    Forbidden,
    Invalid,
    NoMatch,
    NotFound,
    StoreError,
    UnsupportedMediaType,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .embedded.cluster import EmbeddedCluster
    from .embedded.metadata import Origins
    from .protocol import Cluster, Object, Recreates, Reference, Resource

__all__ = [
    "AlreadyExists",
    "BadRequest",
    "Cluster",
    "ClusterError",
    "Conflict",
    "Forbidden",
    "Invalid",
    "NoMatch",
    "NotFound",
    "Object",
    "Recreates",
    "Reference",
    "Resource",
    "StoreError",
    "UnsupportedMediaType",
    "open_cluster",
]


_LATE = frozenset({"Cluster", "Object", "Recreates", "Reference", "Resource"})
"""What is imported when it is first asked for: a command that needs no cluster should not wait for it."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import protocol

    return globals().setdefault(name, getattr(protocol, name))


def open_cluster(
    file: str | None = None, *, release: str | None = None, mode: str = "write", origins: Origins | None = None
) -> EmbeddedCluster:
    """The cluster in a file: the one given, or that `KUBEMERGE_CLUSTER` names, or `.kubemerge/cluster.db`.

    `:memory:` is a cluster that is gone when it is closed. To "write", a missing file is made; to "read", it has to be
    there and is not written; to "rehearse" (a dry run) it is not written either, and a missing one stands for a new
    cluster. Without a release, it is the one that the file was made for, or the newest.
    """
    from .embedded.cluster import EmbeddedCluster
    from .embedded.opening import locate

    return EmbeddedCluster(locate(file), release=release, mode=mode, origins=origins)
