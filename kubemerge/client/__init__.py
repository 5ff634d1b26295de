"""Clusters with a real API server.

`kubeconfig` and `credentials` find server and user, and `transport` sends requests. `statuses` converts errors,
`discovery` and `rules` read kinds and merge rules, and `cluster` combines them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cluster import RemoteCluster

__all__ = ["RemoteCluster"]


def __getattr__(name: str) -> object:
    """The cluster class, imported on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .cluster import RemoteCluster

    return RemoteCluster
