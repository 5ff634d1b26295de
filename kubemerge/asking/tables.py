"""The tables that a command works with: one release, with any number of specifications laid over it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

import engine

from ..reading.files import take_stdin
from . import completing

if TYPE_CHECKING:
    from engine import Tables

release_option = click.option(
    "--release",
    metavar="RELEASE",
    shell_complete=completing.releases,
    help="A Kubernetes release such as 1.31; the newest by default.",
)
schema_option = click.option(
    "--schema",
    metavar="SOURCE",
    multiple=True,
    help="A CRD or an OpenAPI document (file, folder, address, -) to lay over the release. May be repeated.",
)


def tables(release: str | None, schemas: tuple[str, ...]) -> Tables:
    """The tables of a release with these specifications laid over them, the last on top."""
    found = engine.load(release)
    if schemas:
        import codegen  # brings its libraries along, which most commands do without

        for source in schemas:
            if source == "-":
                take_stdin()
            found = found.overlay(codegen.read(os.path.expanduser(source)))  # noqa: PTH111 - may be an address
    return found
