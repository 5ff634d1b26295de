"""The MCP server: predictions and explanations for AI agents, over standard input and output.

    tool        one tool: its texts, its arguments, its output schema
    shapes      pieces of output schemas
    results     results with limits, and with foreign text marked and escaped
    foreign     text of objects: escaped, and quoted within our sentences
    sandbox     files below the root
    workspace   the inputs of one call: objects, schemas, a read-only cluster
    tools       one module for each tool
    calls       one call of a tool, from its arguments to its result or its error
    handshake   the first response, before the SDK is loaded
    server      the server, on the official SDK

No tool writes anything. Only `server` imports the SDK (the extra `mcp`).
"""
