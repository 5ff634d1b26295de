"""A cluster as an API server: what clients of Kubernetes ask for over HTTP, answered from the embedded cluster.

`application(cluster)` is the server as an ASGI application. A request goes through `asgi`, which reads it and
sends the answer, `routing`, which says what its path means, and the module of its verb in `verbs`, which asks the
cluster. `watching` follows the changes of the cluster, whoever makes them; `discovery` and `openapi` tell what is
served; `forms` and `protobuf` are how objects look on the wire. `sockets` puts it on one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .apiserver.cluster import EmbeddedCluster
    from .apiserver.http.asgi import Application

__all__ = ["application"]


def application(cluster: EmbeddedCluster, *, token: str | None = None) -> Application:
    """The API server of a cluster, as an ASGI application. With a token, nobody gets in without it."""
    from .apiserver.http.asgi import Application
    from .apiserver.http.authentication import Authenticator

    return Application(cluster, Authenticator(cluster, token))
