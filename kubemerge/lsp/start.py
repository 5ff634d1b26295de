"""The start of the server: the response to `initialize` is sent before the libraries are loaded, which takes a while.

The messages after it are handled by pygls, from the same stream.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, BinaryIO

from . import extra
from .capabilities import options_of, result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LENGTH = re.compile(rb"content-length:\s*(\d+)\s*\Z", re.IGNORECASE)
_NOT_INITIALIZED = -32002


def serve(stdin: BinaryIO, stdout: BinaryIO, report: Callable[[str], None]) -> int:
    """Serve one client. Return the exit code of the protocol: 0 after `shutdown`, else 1.

    `report` prints a failure on standard error, which editors show in their log.
    """
    extra.require()
    for message in _messages(stdin):
        method, number = message.get("method"), message.get("id")
        if method == "initialize" and number is not None:
            options = options_of(message.get("params"))
            _send(stdout, {"jsonrpc": "2.0", "id": number, "result": result(options)})
            from .server import run

            return run(options, stdin, stdout, report)
        if method == "exit":
            break
        if number is not None:
            error = {"code": _NOT_INITIALIZED, "message": "The first request must be initialize"}
            _send(stdout, {"jsonrpc": "2.0", "id": number, "error": error})
    return 1


def _messages(stdin: BinaryIO) -> Iterator[dict[str, Any]]:
    """The messages of the client up to the end of the stream. Anything else is skipped."""
    length = 0
    while header := stdin.readline():
        found = _LENGTH.match(header.strip())
        if found:
            length = int(found[1])
        elif not header.strip() and length:
            try:
                message = json.loads(stdin.read(length))
            except (ValueError, RecursionError):
                message = None
            length = 0
            if isinstance(message, dict):
                yield message


def _send(stdout: BinaryIO, message: dict[str, Any]) -> None:
    body = json.dumps(message, separators=(",", ":")).encode()
    stdout.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stdout.flush()
