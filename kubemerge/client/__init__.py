"""A real API server as a cluster.

`kubeconfig` says which server is meant, `credentials` who asks, `transport` how; `statuses` reads its refusals,
`discovery` and `rules` what it serves and how that merges; `cluster` puts it together.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cluster import RemoteCluster

__all__ = ["RemoteCluster"]


def __getattr__(name: str) -> object:
    """The class of clusters, imported when somebody asks for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .cluster import RemoteCluster

    return RemoteCluster
