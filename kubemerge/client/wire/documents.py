"""Documents of a server by URL, in the form that `codegen` fetches specifications."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from codegen import SpecError

from ...apiserver.errors import ClusterError

if TYPE_CHECKING:
    from .transport import Transport


class Documents:
    """An implementation of `codegen.sources.fetch.Fetch` for one server."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, url: str) -> bytes:
        """Return the body of the response. Raise SpecError for an error, or for a URL of another server."""
        begin = self._transport.address
        if not url.startswith(f"{begin}/"):
            raise SpecError(url, f"an address of the server {begin}")
        parts = urlsplit(url.removeprefix(begin))
        try:
            return self._transport.ask("GET", parts.path, parse_qsl(parts.query)).body
        except ClusterError as error:
            raise SpecError(url, "a specification with read permission", found=f"{error.code} {error.reason}") from None
