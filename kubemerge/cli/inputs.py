"""What the command that runs reads: its files, standard input only once, and the tables that it works with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..manifests.files import Files
from .terminal.console import console
from .terminal.progress import fetching, reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Tables


def files() -> Files:
    """The files of the command that runs, always the same; a progress bar shows how far they are read."""
    command = click.get_current_context(silent=True)
    if command is None:
        return Files()
    if __name__ not in command.meta:
        command.meta[__name__] = Files(fetching, reading())
    found: Files = command.meta[__name__]
    return found


def tables(
    release: str | None, schemas: tuple[str, ...], config: Sequence[str] = (), *, recursive: bool = False
) -> Tables:
    """The tables of a release, with specifications over them, and the definitions that are in a config below those."""
    from ..offline.tables import tables as tables_of

    return tables_of(release, schemas, files(), config, recursive=recursive, tell=_tell)


def _tell(text: str, important: bool) -> None:
    (console().say if important else console().detail)(text)
