"""The server with the official client: in memory and over standard input and output.

The client checks each structured result against the output schema of its tool, and raises an error if it differs.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from kubemerge.mcpserver.server import server_for
from kubemerge.mcpserver.tools import TOOLS
from kubemerge.mcpserver.workspace import Settings
from tests.conftest import ROOT

from .recorded import CALLS, CONVERSATION, differences, filled, texts_of, value_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from mcp_types import CallToolResult

    Calls = Sequence[tuple[str, dict[str, Any]]]

TEXTS = texts_of(CALLS)
MODES = ("legacy", "auto")


async def called(client: Client, calls: Calls) -> list[CallToolResult]:
    """The results of calls, one after the other."""
    await client.list_tools()
    return [await client.call_tool(name, arguments) for name, arguments in calls]


def run(server: Any, mode: Any, work: Callable[[Client], Awaitable[Any]]) -> Any:
    """Run some work with a connected client."""

    async def main() -> Any:
        async with Client(server, mode=mode) as client:
            return await work(client)

    return anyio.run(main)


def process(*words: str, folder: Path) -> StdioServerParameters:
    """The server as a process, as a client starts it."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "kubemerge", "mcp", *words],
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        cwd=folder,
    )


@pytest.mark.parametrize("mode", MODES)
def test_every_recorded_call_has_a_result_that_the_client_accepts(mode: str, tmp_path: Path) -> None:
    cases = CALLS["cases"]
    calls = [(one["tool"], filled(one["arguments"], TEXTS)) for one in cases]
    found = run(server_for(Settings(str(tmp_path))), mode, lambda client: called(client, calls))
    for case, result in zip(cases, found, strict=True):
        assert result.is_error == ("error" in case), case["title"]
        assert (result.structured_content is None) == result.is_error
        (text,) = result.content
        plain = json.loads(text.text)
        assert plain == ({"error": plain["error"]} if result.is_error else result.structured_content), case["title"]


def test_a_conversation_solves_a_conflict(tmp_path: Path) -> None:
    """Over standard input and output, from the recorded data."""

    async def talk(client: Client) -> None:
        await client.list_tools()
        texts = texts_of(CONVERSATION)
        for step in CONVERSATION["steps"]:
            result = await client.call_tool(step["tool"], filled(step["arguments"], texts))
            assert differences(step["result"], result.structured_content) == []
            for name, path in step.get("keep", {}).items():
                texts[name] = value_at(result.structured_content, path)

    run(process(folder=tmp_path), "legacy", talk)


def test_tools_are_listed_as_read_only(tmp_path: Path) -> None:
    found = run(server_for(Settings(str(tmp_path))), "legacy", lambda client: client.list_tools()).tools
    assert [one.name for one in found] == [*TOOLS]
    assert all(one.annotations.read_only_hint and not one.annotations.destructive_hint for one in found)
    assert all(one.description and one.output_schema for one in found)


def test_an_unknown_tool_is_an_error_of_the_call(tmp_path: Path) -> None:
    (found,) = run(server_for(Settings(str(tmp_path))), "legacy", lambda client: called(client, [("apply", {})]))
    assert found.is_error
    assert "unknown tool 'apply'. Use one of predict_apply, conflicts" in found.content[0].text


def test_a_process_reads_files_below_its_root(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", "utf-8")
    (tmp_path / "b.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}", "utf-8")
    calls = [("predict_apply", {"config_files": ["."]}), ("predict_apply", {"config_files": ["../b.yaml"]})]
    server = process("--root", "shop", "--release", "1.30", folder=tmp_path)
    inside, outside = run(server, "auto", lambda client: called(client, calls))
    assert [one["name"] for one in inside.structured_content["objects"]] == ["a"]
    assert outside.is_error
