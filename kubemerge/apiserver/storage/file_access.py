"""Permissions and identity of a cluster's file."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from .file_errors import has_other_names, is_mounted_alone, replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LOGS = ("-wal", "-journal")
"""The suffixes of SQLite's files for data that is not in the main file yet."""
_BESIDE = (*LOGS, "-shm")
_FOLDER, _FILE = 0o700, 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class OpenFile:
    """An open file. Its identity is checked here, because SQLite does not check it.

    A read-only file without a log must not change: SQLite opens it as immutable, and would not notice a change.
    """

    def __init__(self, file: str, path: str, *, immutable: bool = False) -> None:
        self._file, self._path, self._immutable = file, path, immutable
        state = self._look()
        if state is None:
            raise replaced(file)
        self._state = state
        self.key = state[:2]

    def check(self) -> None:
        """Fail if another file has the name, or if an immutable file changed."""
        if self._look() != self._state:
            raise replaced(self._file)

    def _look(self) -> tuple[int, ...] | None:
        try:
            found = os.stat(self._path)  # noqa: PTH116 - pathlib takes a while to import
        except OSError:
            return None
        more = (found.st_size, found.st_mtime_ns, int(has_log(self._path))) if self._immutable else ()
        return (found.st_dev, found.st_ino, *more)


def has_log(path: str) -> bool:
    """Whether data next to the file is not in it yet."""
    return any(os.path.exists(path + ending) for ending in LOGS)  # noqa: PTH110


# ---- names ----------------------------------------------------------------------------------------------------------


def reject_hard_links(file: str, path: str) -> None:
    """Reject a file with two names: each folder would have a separate log."""
    if os.stat(path).st_nlink > 1:  # noqa: PTH116
        raise has_other_names(file)
    if _is_mounted(path):
        raise is_mounted_alone(file)


def _is_mounted(path: str) -> bool:
    escaped = os.fsencode(path)
    for character in (b"\\", b" ", b"\t", b"\n"):
        escaped = escaped.replace(character, b"\\%03o" % ord(character))
    mounts = _mounts()
    return escaped in mounts and any(line.split()[4:5] == [escaped] for line in mounts.splitlines())


def _mounts() -> bytes:
    """The mount table of Linux. Empty on other systems."""
    try:
        with open("/proc/self/mountinfo", "rb") as stream:  # noqa: PTH123
            return stream.read()
    except OSError:
        return b""


# ---- permissions ----------------------------------------------------------------------------------------------------


def make_folder(folder: str) -> None:
    """Create a folder that only its owner can enter, if it is missing."""
    try:
        os.mkdir(folder, _FOLDER)  # noqa: PTH102
    except FileExistsError:
        return
    os.chmod(folder, _FOLDER)  # noqa: PTH101 - the umask may have taken something from the owner


def make_file(path: str) -> None:
    """Create an empty file that only its owner can read, if it is missing. SQLite copies its permissions."""
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _FILE)
    except FileExistsError:
        return
    os.close(handle)
    os.chmod(path, _FILE)  # noqa: PTH101 - the umask may have taken something from the owner


def restrict_to_owner(path: str, folder: str | None) -> bool:
    """Restrict a file, and its folder if that is ours, to the owner. Return whether others had access."""
    changed = False
    for one in (path, *(path + ending for ending in _BESIDE), *([folder] if folder else [])):
        for mode in _open_to_others(one):
            with suppress(OSError):
                os.chmod(one, mode & ~_OTHERS)  # noqa: PTH101
                changed = True
    return changed


def _open_to_others(path: str) -> Iterator[int]:
    """The permissions of a file of this user if others have any."""
    if os.name != "posix":
        return
    with suppress(OSError):
        found = os.lstat(path)
        mode = stat.S_IMODE(found.st_mode)
        if found.st_uid == os.geteuid() and mode & _OTHERS and not stat.S_ISLNK(found.st_mode):
            yield mode
