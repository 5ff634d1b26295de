"""`kubemerge demo`: a one-minute introduction."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal.console import console_options


@click.command()
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path))
@console_options
def demo(folder: Path | None) -> int:
    """Show what kubemerge does, in one minute.

    The demo shows a few objects, questions about them, and commands with their output. Everything is
    computed at run time from bundled files, without a cluster or network. With FOLDER, which must be new or empty, the
    files are kept there for your own experiments. Without FOLDER, nothing is kept.
    """
    from ..runs.demo import run

    return run(folder)
