"""The file tree of a path, links that lead out of it, and bounded reads of regular files.

Every command imports this module, so it has few imports.
"""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

_CHUNK = 1 << 20


def read_regular(path: str, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; an OSError for anything else, such as a pipe."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "this is not a regular file", path)
        if found.st_size > limit:
            raise OSError(errno.EFBIG, f"the file has more than {limit // 2**20} MiB", path)
        return read_at_most(stream, limit)


def read_at_most(stream: BinaryIO, limit: int) -> bytes:
    """The content of a file, up to `limit` bytes. `read` allocates all bytes that it may return."""
    size = os.fstat(stream.fileno()).st_size
    data = stream.read(min(size + 1, limit))
    if len(data) in (size, limit):
        return data
    parts, total = [data], len(data)  # a pipe, or a file that changes
    while total < limit and (more := stream.read(min(_CHUNK, limit - total))):
        parts.append(more)
        total += len(more)
    return b"".join(parts)


def tree_of(folder: str) -> str:
    """The tree of a folder: its repository; outside a repository the working directory, or the folder itself."""
    folder = os.path.abspath(folder)  # noqa: PTH100 - links are not resolved, on purpose
    at = folder
    while not os.path.lexists(os.path.join(at, ".git")):  # noqa: PTH118
        above = os.path.dirname(at)  # noqa: PTH120
        if above == at:
            here = os.getcwd()  # noqa: PTH109
            return here if folder.startswith(here.rstrip(os.sep) + os.sep) else folder
        at = above
    return at


def leads_out(path: str, tree: str) -> bool:
    """True if a path leads out of a tree once all links are followed."""
    top, real = os.path.realpath(tree), os.path.realpath(path)
    return real != top and not real.startswith(top.rstrip(os.sep) + os.sep)
