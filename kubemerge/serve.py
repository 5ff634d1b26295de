"""The embedded cluster as an API server for Kubernetes clients.

`application(cluster)` returns the server as an ASGI application. Its modules are in `kubemerge.apiserver.http`.
`asgi` reads a request and sends the response. `access` authenticates and authorizes it. `routing` parses the path. The
module of the verb in `verbs` queries or changes the cluster. `watch` streams changes by all writers. `discovery` and
`openapi` list the served resources. `negotiation` and `protobuf` are the formats of objects. `listening` serves the
application on a socket.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .apiserver.cluster import EmbeddedCluster
    from .apiserver.http.asgi import Application

__all__ = ["application"]


def application(cluster: EmbeddedCluster, *, token: str | None = None) -> Application:
    """The API server of a cluster, as an ASGI application. With a token, requests have to authenticate."""
    from .apiserver.http.asgi import Application
    from .apiserver.http.authentication import Authenticator

    cluster.run_post_start_hooks()
    return Application(cluster, Authenticator(cluster, token))
