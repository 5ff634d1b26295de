"""The first response comes before the SDK is loaded, and is the response of the SDK."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from kubemerge.cli.main import main as command
from kubemerge.mcpserver.handshake import first_response, handshake_versions
from kubemerge.mcpserver.server import server_for
from kubemerge.mcpserver.workspace import Settings
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

INFO = {"name": "agent", "version": "1"}
VERSIONS = (*HANDSHAKE_PROTOCOL_VERSIONS, "2026-07-28", "2024-01-01", "")
SECONDS = 0.3
"""The longest time of a processor until the first response."""


def request(**more: Any) -> dict[str, Any]:
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": INFO, **more}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def by_the_sdk(message: dict[str, Any]) -> dict[str, Any]:
    """The response of the SDK to a message."""

    found: list[dict[str, Any]] = []

    async def main() -> None:
        server = server_for(Settings("."))
        async with create_client_server_memory_streams() as (client, streams), anyio.create_task_group() as group:
            group.start_soon(server.run, *streams, server.create_initialization_options())
            read, write = client
            await write.send(SessionMessage(jsonrpc_message_adapter.validate_python(message)))
            answer = await read.receive()
            group.cancel_scope.cancel()
            assert isinstance(answer, SessionMessage)
            found.append(json.loads(answer.message.model_dump_json(by_alias=True, exclude_unset=True)))

    anyio.run(main)
    return found[0]


def response(message: Any) -> dict[str, Any] | None:
    return first_response(json.dumps(message).encode(), handshake_versions())


@pytest.mark.parametrize("version", VERSIONS)
def test_the_first_response_is_that_of_the_sdk(version: str) -> None:
    message = request(protocolVersion=version)
    assert response(message) == by_the_sdk(message)


CAPABILITIES: list[dict[str, Any]] = [
    {"roots": {"listChanged": True}},
    {"sampling": {}, "elicitation": {}},
]


@pytest.mark.parametrize("capabilities", CAPABILITIES)
def test_the_first_response_knows_the_capabilities_of_clients(capabilities: dict[str, Any]) -> None:
    message = request(capabilities=capabilities, clientInfo={**INFO, "title": "Agent"})
    assert response(message) == by_the_sdk(message)


OTHERS = [
    {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}},
    {**request(), "id": None},
    {**request(), "id": True},
    {**request(), "id": []},
    {**request(), "jsonrpc": "1.0"},
    {**request(), "params": []},
    request(clientInfo={"name": 1, "version": "1"}),
    request(clientInfo=None),
    request(capabilities={"roots": 1}),
    request(protocolVersion=1),
    [request()],
    "initialize",
]


@pytest.mark.parametrize("message", OTHERS)
def test_any_other_message_is_left_to_the_sdk(message: Any) -> None:
    assert response(message) is None


@pytest.mark.parametrize("line", [b"", b"\n", b"{", b"[" * 100_000, b"\xff"])
def test_a_line_that_is_no_message_is_left_to_the_sdk(line: bytes) -> None:
    assert first_response(line, handshake_versions()) is None


def test_the_first_response_needs_no_sdk_and_little_time(tmp_path: Path) -> None:
    """The time of a processor, which does not grow when others use the machine as well."""
    there = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(tmp_path)}
    there.pop("PYTHONDONTWRITEBYTECODE", None)
    program = """
import sys
sys.argv = ["kubemerge", "mcp"]
import os, kubemerge.mcpserver.handshake as handshake
def served(*_):
    loaded = any(name in sys.modules for name in ("mcp", "mcp_types", "pydantic", "anyio"))
    os.write(2, f"{sum(os.times()[:2])} {loaded}".encode())
    os._exit(0)
sys.modules["anyio"] = type(sys)("anyio")
sys.modules["anyio"].run = served
import kubemerge.__main__
kubemerge.__main__.main()
""".replace('"pydantic", "anyio"', '"pydantic"')
    times = []
    for _ in range(4):
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(request()).encode() + b"\n",
            capture_output=True,
            env=there,
            check=True,
        )
        assert json.loads(done.stdout)["id"] == 1
        seconds, loaded = done.stderr.decode().split()
        assert loaded == "False"
        times.append(float(seconds))
    assert min(times) < SECONDS


def test_a_whole_session_has_one_response_for_each_request(tmp_path: Path) -> None:
    """The response of the SDK to `initialize` is left out, because it was sent before."""
    messages = [
        request(),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "two", "method": "tools/call", "params": {"name": "explain_field", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
    ]
    lines = [json.dumps(one) for one in messages]
    with subprocess.Popen(
        [sys.executable, "-m", "kubemerge", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        found = {}
        for line in (lines[0], "not JSON", *lines[1:]):
            server.stdin.write(f"{line}\n")
            server.stdin.flush()
        for _ in range(3):
            answer = json.loads(server.stdout.readline())
            found[answer["id"]] = answer
        server.stdin.close()
        rest = server.stdout.read()
    assert {*found} == {1, "two", 3}
    assert found["two"]["result"]["isError"] is True
    assert rest == ""
    assert server.returncode == 0


def test_without_the_sdk_one_sentence_has_the_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SystemExit) as end:
        command(["mcp"])
    assert end.value.code == 2
    said = "kubemerge: the package mcp is required for the MCP server. Run `pip install 'kubemerge[mcp]'`\n"
    assert capsys.readouterr().err == said
