"""The cache of tables from server specifications, by their hash.

A name in the cache is a hash, and a file is only read if nobody else could write it. The cache contains merge rules
only, neither objects nor credentials.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from codegen.files import replace_file

FOLDER = "kubemerge"
LARGEST = 32 * 2**20
_PRIVATE_FOLDER = 0o700


def folder(called: str = "openapi") -> Path | None:
    """Return a folder of the cache that only the user can enter. None if it cannot be created."""
    base = os.environ.get("XDG_CACHE_HOME") or ""
    try:
        root = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
        found = root / FOLDER / called
        for one in (root / FOLDER, found):
            one.mkdir(mode=_PRIVATE_FOLDER, parents=one.parent == root, exist_ok=True)
            if not _is_ours(one.stat(follow_symlinks=False)) or one.is_symlink():
                return None
            one.chmod(_PRIVATE_FOLDER)
    except (OSError, RuntimeError):
        return None
    return found


def _is_ours(found: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or found.st_uid == os.getuid()


def name_of(*about: str) -> str:
    """Return the name of a cache entry."""
    return hashlib.sha256("\0".join(about).encode()).hexdigest()


def get(name: str) -> str | None:
    """Return a cached text. None if it is missing, or if others could have written it."""
    where = folder()
    if where is None:
        return None
    try:
        handle = os.open(where / name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(stream.fileno())
        others = stat.S_IMODE(found.st_mode) & 0o077
        if not stat.S_ISREG(found.st_mode) or not _is_ours(found) or (others and os.name == "posix"):
            return None
        try:
            return stream.read(LARGEST).decode()
        except (OSError, UnicodeDecodeError):
            return None


def put(name: str, text: str) -> None:
    """Store a text. Failures are ignored."""
    where = folder()
    if where is None:
        return
    with suppress(OSError):
        replace_file(where / name, text, private=True)
