"""The answers of a server by their addresses, as `codegen` fetches the documents of a specification."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from codegen import SpecError

from ...apiserver.errors import ClusterError

if TYPE_CHECKING:
    from .transport import Transport


class Answers:
    """What `codegen.sources.fetch.Fetch` is for other addresses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, url: str) -> bytes:
        """The body of the answer; a SpecError if the server refuses, or the address is of another server."""
        begin = self._transport.address
        if not url.startswith(f"{begin}/"):
            raise SpecError(url, f"an address of the server {begin}")
        parts = urlsplit(url.removeprefix(begin))
        try:
            return self._transport.ask("GET", parts.path, parse_qsl(parts.query)).body
        except ClusterError as error:
            raise SpecError(url, "a specification with read permission", found=f"{error.code} {error.reason}") from None
