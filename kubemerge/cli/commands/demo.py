"""`kubemerge demo`: the product in a minute."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal.console import console_options


@click.command()
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path))
@console_options
def demo(folder: Path | None) -> int:
    """Show in a minute what this command is for: some objects, questions about them, and the commands that answer.

    Everything is computed here and now, from files that came with this command: no cluster and no network is needed.
    With FOLDER, which must be new or empty, the files stay there, so that you can go on with them. Without it, nothing
    is left behind.
    """
    from ..runs.demo import run

    return run(folder)
