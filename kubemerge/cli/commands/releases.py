"""`kubemerge releases`: supported Kubernetes releases."""

from __future__ import annotations

import json

import click

import engine

from ..terminal.console import console_options, echo_text


@click.command()
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@console_options
def releases(output: str) -> None:
    """List the supported Kubernetes releases, oldest first."""
    known = engine.releases()
    echo_text(json.dumps(known) if output == "json" else "\n".join(known))
