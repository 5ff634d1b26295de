"""Writing a report to a file, the whole new one, or the old one stays; or to standard output."""

from __future__ import annotations

import os

import click

from engine import MergeError

from .console import console

STDOUT = "-"


def write_page(name: str, text: str) -> None:
    """Write a page to the file of this name, and say so; `-` is standard output."""
    if name == STDOUT:
        click.echo(text, nl=not text.endswith("\n"))
        return
    from pathlib import Path  # takes a while to import

    from codegen.documents.files import replace_file

    try:
        replace_file(Path(os.path.expanduser(name)), text)  # noqa: PTH111
    except OSError as error:
        reason = error.strerror or error
        raise MergeError(f"{name}: {reason}; give the name of a file in a folder that can be written") from None
    console().say(f"wrote {name}")
