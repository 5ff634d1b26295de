"""The token of a comment only goes to GitHub."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from kubemerge.review.github import Comments, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def redirecting() -> Iterator[tuple[str, list[str]]]:
    """An API that redirects every request, and the requested paths."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


def test_a_redirect_is_not_followed(redirecting: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    address, asked = redirecting
    monkeypatch.setenv("GITHUB_API_URL", address)
    with pytest.raises(Refused, match="302"):
        Comments("one/two", 1, "token").put("mark", "text")
    assert len(asked) == 1
