"""Inputs of the running command: its files, standard input (only once) and merge tables."""

from __future__ import annotations

from ..apiserver.text.text import how_many
from ..manifests.files import Files
from .running import running
from .terminal.console import console
from .terminal.progress import fetching, reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Tables

    from ..manifests.dumps.reading import Dump
    from ..offline.tables import Schemas


def files() -> Files:
    """The running command's files, one shared instance. A progress line shows how far they have been read."""
    command = running()
    if command is None:
        return Files()
    if command.files is None:
        command.files = Files(fetching, reading())
        command.files.unread, command.files.on_dump = _unread, _tell_dump
    found: Files = command.files
    return found


_MOST_UNREAD = 20
"""The maximum number of problems in dumps that are printed."""


def _unread(error: Exception) -> None:
    """Print a problem in a dump, and count it."""
    command = running()
    if command is None:
        raise error
    command.unread += 1
    if command.unread <= _MOST_UNREAD:
        console().complain(str(error))
    elif command.unread == _MOST_UNREAD + 1:
        command.at_exit.append(lambda: console().complain(f"{command.unread - _MOST_UNREAD} more problems in dumps"))


def _tell_dump(dump: Dump) -> None:
    """Print the facts about a dump that affect the result."""
    import click

    from engine.tables.loading import releases

    from ..manifests.dumps.reading import release_in

    context = click.get_current_context(silent=True)
    asked = context.params.get("release") if context else None
    if dump.version:
        release = release_in(dump.version)
        hint = "" if asked or release == releases()[-1] else f". Pass --release {release} for its rules"
        console().say(f"{dump.name}: {dump.layout.name} of Kubernetes {dump.version}{hint}")
    else:
        console().detail(f"{dump.name}: {dump.layout.name}")
    if dump.redacted:
        secrets = how_many(dump.redacted, "Secret")
        console().say(f"{dump.name}: the values of {secrets} are redacted, so they count as changed")


def tables(release: str | None, specifications: Sequence[str]) -> Tables:
    """The tables of a release with specifications laid over them."""
    from ..offline.tables import tables as tables_of

    return tables_of(release, specifications, files())


def schemas(
    release: str | None,
    specifications: Sequence[str],
    config: Sequence[str] = (),
    *,
    recursive: bool = False,
    live: bool = False,
) -> Schemas:
    """The schemas of the objects of a config, or with `live`, of live objects. Definitions among them are reported."""
    from ..offline.tables import schemas as schemas_of

    return schemas_of(release, specifications, files(), config, recursive=recursive, live=live, tell=tell)


def tell(text: str, important: bool) -> None:
    """Print which inputs were read. Unimportant ones are printed only with -v."""

    (console().say if important else console().detail)(text)
