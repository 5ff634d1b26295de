"""The server on the official SDK. It is imported only once a client is connected, because the SDK loads slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from engine.version import __version__

from .calls import call
from .texts import INSTRUCTIONS, NAME, TITLE
from .tools import TOOLS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from .tool import Tool
    from .workspace import Settings


def server_for(settings: Settings) -> Server[Any]:
    """The server with all tools. Calls run one after the other, in a thread."""
    one_at_a_time = anyio.CapacityLimiter(1)

    async def list_tools(
        _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[listed(one) for one in TOOLS.values()])

    async def call_tool(_: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = params.arguments or {}
        answer = await anyio.to_thread.run_sync(call, settings, params.name, arguments, limiter=one_at_a_time)
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=answer.text)]
        if answer.result is None:
            return types.CallToolResult(content=content, is_error=True)
        return types.CallToolResult(content=content, structured_content=answer.result)

    return Server(
        NAME,
        version=__version__,
        title=TITLE,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def serve_streams(settings: Settings, lines: Any, messages: Any) -> None:
    """Serve one client whose messages are lines."""
    server = server_for(settings)
    async with stdio_server(lines, messages) as (read, write):
        await server.run(read, write, server.create_initialization_options())


def listed(tool: Tool) -> types.Tool:
    """A tool as it is listed."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=" ".join(tool.text.split()),
        input_schema=tool.input_schema,
        output_schema=tool.output,
        annotations=types.ToolAnnotations(
            title=tool.title, read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )
