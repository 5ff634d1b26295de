"""The embedded cluster as an API server for Kubernetes clients.

`application(cluster)` returns the server as an ASGI application. `asgi` reads a request and sends the response.
`routing` parses its path. The module of its verb in `verbs` carries it out in the cluster. `watching` follows changes
of the cluster by all writers. `discovery` and `openapi` list the served resources. `forms` and `protobuf` are the wire
formats of objects. `sockets` serves the application on a socket.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .apiserver.cluster import EmbeddedCluster
    from .apiserver.http.asgi import Application

__all__ = ["application"]


def application(cluster: EmbeddedCluster, *, token: str | None = None) -> Application:
    """The API server of a cluster, as an ASGI application. With a token, every request must contain it."""
    from .apiserver.http.asgi import Application
    from .apiserver.http.authentication import Authenticator

    return Application(cluster, Authenticator(cluster, token))
