"""Clusters for `apply`, `get` and other commands, and the embedded cluster, stored in a file.

The embedded cluster stores objects like an API server:

- It sets uid, resourceVersion, creationTimestamp and generation.
- It rejects a stale resourceVersion. A request without one applies to the latest version.
- It merges patches of all three types, and server-side applies, by the rules of one release.
- It records the manager of each write in managedFields, as servers have done since 1.18.
- It rejects requests that the API does not allow with the messages of the API server.
- A namespaced object needs its Namespace.
- A deleted object stays until it has no finalizers. Its dependents are collected as the request specifies.
- Deleting a Namespace or a CustomResourceDefinition also deletes its objects.
- Status is written separately (`subresource="status"`), and other writes leave it unchanged.

An object is identified by its group, kind, namespace and name, and stored in the version in which it was last written.
Another version of an autoscaler or an event is converted. Another version of a custom resource has the same content
with another apiVersion, pruned and defaulted by its own schema. To rehearse an upgrade, a file may be opened with
another release than it was created for. Kinds that this release does not serve stay in the file, but are hidden.

The embedded cluster runs no containers. `kubemerge.serve` has watches and users, and calls webhooks. Unknown fields
of a kind are dropped with a warning (`on_warning`), unless a request sets `field_validation`.
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


_LAZY = frozenset(
    {"AnswersPaths", "AsksAhead", "Cluster", "Event", "Object", "Recreates", "Reference", "Resource", "Watches"}
)
"""Names that are imported on first use, because a command that needs no cluster should not wait for them."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
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
    """Open the cluster in this file, or in `KUBEMERGE_CLUSTER`, or in `.kubemerge/cluster.db`.

    `:memory:` is a temporary cluster, removed when it is closed. In the mode "write", a missing file is created. In the
    mode "read", the file has to exist, and is not written. In the mode "rehearse" (a dry run), the file is not written
    either, and a missing one counts as a new cluster. The default release is the one that the file was created for, or
    the newest. `controllers` is a list as in kube-controller-manager: `*` for all controllers of the cluster, `-*` for
    none, `*,-name` for all but one.
    """
    from .apiserver.cluster import EmbeddedCluster
    from .apiserver.storage.opening import locate

    return EmbeddedCluster(locate(file), release=release, mode=mode, origins=origins, controllers=controllers)


def connect(kubeconfig: str | None = None, context: str | None = None) -> client.RemoteCluster:
    """Connect to the API server of a context, by default the current one, with the same protocol.

    `kubeconfig` is a file. The default is `KUBECONFIG`, or `~/.kube/config`, or the service account in a pod without
    these. No request is sent until the first call. A ConnectError reports a bad kubeconfig or an unreachable server.
    """
    from .client.access.kubeconfig import load_access
    from .client.cluster import RemoteCluster

    return RemoteCluster(load_access(kubeconfig, context))
