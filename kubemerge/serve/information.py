"""What the server tells about itself: what it serves, its version, its health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .http import Answer, answer

if TYPE_CHECKING:
    from ..cluster.embedded.cluster import EmbeddedCluster
    from .http import Request

HEALTHY = frozenset({"healthz", "readyz", "livez"})


def about(cluster: EmbeddedCluster, request: Request, parts: list[str]) -> Answer | None:  # noqa: ARG001
    """The answer at a path that is not one of objects; None if there is nothing."""
    if parts[:1] and parts[0] in HEALTHY:
        return Answer(b"ok", 200, "text/plain; charset=utf-8")
    if parts == ["version"]:
        major, _, minor = cluster.release.partition(".")
        return answer({"major": major, "minor": minor, "gitVersion": f"v{cluster.release}.0"})
    return None
