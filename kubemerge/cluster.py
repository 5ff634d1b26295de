"""Clusters: what `apply`, `get` and the like talk to, and the embedded one, which is a file.

The embedded cluster keeps objects as an API server does: uid, resourceVersion, creationTimestamp and generation are
its own; a stale resourceVersion is refused, while a request without one is always meant for the latest; patches of
all three types, and server-side applies, are merged by the rules of one release; each write is booked by its manager in
managedFields, as servers have done since 1.18; what the API does not allow is refused in the words of the API server.
A namespaced object needs its Namespace. A deleted object stays until it has no finalizers; what a deleted object owned
is collected as the request says, and what is in a deleted Namespace is deleted with it, as are the objects of a deleted
CustomResourceDefinition. Status is written separately (`subresource="status"`), and other writes leave it as it is.

An object is known by its group, kind, namespace and name, and kept in the version in which it was last written. Another
version of an autoscaler or an event is converted; that of a custom resource is the same content under another
apiVersion, pruned and filled in by its own schema. A file may be opened with another release than it was made for, to
rehearse an upgrade: kinds that this one does not serve stay in the file and are not seen.

There are no controllers that run anything, no webhooks, and no users. `kubemerge.serve` has watches. Fields that a kind
does not have are dropped with a warning (`on_warning`), unless a request asks for more or less (`field_validation`).
"""

from __future__ import annotations

from . import apiserver, client
from .apiserver.errors import (
    AlreadyExists,
    ApplyConflict,
    BadRequest,
    ClusterError,
    Conflict,
    ConnectError,
    Forbidden,
    Invalid,
    NoMatch,
    NoResource,
    NotFound,
    ServerUnreachable,
    StoreError,
    UnsupportedMediaType,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .apiserver.protocol import (
        AnswersPaths,
        AsksAhead,
        Cluster,
        Event,
        Object,
        Recreates,
        Reference,
        Resource,
        Watches,
    )

__all__ = [
    "AlreadyExists",
    "AnswersPaths",
    "ApplyConflict",
    "AsksAhead",
    "BadRequest",
    "Cluster",
    "ClusterError",
    "Conflict",
    "ConnectError",
    "Event",
    "Forbidden",
    "Invalid",
    "NoMatch",
    "NoResource",
    "NotFound",
    "Object",
    "Recreates",
    "Reference",
    "Resource",
    "ServerUnreachable",
    "StoreError",
    "UnsupportedMediaType",
    "Watches",
    "connect",
    "open_cluster",
]


_LATE = frozenset(
    {"AnswersPaths", "AsksAhead", "Cluster", "Event", "Object", "Recreates", "Reference", "Resource", "Watches"}
)
"""What is imported when it is first asked for: a command that needs no cluster should not wait for it."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .apiserver import protocol

    return globals().setdefault(name, getattr(protocol, name))


def open_cluster(
    file: str | None = None,
    *,
    release: str | None = None,
    mode: str = "write",
    origins: apiserver.Origins | None = None,
    controllers: str = "*",
) -> apiserver.EmbeddedCluster:
    """Open the cluster in this file, or the one that `KUBEMERGE_CLUSTER` names, or `.kubemerge/cluster.db`.

    `:memory:` is a cluster that is gone when it is closed. To "write", a missing file is created; to "read", it has
    to exist and is not written; to "rehearse" (a dry run) it is not written either, and a missing one counts as a new
    cluster. Without a release, it is the one that the file was made for, or the newest. `controllers` is a list as in
    kube-controller-manager: `*` for all that the cluster has, `-*` for none; `*,-name` for all but one.
    """
    from .apiserver.cluster import EmbeddedCluster
    from .apiserver.storage.opening import locate

    return EmbeddedCluster(locate(file), release=release, mode=mode, origins=origins, controllers=controllers)


def connect(kubeconfig: str | None = None, context: str | None = None) -> client.RemoteCluster:
    """The API server of a context, behind the same protocol; by default that of the current context.

    `kubeconfig` is a file; by default those that `KUBECONFIG` names, or `~/.kube/config`, or in a pod that has none of
    them, its service account. Nothing is sent until something is asked. A ConnectError says what is wrong with the
    kubeconfig, or that the server does not answer.
    """
    from .client.access.kubeconfig import load_access
    from .client.cluster import RemoteCluster

    return RemoteCluster(load_access(kubeconfig, context))
