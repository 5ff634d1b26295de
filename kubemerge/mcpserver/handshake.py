"""The server on standard input and output. It responds to `initialize` before the SDK is loaded.

The SDK takes most of a second to import. The first response needs only the texts and the protocol versions. The same
request is then passed to the SDK, and its own response is left out. A test compares both responses.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import util
from typing import TYPE_CHECKING, Any, BinaryIO

from engine import MergeError
from engine.version import __version__

from .texts import INSTRUCTIONS, NAME, TITLE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .workspace import Settings

MISSING = "the package mcp is required for the MCP server. Run `pip install 'kubemerge[mcp]'`"
LONGEST_LINE = 16 << 20
"""Maximum bytes of one message. Documents of a call have a lower limit."""


class NotInstalled(MergeError):
    """The SDK is missing."""


def serve(settings: Settings) -> None:
    """Serve one client on standard input and output, until it closes the input."""
    versions = handshake_versions()
    reader, writer = _claimed_streams()
    first = reader.readline(LONGEST_LINE)
    answer = first_response(first, versions)
    if answer is not None:
        writer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
        writer.flush()
    import anyio

    anyio.run(_served, settings, _Lines(first, reader), _Messages(writer, skip=answer is not None))


def handshake_versions() -> tuple[str, ...]:
    """The protocol versions of the SDK that begin with `initialize`, oldest first. The SDK is not loaded for them."""
    package = util.find_spec("mcp_types") if util.find_spec("mcp") else None
    folders = (package.submodule_search_locations if package else None) or ()
    for folder in folders:
        spec = util.spec_from_file_location("_mcp_versions", f"{folder}/version.py")
        if spec is not None and spec.loader is not None:
            module = util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return tuple(module.HANDSHAKE_PROTOCOL_VERSIONS)
    raise NotInstalled(MISSING)


def first_response(line: bytes, versions: tuple[str, ...]) -> dict[str, Any] | None:
    """The response to a well-formed `initialize`; None for anything else, which the SDK handles."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("method") != "initialize" or message.get("jsonrpc") != "2.0":
        return None
    asked, number = message.get("params"), message.get("id")
    if type(number) not in (int, str) or not isinstance(asked, dict) or not _is_plain(asked):
        return None
    wanted = asked["protocolVersion"]
    result = {
        "protocolVersion": wanted if wanted in versions else versions[-1],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": NAME, "title": TITLE, "version": __version__},
        "instructions": INSTRUCTIONS,
    }
    return {"jsonrpc": "2.0", "id": number, "result": result}


def _is_plain(params: dict[str, Any]) -> bool:
    """Whether the parameters are usual. Unusual ones are left to the SDK, which may reject them."""
    info, capabilities = params.get("clientInfo"), params.get("capabilities")
    if not params.keys() <= {"protocolVersion", "capabilities", "clientInfo"}:
        return False
    if not isinstance(params.get("protocolVersion"), str) or not isinstance(info, dict):
        return False
    if not {"name", "version"} <= info.keys() <= {"name", "version", "title"}:
        return False
    if not isinstance(capabilities, dict) or not capabilities.keys() <= {"roots", "sampling", "elicitation"}:
        return False
    known: tuple[dict[str, bool], ...] = ({}, {"listChanged": True}, {"listChanged": False})
    return all(one in known for one in capabilities.values()) and all(isinstance(one, str) for one in info.values())


def _claimed_streams() -> tuple[BinaryIO, BinaryIO]:
    """The client's streams. Other code that prints writes to standard error instead."""
    sys.stdout.flush()
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return reader, writer


class _Lines:
    """The messages of the client, one in each line, the first one included."""

    def __init__(self, first: bytes, reader: BinaryIO) -> None:
        self._first, self._reader = first, reader

    async def __aiter__(self) -> AsyncIterator[str]:
        from anyio import to_thread

        line = self._first
        while line:
            yield decoded(line)
            line = await to_thread.run_sync(self._reader.readline, LONGEST_LINE, abandon_on_cancel=True)


def decoded(line: bytes) -> str:
    """A message as text. Unpaired surrogates, for which the SDK would drop it without a response, are replaced."""
    text = line.decode("utf-8", "replace")
    if "\\u" not in text:
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"
    except (ValueError, RecursionError):
        return text


class _Messages:
    """The output to the client. With `skip`, the first message is left out, because it was sent before."""

    def __init__(self, writer: BinaryIO, *, skip: bool) -> None:
        self._writer, self._skip = writer, skip

    async def write(self, text: str) -> None:
        if self._skip:
            self._skip = False
            return
        self._writer.write(text.encode("utf-8", "replace"))

    async def flush(self) -> None:
        self._writer.flush()


async def _served(settings: Settings, lines: Any, messages: Any) -> None:
    from .server import serve_streams

    await serve_streams(settings, lines, messages)
