"""What is kept between two commands: the tables that were read of a server's specification, by its hash.

A name in the cache is a hash of what it is about, and a file is only read if it is ours alone. There are no objects in
it and no credentials: what is kept are the rules by which kinds merge.
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
    """A folder of the cache, which only we can enter; None if there cannot be one."""
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
    """The name under which something is kept."""
    return hashlib.sha256("\0".join(about).encode()).hexdigest()


def get(name: str) -> str | None:
    """What is kept under a name; None if nothing is, or if others could have written it."""
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
    """Keep a text; a cache that cannot be written is no reason to fail."""
    where = folder()
    if where is None:
        return
    with suppress(OSError):
        replace_file(where / name, text, private=True)
