"""Dumps of clusters that are folders or archives of files, such as a must-gather or a Velero backup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError

from ...manifests.dumps.containers import DAMAGES, BadArchive, Folder, archive, damaged, walk
from ...manifests.dumps.reading import dump_in
from ..extra import library
from .listing import is_local
from .sources import TREE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...manifests.dumps.containers import Container
    from ...manifests.dumps.reading import Dump
    from .parts import Part
    from .sources import Source

_BLOCK = 16
"""Number of successive files in a block, which belong to one stripe."""


def members(part: Part) -> Iterator[tuple[str, Any, str]]:
    """The files with objects in a part: the name of each, its content as a stream, and a problem instead of both."""
    name = part.source.name
    try:
        dump = dump_of(part.source)
        if not part.stripe:
            yield from (("", None, str(problem)) for problem in dump.problems())
        mine = [one for at, one in enumerate(dump.names) if at // _BLOCK % part.stripes == part.stripe]
        for member, stream in dump.members(mine):
            yield member, stream, ""
    except DAMAGES as error:
        yield "", None, str(damaged(name, error))
    except MergeError as error:
        yield "", None, str(error)


def dump_of(source: Source) -> Dump:
    """The dump in a folder or an archive."""
    system, inside = library("fsspec.core").url_to_fs(source.url)
    container: Container | None
    if source.form == TREE:
        found = walk(inside) if is_local(system) else _listed(system, inside)
        container = Folder(source.name, found, lambda name: system.open(f"{inside}/{name}", "rb"))
    else:
        container = archive(source.name, lambda: system.open(inside, "rb"), source.size)
    if container is None:
        raise BadArchive(f"{source.name}: no tar or zip file. Rename it, or create it again")
    return dump_in(container)


def _listed(system: Any, inside: str) -> Iterator[tuple[str, bool]]:
    for one in sorted(system.find(inside)):
        yield one[len(inside.rstrip("/")) + 1 :], True
