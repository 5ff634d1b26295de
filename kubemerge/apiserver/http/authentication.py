"""Authentication of requests.

The server accepts the token of its token file, and its own ServiceAccount tokens. Without a token file, it also accepts
requests without a token, or with any token that is not a JSON Web Token, unless a web page sends them. With a token
file and RBAC, requests without a token are anonymous.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from ..errors import ClusterError, Unauthorized
from ..user import ADMIN, ANONYMOUS
from .impersonation import impersonate
from .tokens import ISSUER, NotAccepted, TokenHolder, is_token, verify_token

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..cluster import EmbeddedCluster
    from ..user import User
    from .messages import Request

OPEN = frozenset({"/healthz", "/readyz", "/livez", "/version"})
"""The paths that need no token."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})


class BrowserRequest(ClusterError):
    """A request by a web page, or with a host name that is not the server's."""

    code, reason = 403, "Forbidden"


class Authenticator:
    """The authentication of one server. Without a token, any web page could send requests to a local server."""

    def __init__(self, cluster: EmbeddedCluster, token: str | None = None, host: str | None = None) -> None:
        self._cluster = cluster
        self._token = token.encode() if token is not None else None
        self._hosts = {*LOOPBACK, host} if host is not None else None

    def user_of(self, request: Request) -> User:
        """Return the user that a request acts as. Reject a request without valid credentials."""
        return impersonate(self.authenticated(request), request.impersonation)

    def authenticated(self, request: Request) -> User:
        """Return the user whose credentials a request has. Reject a request without valid ones."""
        if self._token is None:
            self._reject_browsers(request)
        scheme, _, given = request.headers.get("authorization", "").strip().partition(" ")
        token = given.split(" ")[0] if scheme.lower() == "bearer" else ""
        if not token:
            if self._token is None:
                return ADMIN
            if request.path in OPEN or self._cluster.authorizer.decides:
                return ANONYMOUS
            raise Unauthorized("Unauthorized")
        try:
            return self.holder(token).user
        except NotAccepted:
            raise Unauthorized("Unauthorized") from None

    def holder(self, token: str, audiences: Sequence[str] = (ISSUER,)) -> TokenHolder:
        """Return the user of a bearer token, and the audiences that accept it. Raise NotAccepted if there are none."""
        own = self._token is not None and hmac.compare_digest(token.encode("utf-8", "replace"), self._token)
        if not own and is_token(token):
            return verify_token(self._cluster, token, audiences)
        if not (own or self._token is None) or ISSUER not in audiences:
            raise NotAccepted
        return TokenHolder(ADMIN, [ISSUER])

    def _reject_browsers(self, request: Request) -> None:
        if "origin" in request.headers:
            raise BrowserRequest("pages in browsers are not answered without a token; serve with --token-file")
        if self._hosts is not None and _name_in(request.headers.get("host", "")) not in self._hosts:
            raise BrowserRequest("this server is known by another name; ask for 127.0.0.1, or serve with --token-file")


def _name_in(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()
