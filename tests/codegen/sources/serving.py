"""A local HTTP or HTTPS server with functions as responses."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator
    from email.message import Message

Answer: TypeAlias = "Callable[[BaseHTTPRequestHandler], None]"


@dataclass
class Served:
    """A running server: its address, its response for each path, and the received requests."""

    address: str
    answers: dict[str, Any] = field(default_factory=dict)
    requests: list[tuple[str, Message]] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    def at(self, path: str, *answers: Any) -> str:
        """Set the responses for a path, in order; the last one repeats. Return its address."""
        self.answers[path] = list(answers)
        return self.address + path

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


def body(data: bytes, status: int = 200, **headers: str) -> Answer:
    """A plain response."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def redirect(to: str) -> Answer:
    return body(b"", 302, Location=to)


@contextlib.contextmanager
def serving(tls: ssl.SSLContext | None = None) -> Iterator[Served]:
    """A server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True  # or a body would wait for 40 ms

        def do_GET(self) -> None:
            served.requests.append((self.path, self.headers))
            left = served.answers.get(self.path, [body(b"not here", 404)])
            answer = left.pop(0) if len(left) > 1 else left[0]
            with contextlib.suppress(OSError):
                answer(self)
            self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    served = Served(f"{'https' if tls else 'http'}://localhost:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()
