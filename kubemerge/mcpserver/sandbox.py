"""Files below the root, which are the only files that a tool reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codegen.trees import leads_out, read_regular
from engine import MergeError

from ..apiserver.text.text import shown
from ..manifests.files import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 4 << 20
"""Maximum size of one file, of a pasted document, and of all inputs of a call."""
MOST_FILES = 500
MOST_ENTRIES = 20_000
"""Maximum number of files and folders that are visited in a folder."""


class Sandbox:
    """The files below a folder. Links out of it are rejected."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)

    def read(self, path: str) -> Iterator[tuple[str, bytes]]:
        """The file at a path, or the manifests in the folder at it and in its subfolders, each with its name.

        Each file is read when it is requested, so a caller can stop at its limit.
        """
        place = self._inside(path)
        if not os.path.isdir(place):  # noqa: PTH112
            yield path, self._content(path, place)
            return
        found = [*self._manifests(place)]
        if not found:
            raise MergeError(f"{path}: the folder contains no {', '.join(ENDINGS)} file")
        for name in found:
            yield name, self._content(name, self._inside(name))

    def _inside(self, path: str) -> str:
        """The real path of a file."""
        if "\0" in path or not path:
            raise MergeError(f"{path!r} is not a path. Pass a path relative to the root")
        place = os.path.join(self._root, path)  # noqa: PTH118 - also takes an absolute path
        if leads_out(place, self._root):
            raise MergeError(
                f"{shown(path)}: outside of the root. Pass a path below it, or start the server with another root"
            )
        return os.path.realpath(place)

    def _manifests(self, folder: str) -> Iterator[str]:
        """The manifests in a folder, relative to the root. Hidden files and linked folders are skipped."""
        count = visited = 0
        for at, folders, names in os.walk(folder):
            visited += len(folders) + len(names)
            if visited > MOST_ENTRIES:
                raise MergeError(f"the folder contains more than {MOST_ENTRIES} files and folders. Pass a subfolder")
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for name in sorted(names):
                if name.endswith(ENDINGS) and not name.startswith("."):
                    count += 1
                    if count > MOST_FILES:
                        raise MergeError(f"the folder contains more than {MOST_FILES} manifests. Pass a subfolder")
                    yield os.path.relpath(os.path.join(at, name), self._root)  # noqa: PTH118

    def _content(self, name: str, place: str) -> bytes:
        try:
            return read_regular(place, MOST_BYTES)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            raise MergeError(f"{shown(name)}: {reason or 'it cannot be read'}. Pass a readable file") from None
