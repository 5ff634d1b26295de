"""Requests that are read without h11: only common heads, with the same responses."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import time
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from kubemerge.apiserver.http.listening import connections
from kubemerge.apiserver.http.listening.exchange import Exchange, chunk, head_of
from kubemerge.apiserver.http.listening.running import Serving, served
from kubemerge.cluster import open_cluster

from .against_h11 import compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAPS = "/api/v1/namespaces/default/configmaps"
HOST = b"\r\nHost: 127.0.0.1"
BODY = b'{"metadata":{"name":"NAME"}}'


@pytest.fixture
def serving() -> Iterator[Serving]:
    with open_cluster(":memory:") as cluster, served(cluster) as found:
        yield found


def _post(name: str, *headers: bytes) -> bytes:
    body = BODY.replace(b"NAME", name.encode())
    lines = [f"POST {MAPS} HTTP/1.1".encode(), b"Host: 127.0.0.1", b"Content-Type: application/json", *headers]
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(body), b"", body])


def _get(name: str, *headers: bytes) -> bytes:
    return b"\r\n".join([f"GET {MAPS}/{name} HTTP/1.1".encode(), b"Host: 127.0.0.1", *headers, b"", b""])


def _exchange(serving: Serving, pieces: list[bytes], until: bytes) -> bytes:
    """Send pieces one by one, and return the data up to a text."""
    where = urlsplit(serving.url)
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=20) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        found = b""
        for piece in pieces:
            connection.sendall(piece)
        while until not in found:
            more = connection.recv(65536)
            assert more, found
            found += more
    return found


@pytest.mark.parametrize(
    "head",
    [
        b"HEAD / HTTP/1.1" + HOST,
        b"GET / HTTP/1.0" + HOST,
        b"GET http://a/ HTTP/1.1" + HOST,
        b"GET  / HTTP/1.1" + HOST,
        b"GET /\xff HTTP/1.1" + HOST,
        b"GET / HTTP/1.1",
        b"GET / HTTP/1.1" + HOST + HOST,
        b"GET / HTTP/1.1" + HOST + b"\r\nA : b",
        b"GET / HTTP/1.1" + HOST + b"\r\n folded",
        b"GET / HTTP/1.1" + HOST + b"\nA: b",
        b"GET / HTTP/1.1" + HOST + b"\r\nA: b\rc",
        b"GET / HTTP/1.1" + HOST + b"\r\nA: b\0",
        b"GET / HTTP/1.1" + HOST + b"\r\nConnection: close",
        b"GET / HTTP/1.1" + HOST + b"\r\nConnection: keep-alive, Upgrade",
        b"POST / HTTP/1.1" + HOST + b"\r\nTransfer-Encoding: chunked",
        b"POST / HTTP/1.1" + HOST + b"\r\nExpect: 100-continue",
        b"POST / HTTP/1.1" + HOST + b"\r\nContent-Length: 1\r\nContent-Length: 1",
        b"POST / HTTP/1.1" + HOST + b"\r\nContent-Length: +1",
        b"POST / HTTP/1.1" + HOST + b"\r\nContent-Length: 1_0",
        b"POST / HTTP/1.1" + HOST + b"\r\nContent-Length: 9999999",
        b"GET / HTTP/1.1" + HOST + b"\r\nA: " + b"b" * 20_000,
    ],
)
def test_other_heads_are_left_to_h11(head: bytes) -> None:
    assert head_of(head) is None


def test_a_head_is_read_in_linear_time() -> None:
    begun = time.process_time()
    assert head_of(b"GET / HTTP/1.1" + HOST + b"\r\nA:" + b" " * 16_000 + b"\x01") is None
    assert time.process_time() - begun < 2  # quadratic time would be 10 s


def test_random_requests_have_the_same_responses_with_h11() -> None:
    found = asyncio.run(compare(300, seed=1))
    assert found.different == []
    assert found.without_h11 > 50
    assert found.answered > found.without_h11


def test_a_common_head_is_read() -> None:
    found = head_of(b"PUT /a%20b?c=d HTTP/1.1\r\nHOST: x\r\nA:  b c \r\nEmpty:\r\nContent-Length: 3")
    assert found is not None
    scope = found.scope({"scheme": "http"})
    assert (scope["method"], scope["path"], scope["raw_path"], scope["query_string"]) == (
        "PUT",
        "/a b",
        b"/a%20b",
        b"c=d",
    )
    assert scope["headers"] == [(b"host", b"x"), (b"a", b"b c"), (b"empty", b""), (b"content-length", b"3")]
    assert found.length == 3


@pytest.mark.parametrize("request_of", [partial(_get, "kube-root-ca"), partial(_post, "Invalid")], ids=["get", "post"])
def test_responses_equal_those_with_h11(request_of: Callable[..., bytes], serving: Serving) -> None:
    with_h11 = b"Connection: keep-alive, x"  # h11 reads it, and the server ignores it
    answers = [_exchange(serving, [request_of(*more)], b"}\n") for more in ((), (with_h11,))]
    heads, bodies = zip(*(answer.split(b"\r\n\r\n") for answer in answers), strict=True)
    assert bodies[0] == bodies[1]
    sets = [{line for line in head.split(b"\r\n") if not line.startswith(b"date:")} for head in heads]
    assert sets[0] == sets[1]


def test_pieces_and_pipelined_requests_are_answered_in_order(serving: Serving) -> None:
    two = _post("a") + _post("b")
    found = _exchange(serving, [two[:30], two[30:230], two[230:-5], two[-5:] + _get("a") + _get("z")], b'"code":404')
    assert re.findall(rb"HTTP/1\.1 (\d+) ", found) == [
        b"201",
        b"201",
        b"200",
        b"404",
    ]


def test_a_body_in_two_packets_is_read_without_h11(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's HTTP client sends the head and the body separately."""
    made: list[Any] = []

    class Noted(Exchange):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            made.append(self)

    monkeypatch.setattr(connections, "Exchange", Noted)
    request = _post("c")
    at = request.index(b"\r\n\r\n") + 4
    assert b" 201 " in _exchange(serving, [request[:at], request[at:]], b"}\n")
    assert len(made) == 1


