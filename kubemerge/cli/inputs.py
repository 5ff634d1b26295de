"""Inputs of the running command: its files, standard input (only once) and merge tables."""

from __future__ import annotations

from ..manifests.files import Files
from .running import running
from .terminal.console import console
from .terminal.progress import fetching, reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Tables

    from ..offline.tables import Schemas


def files() -> Files:
    """The running command's files, one shared instance. A progress line shows how far they have been read."""
    command = running()
    if command is None:
        return Files()
    if command.files is None:
        command.files = Files(fetching, reading())
    found: Files = command.files
    return found


def tables(release: str | None, specifications: Sequence[str]) -> Tables:
    """The tables of a release with specifications laid over them."""
    from ..offline.tables import tables as tables_of

    return tables_of(release, specifications, files())


def schemas(
    release: str | None, specifications: Sequence[str], config: Sequence[str] = (), *, recursive: bool = False
) -> Schemas:
    """The schemas of the objects of a config. Definitions in it are reported."""
    from ..offline.tables import schemas as schemas_of

    return schemas_of(release, specifications, files(), config, recursive=recursive, tell=tell)


def tell(text: str, important: bool) -> None:
    """Print which inputs were read. Unimportant ones are printed only with -v."""

    (console().say if important else console().detail)(text)
