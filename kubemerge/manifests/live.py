"""The live objects in files: manifests, the output of kubectl, and dumps of clusters."""

from __future__ import annotations

from .dumps.logs import without_logs
from .dumps.signs import is_folder_or_archive
from .files import BadFile, expanded, is_address, names
from .kustomize import PREFIX as KUSTOMIZATION
from .objects import read_manifests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .dumps.reading import Dump
    from .files import Files
    from .objects import Manifest


def read_live(paths: Sequence[str], files: Files, *, recursive: bool = False) -> Iterator[Manifest]:
    """The live objects of these paths.

    In a dump, what cannot be read is reported to `files.unread`, and the rest is read.
    """
    for path in paths:
        dump = dump_of(path)
        if dump is not None:
            yield from objects_of(dump, files)
            continue
        for name in names(path, recursive=recursive):
            dump = dump_of(name) if name != path else None
            if dump is not None:
                yield from objects_of(dump, files)
            else:
                yield from read_manifests([name], files, prepare=without_logs)


def dump_of(path: str) -> Dump | None:
    """The dump at a path; None for other files and folders."""
    if path == "-" or is_address(path) or path.startswith(KUSTOMIZATION):
        return None
    if not is_folder_or_archive(expanded(path)):
        return None
    from .dumps.reading import dump_at

    return dump_at(path)


def path_of(source: str) -> str:
    """The path to pass for an object's place: the archive of a file in an archive, else the file."""
    import os

    path = source
    while path and not os.path.isfile(path):  # noqa: PTH113
        path = os.path.dirname(path)  # noqa: PTH120
    return path or source


def objects_of(dump: Dump, files: Files) -> Iterator[Manifest]:
    """The objects of a dump."""

    def failed(error: Exception) -> None:
        raise error

    yield from dump.objects(files.unread or failed)
    if files.on_dump:
        files.on_dump(dump)


def contents_of(path: str) -> Iterator[tuple[str, bytes]]:
    """The files with objects in a dump at a path; none if there is no dump, or it cannot be read."""
    try:
        dump = dump_of(path)
    except BadFile:
        return
    if dump is not None:
        yield from dump.contents(lambda _: None)
