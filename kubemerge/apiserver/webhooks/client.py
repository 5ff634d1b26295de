"""One HTTP request to a webhook, with Go's error messages. Redirects are not followed."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from engine.version import __version__

from . import certificates
from .calls import CallError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .endpoints import Endpoint

LARGEST = 10 * 1024 * 1024
"""The largest accepted response in bytes."""
PIECE = 64 * 1024
LATE = "context deadline exceeded"
REFUSED = "connect: connection refused"


class HttpResponse(NamedTuple):
    """The response of a webhook."""

    status: int
    media_type: str
    body: bytes
    retry_after: str = ""


def post(endpoint: Endpoint, body: bytes, seconds: float, query: str = "") -> HttpResponse:
    """Send a request within some seconds. Raise CallError if there is no complete response."""
    url = f"{endpoint.url}?{query}" if query else endpoint.url
    try:
        return _Exchange(endpoint, time.monotonic() + seconds).response(body, query)
    except CallError as error:
        raise CallError(f'Post "{url}": {error}') from None


class _Exchange:
    """One connection. A timer closes it at the deadline, because a slow server may send one byte at a time."""

    def __init__(self, endpoint: Endpoint, ends: float) -> None:
        if endpoint.problem:
            raise CallError(endpoint.problem)
        self._endpoint, self._ends = endpoint, ends
        self._socket: socket.socket | None = None
        self._is_late = False

    def response(self, body: bytes, query: str) -> HttpResponse:
        """Return the response to one request."""
        timer = threading.Timer(max(self._left(), 0), self._abort)
        timer.daemon = True
        timer.start()
        try:
            return self._received(body, query)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise CallError(LATE if self._is_late else _text(error)) from None
        finally:
            timer.cancel()
            if self._socket is not None:
                self._socket.close()

    def _left(self) -> float:
        return self._ends - time.monotonic()

    def _abort(self) -> None:
        self._is_late = True
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # the TLS socket's own would drop its state

    def _received(self, body: bytes, query: str) -> HttpResponse:
        endpoint = self._endpoint
        connection = http.client.HTTPConnection(endpoint.host, endpoint.port)
        connection.sock = self._connected()
        target = f"{endpoint.path}?{query}" if query else endpoint.path
        connection.request("POST", target, body, _headers(endpoint))
        with connection.getresponse() as found:
            data = _body(found)
        media_type = found.headers.get("Content-Type") or ""
        return HttpResponse(found.status, media_type, data, found.headers.get("Retry-After") or "")

    def _connected(self) -> ssl.SSLSocket:
        endpoint = self._endpoint
        settings = certificates.context_for(endpoint.authorities)
        plain = self._socket = self._open()
        plain.settimeout(max(self._left(), 0.001))
        name = endpoint.server_name
        try:
            made = settings.wrap_socket(plain, server_hostname=name, do_handshake_on_connect=False)
            self._socket = made
            made.do_handshake()
        except ssl.SSLError as error:
            raise CallError(LATE if self._is_late else certificates.tls_error(error)) from None
        certificates.check_name(made.getpeercert() or {}, name)
        return made

    def _open(self) -> socket.socket:
        host, port = self._endpoint.host, self._endpoint.port
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (socket.gaierror, UnicodeError):
            raise CallError(f"dial tcp: lookup {host}: no such host") from None
        error: Exception | None = None
        for family, kind, protocol, _, address in found:
            made = socket.socket(family, kind, protocol)
            made.settimeout(max(self._left(), 0.001))
            try:
                made.connect(address)
            except OSError as failed:
                made.close()
                at = f"[{address[0]}]:{port}" if family == socket.AF_INET6 else f"{address[0]}:{port}"
                why = LATE if isinstance(failed, TimeoutError) else f"dial tcp {at}: {_connect_error(failed)}"
                error = error or CallError(why)
                continue
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return made
        raise error or CallError(f"dial tcp: lookup {host}: no such host")


def _body(found: http.client.HTTPResponse) -> bytes:
    data = bytearray()
    while piece := found.read(PIECE):
        data += piece
        if len(data) > LARGEST:
            raise CallError(f"the response is larger than {LARGEST} bytes")
    return bytes(data)


def _headers(endpoint: Endpoint) -> Mapping[str, str]:
    return {
        "Host": endpoint.url.partition("://")[2].partition("/")[0],
        "Accept": "application/json, */*",
        "Content-Type": "application/json",
        "User-Agent": f"kubemerge/{__version__}",
        "Connection": "close",
    }


def _connect_error(error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return REFUSED
    return f"connect: {(error.strerror or str(error)).lower()}"


def _text(error: Exception) -> str:
    """Go's message for an error of a connection."""
    if isinstance(error, TimeoutError):
        return LATE
    if isinstance(error, http.client.IncompleteRead):
        return "unexpected EOF"
    if isinstance(error, (http.client.RemoteDisconnected, ssl.SSLEOFError, BrokenPipeError)):
        return "EOF"
    if isinstance(error, ConnectionResetError):
        return "read: connection reset by peer"
    if isinstance(error, (http.client.HTTPException, ValueError)):
        said = str(error).strip()
        return f'net/http: HTTP/1.x transport connection broken: malformed HTTP response "{said}"'
    return str(error).lower()
