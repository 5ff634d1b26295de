"""Who gets in: everybody who has the token, or, where there is none, programs of this machine, but not its browsers."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from ..cluster.errors import ClusterError, Unauthorized

if TYPE_CHECKING:
    from .http import Request

OPEN = frozenset({"/healthz", "/readyz", "/livez", "/version"})
"""What is answered without a token."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})


class OfABrowser(ClusterError):
    """A request that a page in a browser has made, or that was led here by a name that is not ours."""

    code, reason = 403, "Forbidden"


class Access:
    """The rules of one server. Without a token, any page that somebody looks at could ask a local server."""

    def __init__(self, token: str | None = None, host: str | None = None) -> None:
        self._token = token.encode() if token is not None else None
        self._hosts = {*LOOPBACK, host} if host is not None else None

    def check(self, request: Request) -> None:
        """Refuse a request that must not get in."""
        if self._token is not None:
            kind, _, given = request.headers.get("authorization", "").partition(" ")
            right = hmac.compare_digest(given.strip().encode("utf-8", "replace"), self._token)
            if request.path not in OPEN and not (kind.lower() == "bearer" and right):
                raise Unauthorized("Unauthorized")
            return
        if "origin" in request.headers:
            raise OfABrowser("pages in browsers are not answered without a token; serve with --token-file")
        if self._hosts is not None and _name_in(request.headers.get("host", "")) not in self._hosts:
            raise OfABrowser("this server is known by another name; ask for 127.0.0.1, or serve with --token-file")


def _name_in(host: str) -> str:
    """The name in a Host header, without the port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()
