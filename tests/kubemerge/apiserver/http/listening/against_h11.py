"""Compare requests that are read without h11 with the same bytes that h11 reads.

A random request is sent to two connections: `Connection`, and one that leaves each head to h11. The application
returns the scope and the body that it received. Responses, and whether the connection is closed, must be equal.

To run many: `python -m tests.kubemerge.apiserver.http.listening.against_h11 100000 [SEED]`.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import uvicorn
from uvicorn.server import ServerState

from kubemerge.apiserver.http.listening import connections
from kubemerge.apiserver.http.listening.connections import Connection

if TYPE_CHECKING:
    from collections.abc import Iterator

METHODS = [b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"HEAD", b"OPTIONS", b"get", b"PRI", b"", b"G ET", b"CONNECT"]
TARGETS = [
    *(b"/", b"/api/v1?a=b", b"/a%20b%2Fc?x=%zz", b"/%ff%00", b"//x", b"/a#b", b"/stream", b"/stream?watch=1"),
    *(b"http://h/x", b"h:443", b"*", b"", b"/\xc3\xa9", b"/\x00", b"/a b", b"/" + b"x" * 17_000, b"/\x7f", b"?a"),
]
VERSIONS = [b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"http/1.1", b"HTTP/1.1 ", b"HTTP/1.10", b""]
HEADERS = [
    b"Content-Length: 5",
    b"Content-Length: 0",
    b"content-length:3",
    b"Content-Length: 005",
    b"Content-Length: 70000",
    b"Content-Length: +5",
    b"Content-Length: -5",
    b"Content-Length: 5 5",
    b"Content-Length: 5, 5",
    b"Content-Length : 5",
    b"Content-Length: 0x5",
    b"Content-Length:",
    b"Content-Length: 5_0",
    b"Content-Length: \xb2",
    b"Content-Length: 99999999",
    b"Content-Length: 5\t",
    b"Content-Length: 123456789012345678901",
    b"Content-Length:\t5 ",
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip",
    b"transfer-encoding:\tchunked",
    b"TE: trailers",
    b"Transfer-Encoding: identity",
    b"Transfer-Encoding : chunked",
    b"Transfer-Encoding: chunked, chunked",
    b"Connection: close",
    b"Connection: keep-alive",
    b"Connection: Keep-Alive ",
    b"Connection: x",
    b"Connection:",
    b"Connection: keep-alive, close",
    b"Connection: Upgrade",
    b"Upgrade: websocket",
    b"Upgrade: h2c",
    b"Expect: 100-continue",
    b"Expect: x",
    b"Host: second",
    b"Trailer: x",
    b" folded",
    b"\tfolded",
    b"",
    b"nocolon",
    b": empty",
    b"A B: c",
    b"A: b\rc",
    b"A: b\nc",
    b"A: b\x00",
    b"A: \xff",
    b"A:",
    b"A:  b  c \t",
    b"A: \x01",
    b"A\x80: b",
    b"A: " + b"y" * 17_000,
    b"Accept: */*",
    b"A:" + b" " * 3000 + b"\x01",
    b"B:" + b" " * 500,
    b"Sec-WebSocket-Key: x",
]
BODIES = [
    b"",
    b"hello",
    b"hel",
    b"5\r\nhello\r\n0\r\n\r\n",
    b"0\r\n\r\n",
    b"5;x\r\nhello\r\n0\r\nA: b\r\n\r\n",
    b"z\r\n",
    b"x" * 70_000,
]
ENDS = [b"\r\n", b"\n", b"\r", b"\r\n\r\n"]


class Transport:
    """A transport that keeps the written bytes."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        """Record data."""
        if not self.closed:
            self.written += data

    def close(self) -> None:
        """Note that the connection is closed."""
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        """Whether the connection is closed."""
        return self.closed

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return the default: there is no socket."""
        del name
        return default

    def pause_reading(self) -> None:
        """Do nothing: all data are sent."""

    resume_reading = pause_reading


class Result(NamedTuple):
    """The result of the bytes on a connection."""

    written: bytes
    is_closed: bool
    responses: int


_REJECTED = b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n%b\r\n\r\n%b"
_TEXT = b"Invalid HTTP request received."
_REJECTION = _REJECTED % (b"Connection: close", _TEXT)
_LATER_REJECTION = _REJECTED % (
    b"connection: close\r\nTransfer-Encoding: chunked",
    b"%x\r\n%b\r\n0\r\n\r\n" % (len(_TEXT), _TEXT),
)
"""The same after a request that h11 read, because it knows the client's version of HTTP then."""


