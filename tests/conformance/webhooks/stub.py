"""A webhook server whose responses are data.

An answer is a map: `allowed`, `status`, `warnings`, `patch` (operations, or text), `patchType` and `uid` are parts of
the response to an AdmissionReview, and `review` of the review itself. Others are `raw` (`code`, `type`, `body`),
`sleep` (seconds), `close` and `redirect`. An answer of a conversion is described in `conversion`.
"""

from __future__ import annotations

import base64
import json
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from typing import TYPE_CHECKING, Any

import trustme

from .conversion import converted

if TYPE_CHECKING:
    from collections.abc import Callable

Object = dict[str, Any]
HOST = "127.0.0.1"
SERVICE = "hooks.default.svc"


class Stub:
    """Servers on several ports: `good`, `other-name`, `other-authority` and `plain`, and `closed`, where nothing is."""

    def __init__(self) -> None:
        authority, other = trustme.CA(), trustme.CA()
        self.bundle = base64.b64encode(authority.cert_pem.bytes()).decode()
        self.answers: dict[str, list[Object]] = {}
        self.reviews: list[tuple[str, Object]] = []
        self.on_call: dict[str, Callable[[], object]] = {}
        """Called before the answer of a path, by path."""
        self._calls: dict[str, int] = {}
        self._servers: list[ThreadingHTTPServer] = []
        certificates = {
            "good": authority.issue_cert(HOST, "localhost", SERVICE),
            "other-name": authority.issue_cert("other.example.com"),
            "other-authority": other.issue_cert(HOST, SERVICE),
            "plain": None,
        }
        self.ports = {name: self._serve(certificate) for name, certificate in certificates.items()}
        with socket() as free:
            free.bind((HOST, 0))
            self.ports["closed"] = free.getsockname()[1]

    def _serve(self, certificate: Any) -> int:
        server = _Server((HOST, 0), type("Handler", (_Handler,), {"stub": self}))
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            certificate.configure_cert(context)
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self._servers.append(server)
        return int(server.server_address[1])

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def begin(self, answers: dict[str, list[Object]]) -> None:
        """Begin with the first of these answers."""
        self.answers, self._calls, self.reviews = answers, {}, []

    def forget(self) -> None:
        """Forget the reviews so far."""
        self.reviews = []

    def url(self, path: str, at: str = "good") -> str:
        return f"https://{HOST}:{self.ports[at]}{path}"

    def config(self, path: str, at: str = "good") -> Object:
        return {"url": self.url(path, at), "caBundle": self.bundle}

    def next_answer(self, path: str, review: Object) -> Object:
        """The next answer of a path. A conversion has the one that the object names in an annotation."""
        answers = self.answers.get(path) or [{}]
        objects = (review.get("request") or {}).get("objects")
        if objects:
            annotations = objects[0]["metadata"].get("annotations") or {}
            return answers[int(annotations["answer"])] if "answer" in annotations else {}
        number = self._calls.get(path, 0)
        self._calls[path] = number + 1
        return answers[min(number, len(answers) - 1)]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Clients that leave are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    stub: Stub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or a body would wait for 40 ms

    def do_GET(self) -> None:
        self._send(200, "text/plain", b"got")

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        review = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        self.stub.reviews.append((path, review))
        answer = self.stub.next_answer(path, review)
        called = self.stub.on_call.get(path)
        if called is not None:
            called()
        time.sleep(answer.get("sleep", 0))
        if answer.get("close"):
            self.close_connection = True
            return
        if "redirect" in answer:
            self.send_response(307)
            self.send_header("Location", answer["redirect"])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if "raw" in answer:
            raw = answer["raw"]
            body = raw.get("body", "")
            data = (body if isinstance(body, str) else json.dumps(body)).replace("UID", _uid(review)).encode()
            self._send(raw.get("code", 200), raw.get("type", "application/json"), data)
            return
        self._send(200, "application/json", json.dumps(answered(review, answer)).encode())

    def _send(self, code: int, media_type: str, body: bytes) -> None:
        self.send_response(code)
        if media_type:
            self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _uid(review: Object) -> str:
    return str((review.get("request") or {}).get("uid", ""))


def answered(review: Object, answer: Object) -> Object:
    """The review with a response."""
    if review["kind"] == "ConversionReview":
        response = converted(review["request"], answer)
    else:
        response = {"uid": _uid(review), "allowed": True}
        response |= {name: one for name, one in answer.items() if name not in ("patch", "sleep", "review")}
        if "patch" in answer:
            patch = answer["patch"]
            text = patch if isinstance(patch, str) else json.dumps(patch)
            response["patch"] = base64.b64encode(text.encode()).decode()
            response.setdefault("patchType", "JSONPatch")
    found = {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}
    found |= answer.get("review", {})
    return {name: one for name, one in found.items() if one is not None}
