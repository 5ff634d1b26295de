"""Connections: common requests without h11, timeouts of request heads, ambiguous framing, connection limits."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..asgi import CUT_OFF, WRITE_NOW
from .exchange import Exchange, head_of

if TYPE_CHECKING:
    import asyncio

HEAD_TIME = 32.0
"""Seconds for a client to send the head of a request, as with a real server."""
LET_GO_TIME = 30.0
"""Seconds for a client to read the last bytes of a closing connection."""
_SPARE = 64
"""File descriptors reserved for other uses than connections."""
_FEWEST, _MOST = 64, 8192
CLOSE = (b"connection", b"close")
_ASGI = {"version": "3.0", "spec_version": "2.3"}


def most_connections() -> int:
    """The maximum number of connections that leaves file descriptors for the cluster."""
    try:
        import resource
    except ImportError:
        return _FEWEST * 8
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(_FEWEST, min(_MOST, soft - _SPARE if soft > 0 else _MOST))


class Connection(H11Protocol):
    """One connection of a client."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._most = most_connections()
        self._head_timer: asyncio.TimerHandle | None = None
        self._heard = time.monotonic()
        self._exchange: Exchange | None = None
        """The common request that is being handled."""
        self._deferred = b""
        """Data received after this request, which belong to the next one."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection. If there are too many, close the one that has been idle for longest."""
        if len(self.connections) >= self._most:
            idle = [one for one in self.connections if isinstance(one, Connection) and one.is_idle]
            if not idle:
                transport.abort()
            else:
                min(idle, key=lambda one: one._heard).transport.abort()
        super().connection_made(transport)
        self._expect_head()

    @property
    def is_idle(self) -> bool:
        """Whether no complete request is waiting for its response."""
        return self.conn.their_state is h11.IDLE and self._exchange is None

    def data_received(self, data: bytes) -> None:
        """Read more of a request."""
        self._heard = time.monotonic()
        if self._exchange is not None:
            self._defer(self._exchange.feed(data))
        elif not self._handle_common(data):
            super().data_received(data)
        if not self.is_idle:
            self._stop_timer()
        elif self._head_timer is None:
            self._expect_head()

    def _defer(self, data: bytes) -> None:
        """Defer data until this exchange ends, and pause reading until then."""
        if data:
            self._deferred += data
            self.flow.pause_reading()

    def _handle_common(self, data: bytes) -> bool:
        """Handle a common request. Return False if the data do not begin with the head of one."""
        if self.conn.their_state is not h11.IDLE or self.conn.our_state is not h11.IDLE or self.conn.trailing_data[0]:
            return False
        text, end, rest = data.partition(b"\r\n\r\n")
        head = head_of(text) if end else None
        if head is None:
            return False
        self._unset_keepalive_if_required()
        exchange = Exchange(head, self.transport, self.flow, self.server_state.default_headers)
        exchange.on_response = self.on_response_complete
        self.cycle = self._exchange = exchange  # type: ignore[assignment]
        self._defer(exchange.feed(rest))
        scope = head.scope({"server": self.server, "client": self.client, "scheme": self.scheme, "asgi": _ASGI})
        scope["extensions"] = {CUT_OFF: self._cut_off, WRITE_NOW: exchange.write_now}
        task = self.loop.create_task(exchange.run(self.app, scope, self.logger))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)
        return True

    def handle_events(self) -> None:
        """Handle what was read. A request with two kinds of framing is the last one (RFC 9112, 6.1)."""
        super().handle_events()
        if self.headers and self.scope is not None:
            names = {name for name, _ in self.headers}
            if {b"content-length", b"transfer-encoding"} <= names and CLOSE not in self.headers:
                self.headers.append(CLOSE)
            extensions: dict[str, Any] = self.scope.setdefault("extensions", {})
            extensions[CUT_OFF] = self._cut_off

    def send_400_response(self, msg: str) -> None:
        """Reject input that is not HTTP. If a response is being sent, only close the connection."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._cut_off()
        elif self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._exchange = None
        super().on_response_complete()
        data, self._deferred = self._deferred, b""
        if data and not self.transport.is_closing():
            self.data_received(data)
        if self.transport.is_closing():
            self.loop.call_later(LET_GO_TIME, self.transport.abort)
        elif self.is_idle and self.conn.trailing_data[0] and self._head_timer is None:
            self._expect_head()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if the client did not read the last response."""
        super().timeout_keep_alive_handler()
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        self._stop_timer()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_TIME, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _cut_off(self) -> None:
        """Abort the connection in the middle of a response."""
        if self.cycle is not None:
            self.cycle.disconnected = True
        self.transport.abort()
