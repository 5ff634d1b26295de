"""`kubemerge mcp`: predictions for AI agents."""

from __future__ import annotations

import click

from ..options.clusters import server_option
from ..options.gates import feature_gates_option
from ..options.shared import release_option
from ..terminal.console import console_options


@click.command("mcp")
@click.option(
    "--root",
    metavar="FOLDER",
    default=".",
    show_default=True,
    help="The folder whose files tools may read. Links out of it are rejected.",
)
@release_option
@server_option
@feature_gates_option
@console_options
def mcp(root: str, release: str | None, context: str | None, kubeconfig: str | None) -> int:
    """Serve predictions to AI agents (MCP).

    An MCP client starts this command, and talks to it on standard input and output. Tools predict an apply, resolve
    conflicts, explain fields and owners, lint, plan deployments and compare releases.

    Nothing is written. Tools read pasted documents and files below --root. With --context or --kubeconfig, they also
    read the live objects of a cluster, with GET requests only.

    Requires `pip install 'kubemerge[mcp]'`.
    """
    import os

    import engine

    from ...mcpserver.handshake import serve
    from ...mcpserver.workspace import Settings

    if not os.path.isdir(root):  # noqa: PTH112
        raise click.UsageError(f"--root {root}: not a folder. Pass an existing folder")
    if release and (context or kubeconfig):
        raise click.UsageError("a server has its own release. Omit --release")
    if release:
        engine.load(release)
    serve(Settings(root, release, context, kubeconfig))
    return 0
