"""How a server cannot be started."""

from __future__ import annotations

from ...errors import ClusterError


class CannotServe(ClusterError):
    """A server that cannot be started. The message has the reason."""
