"""A small fake server with scripted responses, which records requests."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from pathlib import Path


class Asked(NamedTuple):
    """A request."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    target: str


class Say(NamedTuple):
    """A response. Code 0 closes the connection without one."""

    code: int = 200
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()


NAMES = {"configmaps": ("ConfigMap", True), "namespaces": ("Namespace", False), "widgets": ("Widget", True)}
DISCOVERY = {
    "/version": {"major": "1", "minor": "37", "gitVersion": "v1.37.1"},
    "/api": {
        "kind": "APIGroupDiscoveryList",
        "items": [
            {
                "metadata": {"name": ""},
                "versions": [
                    {
                        "version": "v1",
                        "resources": [
                            {
                                "resource": plural,
                                "responseKind": {"kind": kind},
                                "scope": "Namespaced" if namespaced else "Cluster",
                                "verbs": ["get", "list"],
                                "shortNames": ["cm"] if kind == "ConfigMap" else [],
                            }
                            for plural, (kind, namespaced) in NAMES.items()
                        ],
                    }
                ],
            }
        ],
    },
    "/apis": {"kind": "APIGroupDiscoveryList", "items": []},
}


def status(code: int, reason: str, message: str, **details: Any) -> Say:
    """An error of a server."""
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason}
    return Say(code, {**body, "message": message, "details": details})


@dataclass
class Fake:
    """The server. `answers` contains the responses of each path in order. The last one repeats."""

    answers: dict[str, list[Say] | Callable[[Asked], Say]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    def at(self, path: str) -> list[Asked]:
        """The requests for a path."""
        return [one for one in self.asked if one.path == path]

    def answer(self, asked: Asked) -> Say:
        """The response to a request."""
        self.asked.append(asked)
        told = self.answers.get(asked.path)
        if callable(told):
            return told(asked)
        if told:
            return told.pop(0) if len(told) > 1 else told[0]
        if asked.path in DISCOVERY:
            return Say(body=DISCOVERY[asked.path])
        return status(404, "NotFound", "the server could not find the requested resource")

    def start(self, tls: ssl.SSLContext | None = None) -> ThreadingHTTPServer:
        """Start the server in a thread."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        server.daemon_threads = True
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client may go away
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return server

    def kubeconfig(self, folder: Path, *, user: Any = None, context: Any = None, **cluster: Any) -> str:
        """Write a kubeconfig for it, with the context `dev`."""
        content = {
            "clusters": [{"name": "c", "cluster": {"server": self.url, **cluster}}],
            "users": [{"name": "u", "user": user or {}}],
            "contexts": [{"name": "dev", "context": {"cluster": "c", "user": "u", **(context or {})}}],
            "current-context": "dev",
        }
        file = folder / "kubeconfig"
        file.write_text(json.dumps(content), encoding="utf-8")
        return str(file)


def _handler(fake: Fake) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or a body would wait for 40 ms

        def handle_any(self) -> None:
            parts = urlsplit(self.path)
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            body = json.loads(data) if data else None
            said = fake.answer(
                Asked(
                    self.command,
                    parts.path,
                    query,
                    {name.lower(): value for name, value in self.headers.items()},
                    body,
                    self.path,
                )
            )
            if said.code == 0:
                self.close_connection = True
                return
            text = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
            self.send_response(said.code)
            for name, value in said.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            with suppress(OSError):  # the client may be gone
                self.wfile.write(text)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any  # noqa: N815 - the names of http.server

        def log_message(self, *_: object) -> None:
            pass

    return Handler
