"""Resolve paths to files and read them: files, folders, globs, standard input and addresses."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress

from codegen.credentials import without_credentials
from codegen.documents.limits import MAX_BYTES
from codegen.trees import leads_out, read_at_most, tree_of
from engine import MergeError

from ..apiserver.text.text import shown
from . import kustomize
from .kustomize import PREFIX as KUSTOMIZATION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    Progress = Callable[[str, int, int | None], None]

ENDINGS = (".json", ".yaml", ".yml")
"""Extensions of files that are read in a folder. A file that is named is read with any extension."""

STDIN = "standard input"
_MAGIC = frozenset("*?[")


class BadFile(MergeError):
    """A path that cannot be read."""


class Files:
    """The input files of one command. It allows standard input once, and keeps content that it had to read ahead.

    `fetching` shows the progress of a download, and `reading` the progress through the objects of a file. `unread` is
    called for a file of a dump that cannot be read; without it, that is an error. `on_dump` is called after a dump.
    """

    unread: Callable[[MergeError], None] | None = None
    on_dump: Callable[[Any], None] | None = None

    def __init__(
        self,
        fetching: Callable[[], AbstractContextManager[Progress | None]] = nullcontext,
        reading: Progress | None = None,
    ) -> None:
        self._fetching, self.reading = fetching, reading
        self._stdin_taken = False
        self._kept: dict[str, bytes | MergeError] = {}

    def contents(self, paths: Sequence[str], *, recursive: bool = False) -> Iterator[tuple[str, bytes]]:
        """The name and the bytes of every selected file, one file at a time, in a stable order."""
        for path in paths:
            for name in names(path, recursive=recursive):
                yield self.content(name)

    def content(self, name: str) -> tuple[str, bytes]:
        """The display name of one of `names`, and its bytes."""
        kept = self._kept.pop(name, None)
        if isinstance(kept, MergeError):
            raise kept
        return display_name(name), self._read(name) if kept is None else kept

    def ahead(self, paths: Sequence[str], *, recursive: bool = False) -> Iterator[tuple[str, bytes]]:
        """The same, ahead of `contents`.

        Content that can only be read once is kept for `contents`, which also reports the failures.
        """
        for path in paths:
            found: list[str] = []
            with suppress(MergeError):
                found = names(path, recursive=recursive)
            for name in found:
                read = self._ahead(name)
                if isinstance(read, bytes):
                    yield display_name(name), read

    def _ahead(self, name: str) -> bytes | MergeError:
        """The bytes of a file, or the error."""
        read: bytes | MergeError
        try:
            read = self._read(name)
        except MergeError as error:
            read = error
        if not os.path.isfile(name):  # noqa: PTH113
            self._kept[name] = read
        return read

    def take_stdin(self) -> None:
        """Reject a second `-` on one command line, because the first has read everything."""
        if self._stdin_taken:
            raise BadFile(f"{STDIN} can be read only once. Use `-` only once")
        self._stdin_taken = True

    def _read(self, name: str) -> bytes:
        if is_address(name):
            return self._fetched(name)
        if name.startswith(KUSTOMIZATION):
            return kustomize.build(name)
        if name == "-":
            self.take_stdin()
        try:
            if name == "-":
                data = sys.stdin.buffer.read(MAX_BYTES + 1)
            else:
                with open(name, "rb", buffering=0) as stream:  # noqa: PTH123 - pathlib takes a while to import
                    data = read_at_most(stream, MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "the path contains an invalid character"
            raise BadFile(f"{name}: {reason or error}. Pass a readable file") from None
        if len(data) > MAX_BYTES:
            raise BadFile(f"{name}: more than {MAX_BYTES // 2**20} MiB. Split it into several files")
        return data

    def _fetched(self, address: str) -> bytes:
        from codegen.sources.fetch import Fetch

        with self._fetching() as progress:
            return Fetch(progress=progress).get(address)


def display_name(name: str) -> str:
    """The name of a file in messages."""
    return STDIN if name == "-" else shown(without_credentials(name) if is_address(name) else name)


# ---- file selection -------------------------------------------------------------------------------------------------


def expanded(path: str) -> str:
    """A path with `~` expanded, unless a file has exactly this name."""
    return path if os.path.lexists(path) else os.path.expanduser(path)  # noqa: PTH111


def names(path: str, *, recursive: bool = False) -> list[str]:
    """The names of all files that a path selects. `Files.contents` reads exactly these."""
    if path == "-" or is_address(path) or path.startswith(KUSTOMIZATION):
        return [path]
    place = expanded(path)
    if os.path.isdir(place):  # noqa: PTH112
        found = list(_folder(place, recursive, Tree(place)))
        hint = "" if recursive else " (-R also reads subfolders)"
        return found or _nothing(f"{path}: the folder contains no {', '.join(ENDINGS)} file{hint}")
    if "," in path and not os.path.exists(place):  # noqa: PTH110
        return [name for part in path.split(",") for name in names(part, recursive=recursive)]
    if os.path.exists(place) or not _MAGIC.intersection(place):  # noqa: PTH110
        return [place]
    import glob

    found = sorted(name for name in glob.glob(place, recursive=True) if os.path.isfile(name))  # noqa: PTH113, PTH207
    # `**` follows links, so a file may be found by several names.
    once = list({os.path.realpath(name): name for name in reversed(found)}.values())[::-1]
    return once or _nothing(f"{path}: no file matches. Check the pattern")


def _nothing(problem: str) -> list[str]:
    raise BadFile(problem)


def _folder(place: str, recursive: bool, tree: Tree) -> Iterator[str]:
    """The files of a folder and its subfolders by name, in kubectl's order.

    A link may lead anywhere within the same tree, but not outside, so that files of a repository cannot reach other
    files.
    """
    try:
        with os.scandir(place) as folder:
            entries = sorted(folder, key=lambda entry: entry.name)
    except OSError as error:
        raise BadFile(f"{place}: {error.strerror or error}. Pass a readable folder") from None
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if recursive:
                yield from _folder(entry.path, recursive, tree)
        elif entry.name.endswith(ENDINGS):
            is_link = entry.is_symlink()  # unlike of a link, the type of a file is known from the listing of its folder
            if is_link and os.path.isdir(entry.path):  # noqa: PTH112
                continue
            is_file = os.path.isfile(entry.path) if is_link else entry.is_file()  # noqa: PTH113
            if not is_file and os.path.exists(entry.path):  # noqa: PTH110
                raise BadFile(f"{entry.path}: a pipe or device in a folder is not read. Pass it by name, or remove it")
            tree.refuse_outside(entry.path, is_link=is_link)
            yield entry.path


class Tree:
    """A folder tree that none of its files may leave, as a link or through one."""

    def __init__(self, folder: str) -> None:
        self._top = tree_of(folder)
        self._inside: set[str] = set()

    def refuse_outside(self, path: str, *, is_link: bool | None = None) -> None:
        """Reject a file that leads out of the tree. `is_link` is whether it is a link, if that is known."""
        folder = os.path.dirname(path)  # noqa: PTH120 - called for each of many files
        if folder not in self._inside:
            self._refuse(folder or ".", path)
            self._inside.add(folder)
        if os.path.islink(path) if is_link is None else is_link:  # noqa: PTH114
            self._refuse(path, path)

    def _refuse(self, part: str, path: str) -> None:
        if leads_out(part, self._top):
            raise BadFile(f"{path}: the link leads out of {shown(self._top)}. Pass the file itself")


def is_address(path: str) -> bool:
    """Whether a path is an address to fetch."""
    return path.startswith(("http://", "https://"))