async def _echo(scope: Any, receive: Any, send: Any) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message.get("body", b"")
        more = message.get("more_body", False)
    shown = {name: scope[name] for name in sorted(scope) if name not in ("extensions", "state")}
    text = repr((shown, len(body), body[:40])).encode()
    length = [] if scope["path"] == "/stream" else [(b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b"), *length]})
    for piece in (b"", text[:9], text[9:]) if not length else ():
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": text if length and scope["method"] != "HEAD" else b""})


CONFIG = uvicorn.Config(_echo, http=Connection, ws="none", lifespan="off", log_level="critical", access_log=False)


async def result(pieces: list[bytes]) -> Result:
    """Send pieces to a new connection."""
    state = ServerState()
    protocol, transport = Connection(CONFIG, state, {}), Transport()
    protocol.connection_made(transport)  # type: ignore[arg-type]
    for piece in pieces:
        if transport.closed:
            break
        protocol.data_received(piece)
        await _settled(state)
    count = state.total_requests
    protocol.connection_lost(None)
    await _settled(state)
    protocol._unset_keepalive_if_required()
    return Result(transport.written.replace(_LATER_REJECTION, _REJECTION), transport.closed, count)


async def _settled(state: ServerState) -> None:
    for _ in range(40):
        await asyncio.sleep(0)
        if not state.tasks:
            return
    await asyncio.sleep(0)


async def both(pieces: list[bytes]) -> tuple[Result, Result]:
    """Return the results without h11 for common heads, and with h11 for all of them."""
    found = await result(pieces)
    with patch.object(connections, "head_of", return_value=None):
        return found, await result(pieces)


def requests(seed: int) -> Iterator[list[bytes]]:
    """Yield the bytes of one or more random requests, in pieces."""
    dice = random.Random(seed)
    while True:
        data = b"".join(_request(dice) for _ in range(dice.choice((1, 1, 2, 3))))
        if dice.random() < 0.3:
            data = _mutated(dice, data)
        yield _pieces(dice, data)


def _request(dice: random.Random) -> bytes:
    pick = partial(_rarely, dice)
    line = b"%b %b %b" % (pick(METHODS, 5), pick(TARGETS, 8), pick(VERSIONS, 1))
    headers = [b"Host: 127.0.0.1"] if dice.random() < 0.95 else []
    body = dice.choice(BODIES) if dice.random() < 0.5 else b""
    if body and dice.random() < 0.6:
        headers.append(b"Content-Length: %d" % len(body))
    headers += dice.choices(HEADERS, k=dice.choice((0, 0, 1, 1, 2)))
    dice.shuffle(headers)
    end = b"\r\n" if dice.random() < 0.95 else dice.choice(ENDS)
    return end.join([line, *headers, b"", body])


def _rarely(dice: random.Random, choices: list[bytes], common: int) -> bytes:
    return dice.choice(choices[:common]) if dice.random() < 0.85 else dice.choice(choices)


def _mutated(dice: random.Random, data: bytes) -> bytes:
    found = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4))):
        at = dice.randrange(min(len(found), 400) + 1)
        kind = dice.randrange(4)
        if kind == 0 and at < len(found):
            found[at] = dice.choice(b"\r\n\0 \t:;,aZ09\x7f\x80\xff/%")
        elif kind == 1:
            found[at:at] = dice.choice((b"\r\n", b"\n", b"\r", b" ", b"\t", b"\0", b":", b"\r\n\r\n", b"\xff"))
        elif kind == 2:
            del found[at : at + dice.choice((1, 2, 5))]
        else:
            found[at:at] = found[at : at + dice.choice((3, 20))]
    return bytes(found)


def _pieces(dice: random.Random, data: bytes) -> list[bytes]:
    how = dice.random()
    if how < 0.5 or not data:
        return [data]
    if how < 0.55 and len(data) < 300:
        return [data[at : at + 1] for at in range(len(data))]
    cuts = sorted({0, len(data), *(dice.randrange(len(data)) for _ in range(dice.choice((1, 2, 5))))})
    return [data[start:end] for start, end in pairwise(cuts)]


class Compared(NamedTuple):
    """The result of many comparisons."""

    different: list[tuple[list[bytes], Result, Result]]
    answered: int
    """The number of requests that had a response."""
    without_h11: int


async def compare(count: int, seed: int) -> Compared:
    """Compare random requests."""
    logging.getLogger("uvicorn.error").disabled = True
    different, answered = [], 0
    with patch.object(connections, "Exchange", wraps=connections.Exchange) as made:  # type: ignore[attr-defined]
        for pieces, _ in zip(requests(seed), range(count), strict=False):
            one, other = await both(pieces)
            answered += one.responses
            if one != other:
                different.append((pieces, one, other))
    logging.getLogger("uvicorn.error").disabled = False
    return Compared(different, answered, made.call_count)


if __name__ == "__main__":
    _found = asyncio.run(compare(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
    print(f"{_found.answered} responses, {_found.without_h11} without h11, {len(_found.different)} differences")
    for _pieces_sent, _one, _other in _found.different[:10]:
        print(
            [_piece[:200] for _piece in _pieces_sent],
            _one.written[-300:],
            _other.written[-300:],
            _one[1:],
            _other[1:],
            sep="\n  ",
        )