class _Transport:
    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        self.is_closed = True


class _Flow:
    write_paused = False

    def resume_reading(self) -> None: ...


def _made(request: bytes = b"GET / HTTP/1.1" + HOST) -> tuple[Exchange, _Transport, _Flow]:
    head, transport, flow = head_of(request), _Transport(), _Flow()
    assert head is not None
    return Exchange(head, transport, flow, []), transport, flow  # type: ignore[arg-type]


def test_a_header_with_a_line_break_is_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    exchange, transport, _ = _made()

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b\r\nc: d")]})

    asyncio.run(exchange.run(app, {}, logging.getLogger("uvicorn.error")))
    assert b"".join(transport.written).startswith(b"HTTP/1.1 500 ")
    assert transport.written[0].endswith(b"\r\n\r\nInternal Server Error")
    assert "line break" in caplog.text
    assert transport.is_closed


@pytest.mark.parametrize(
    ("messages", "written"),
    [
        ([], b"HTTP/1.1 500 "),
        ([{"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]}], b""),
    ],
    ids=["no response", "a response without its body"],
)
def test_an_application_that_ends_early_ends_the_connection(messages: list[Any], written: bytes) -> None:
    exchange, transport, _ = _made()

    async def app(_: Any, __: Any, send: Any) -> None:
        for message in messages:
            await send(message)

    asyncio.run(exchange.run(app, {}, logging.getLogger("uvicorn.error")))
    assert b"".join(transport.written)[: len(b"HTTP/1.1 500 ")] == written
    assert transport.is_closed


def test_a_piece_is_not_written_before_the_head_and_while_the_client_does_not_read() -> None:
    exchange, transport, flow = _made()

    async def run() -> list[bool]:
        await exchange.send({"type": "http.response.start", "status": 200, "headers": []})
        found = [exchange.write_now(b"x")]
        await exchange.send({"type": "http.response.body", "body": b"", "more_body": True})
        found.append(exchange.write_now(b"x"))
        flow.write_paused = True
        found.append(exchange.write_now(b"x"))
        return found

    assert asyncio.run(run()) == [False, True, False]
    assert transport.written[1:] == [chunk(b"x")]


def test_later_requests_do_not_wake_a_stream_which_would_read_even_more_of_them() -> None:
    exchange, _, _ = _made()

    async def run() -> tuple[Any, bool]:
        exchange.feed(b"")
        found = await exchange.receive()
        waiting = asyncio.ensure_future(exchange.receive())
        await asyncio.sleep(0)
        assert exchange.feed(b"GET /") == b"GET /"
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        is_woken = waiting.done()
        waiting.cancel()
        return found, is_woken

    assert asyncio.run(run()) == ({"type": "http.request", "body": b"", "more_body": False}, False)


def test_a_response_before_the_whole_body_ends_the_connection() -> None:
    exchange, transport, _ = _made(b"POST / HTTP/1.1" + HOST + b"\r\nContent-Length: 10")
    exchange.feed(b"abc")

    async def run() -> None:
        await exchange.send({"type": "http.response.start", "status": 408, "headers": [(b"content-length", b"0")]})
        await exchange.send({"type": "http.response.body", "body": b""})

    asyncio.run(run())
    assert b"\r\nconnection: close\r\n" in transport.written[0]
    assert transport.is_closed
