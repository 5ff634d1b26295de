"""`kubemerge lsp`: the language server."""

from __future__ import annotations

import sys

import click

from ..terminal.console import console, console_options


@click.command()
@click.option("--stdio", is_flag=True, help="Accepted, because editors pass it. There is no other transport.")
@console_options
def lsp(stdio: bool) -> int:  # noqa: ARG001
    """Run the language server for editors.

    The server uses standard input and output. It reports findings of `kubemerge lint` while you type, explains fields,
    completes fields and values, and offers fixes. Requires `pip install 'kubemerge[lsp]'`.

    Exit codes: 0: the editor has shut the server down. 1: the connection ended before that.
    """
    from ...lsp.start import serve

    return serve(sys.stdin.buffer, sys.stdout.buffer, console().complain)
