"""Common HTTP/1.1 requests and their responses, without h11, which took a quarter of the CPU time of a read.

`head_of` accepts only heads that every HTTP parser reads in the same way. h11 reads all others, and rejects those that
are invalid.
"""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import unquote

from ..asgi import LARGEST_BODY

if TYPE_CHECKING:
    from collections.abc import Callable

    Message = Any
    """An ASGI message."""

MAX_HEAD = 16 * 1024
"""The maximum number of bytes of a head. Larger ones, and bodies that are too large, are left to h11."""
_LINE = re.compile(rb"(GET|POST|PUT|PATCH|DELETE) (/[!-~]*) HTTP/1\.1")
_HEADER = re.compile(rb"([-!#$%&'*+.^_`|~0-9A-Za-z]+):[ \t]*((?:[!-~][ -~]*)?)")
"""A header. Its value may end with spaces. Each text matches in one way only, so matching takes linear time."""
_SPECIAL = frozenset({b"transfer-encoding", b"expect", b"upgrade", b"trailer", b"te"})
"""Headers that change the reading of a request or the response to it."""
_KEEP_ALIVE, _LENGTH = b"keep-alive", re.compile(rb"[0-9]{1,7}")
_NO_BODY = frozenset({204, 304})
_PHRASES = {one.value: one.phrase.encode() for one in HTTPStatus}


class FlowControl(Protocol):
    """The part of uvicorn's flow control that an exchange needs."""

    write_paused: bool

    def resume_reading(self) -> None:
        """Read from the client again."""

    async def drain(self) -> None:
        """Wait until the client has read more."""


class Head(NamedTuple):
    """The head of a common request."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]]
    """The headers, with their names in lower case."""
    length: int
    """The length of the body."""

    def scope(self, more: dict[str, Any]) -> dict[str, Any]:
        """Return the ASGI scope of the request, with the values of its connection."""
        path, _, query = self.target.partition(b"?")
        return {
            **more,
            "type": "http",
            "http_version": "1.1",
            "method": self.method,
            "root_path": "",
            "path": unquote(path.decode("ascii")),
            "raw_path": path,
            "query_string": query,
            "headers": self.headers,
        }


def head_of(head: bytes) -> Head | None:
    """Return the head of a common request, without its empty line. None if h11 has to read it."""
    if len(head) > MAX_HEAD:
        return None
    first, *lines = head.split(b"\r\n")
    line = _LINE.fullmatch(first)
    if line is None:
        return None
    headers: list[tuple[bytes, bytes]] = []
    length, hosts = None, 0
    for one in lines:
        found = _HEADER.fullmatch(one)
        if found is None:
            return None
        name, value = found[1].lower(), found[2].rstrip(b" ")
        if name in _SPECIAL or (name == b"connection" and value.lower() != _KEEP_ALIVE):
            return None
        if name == b"content-length":
            if length is not None or not _LENGTH.fullmatch(value) or int(value) > LARGEST_BODY:
                return None
            length = int(value)
        hosts += name == b"host"
        headers.append((name, value))
    if hosts != 1:
        return None
    return Head(line[1].decode("ascii"), line[2], headers, length or 0)


class Exchange:
    """One common request and its response: an ASGI `receive` and `send`.

    It has the attributes that uvicorn's connection needs of a `RequestResponseCycle`.
    """

    def __init__(
        self, head: Head, transport: asyncio.Transport, flow: FlowControl, default: list[tuple[bytes, bytes]]
    ) -> None:
        self._transport, self._flow, self._default = transport, flow, default
        self._missing = head.length
        """Bytes of the body that were not received yet."""
        self.body = b""
        self.message_event = asyncio.Event()
        """Set when `receive` can return."""
        if not self._missing:
            self.message_event.set()
        self.disconnected = self.response_complete = False
        self.keep_alive = True
        self._head: bytes | None = None
        """The head of the response, until it is sent with the first bytes of the body."""
        self._is_started = self._is_chunked = False
        self.on_response: Callable[[], None] = _nothing

    def feed(self, data: bytes) -> bytes:
        """Take the bytes of the body. Return those after it."""
        used, rest = data[: self._missing], data[self._missing :]
        self._missing -= len(used)
        if used:  # otherwise pipelined requests would wake `receive`, which resumes reading
            self.body += used
            self.message_event.set()
        return rest

    async def receive(self) -> Message:
        """Return the next part of the body, or the end of the connection."""
        if not self.disconnected and not self.response_complete:
            self._flow.resume_reading()
            if not self.message_event.is_set():
                await self.message_event.wait()
            self.message_event.clear()
        if self.disconnected or self.response_complete:
            return {"type": "http.disconnect"}
        body, self.body = self.body, b""
        return {"type": "http.request", "body": body, "more_body": self._missing > 0}

    async def send(self, message: Message) -> None:
        """Send a part of the response. The head is sent with the first part of the body, in one packet."""
        if self._flow.write_paused and not self.disconnected:
            await self._flow.drain()
        if self.disconnected:
            return
        if message["type"] == "http.response.start":
            self._head = self._encoded(message["status"], message["headers"])
            self._is_started = True
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        head, self._head = self._head or b"", None
        if not self._is_chunked:
            self._transport.write(head + body)
        elif more:
            self._transport.write(head + chunk(body) if body else head)
        else:
            self._transport.write(head + (chunk(body) if body else b"") + b"0\r\n\r\n")
        if not more:
            self._end()

    def write_now(self, data: bytes) -> bool:
        """Send a piece of a stream without waiting. Return False if the client has to read more first."""
        if self._flow.write_paused or self.disconnected or self._head is not None or not self._is_chunked:
            return False
        self._transport.write(chunk(data))
        return True

    def _end(self) -> None:
        self.response_complete = True
        self.message_event.set()
        if self._missing or not self.keep_alive:  # otherwise the rest of the body would be read as a request
            self._transport.close()
        self.on_response()

    def _encoded(self, status: int, headers: list[tuple[bytes, bytes]]) -> bytes:
        lines = [b"HTTP/1.1 %d %b" % (status, _PHRASES.get(status, b""))]
        lines += [b"%b: %b" % header for header in (*self._default, *headers)]
        is_chunked = status not in _NO_BODY and not any(name == b"content-length" for name, _ in headers)
        if is_chunked:
            lines.append(b"Transfer-Encoding: chunked")
        if self._missing:
            lines.append(b"connection: close")
        found = b"\r\n".join(lines)
        if found.count(b"\n") != len(lines) - 1 or found.count(b"\r") != len(lines) - 1 or b"\0" in found:
            raise RuntimeError("a header of the response contains a line break")
        self._is_chunked = is_chunked
        return found + b"\r\n\r\n"

    async def run(self, app: Any, scope: dict[str, Any], log: Any) -> None:
        """Handle the request. If the application fails, send a 500, or close the connection."""
        try:
            await app(scope, self.receive, self.send)
        except BaseException as error:
            log.error("Exception in ASGI application\n", exc_info=error)
            if self._is_started:
                self._transport.close()
            else:
                await self._fail()
        else:
            if not self._is_started and not self.disconnected:
                await self._fail()
            elif not self.response_complete and not self.disconnected:
                self._transport.close()
        finally:
            self.on_response = _nothing

    async def _fail(self) -> None:
        text = b"Internal Server Error"
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(text))]
        self.keep_alive = False
        headers.append((b"connection", b"close"))
        await self.send({"type": "http.response.start", "status": 500, "headers": headers})
        await self.send({"type": "http.response.body", "body": text})


def chunk(data: bytes) -> bytes:
    """Return data as one chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def _nothing() -> None:
    pass
