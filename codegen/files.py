"""Atomic replacement of files and folders. A reader, or a kill, sees either the old or the new content."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .trees import leads_out, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

_ALL, _OWN = 0o666, 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_HERE = -100
"""Linux: the path is relative to the working directory (AT_FDCWD)."""
_EXCHANGE = 2
"""The flag to swap two names, in renameat2 on Linux and renamex_np on macOS."""


def replace_file(path: Path, text: str, *, private: bool = False, in_tree: bool = False) -> bool:
    """Replace the file if its bytes differ; return True if they did.

    A link stays, and its target is replaced; with `in_tree`, only if the target is in the same tree. The file keeps its
    permissions; a new one gets those of the umask. Only its owner can read a `private` one. Only regular files are
    replaced.
    """
    if in_tree and leads_out(str(path), tree_of(str(path.parent))):
        raise OSError(errno.EPERM, "the link leads out of its repository or folder", str(path))
    data = text.encode()
    found = _file_at(path)
    mode = None if found is None else stat.S_IMODE(found.st_mode)
    if mode is not None and path.read_bytes() == data and not (private and mode & _OTHERS):
        return False
    path = Path(os.path.realpath(path))
    with _new(str(path.with_name(".kubemerge-")), _OWN if private or found else _ALL) as new:
        name = new.name
        new.write(data)
        if found and os.name == "posix":
            with suppress(OSError):  # only root can change the owner of a file
                os.chown(name, found.st_uid, found.st_gid)
        if private or mode is not None:
            os.chmod(name, (_OWN if mode is None else mode) & ~(_OTHERS if private else 0))  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105 - the name is a str
    return True


class Scratch:
    """A new file that is removed at the end of its context, unless it is kept."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.handle = -1
        self.is_kept = False

    def write(self, data: bytes) -> None:
        """Write all bytes and flush them to the disk."""
        with os.fdopen(self.handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())


@contextmanager
def _new(begin: str, mode: int, end: str = "") -> Iterator[Scratch]:
    """A new file. Its name is chosen first: an interrupt could come before `tempfile` returns a created one."""
    found = Scratch(f"{begin}{os.urandom(8).hex()}{end}")
    try:
        found.handle = os.open(found.name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        yield found
    finally:
        if not found.is_kept:
            try:  # noqa: SIM105 - an interrupt breaks `suppress` before it begins
                os.unlink(found.name)  # noqa: PTH108
            except OSError:  # it was renamed, or never created
                pass


def scratch_file(begin: str, end: str = "") -> AbstractContextManager[Scratch]:
    """A private file in the folder for temporary files."""
    from tempfile import gettempdir

    return _new(os.path.join(gettempdir(), begin), _OWN, end)  # noqa: PTH118


@contextmanager
def scratch_folder(begin: str) -> Iterator[Path]:
    """A private empty folder in the folder for temporary files; removed afterwards."""
    from tempfile import gettempdir

    folder = Path(gettempdir()) / f"{begin}{os.urandom(8).hex()}"
    try:
        os.mkdir(folder, _OWN | stat.S_IXUSR)  # noqa: PTH102
        yield folder
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)  # if an interrupt broke the first one


def _file_at(path: Path) -> os.stat_result | None:
    """The file's status; None if there is no file, an error if it is not a regular file or is read-only."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a file", str(path))
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return found


def write_file(path: Path, data: bytes) -> None:
    """Write a file that has no readers yet, and flush it to the disk."""
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    path.chmod(0o644)


@contextmanager
def lock_folder(folder: Path, *, reading: bool = False, busy: Exception | None = None) -> Iterator[None]:
    """Lock this folder: other processes wait, and a killed process releases it.

    `busy` is raised instead of waiting. Readers (`reading`) do not wait for each other. Where folders cannot be locked
    (Windows, some networks), processes are not separated.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if reading else fcntl.LOCK_EX) | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError:
            if busy:
                raise busy from None
        except OSError:
            pass
        yield
    finally:
        os.close(handle)


class FolderSwap:
    """Replaces our files of a folder, all at once, and leaves other files alone.

    The new folder is built beside the old one, and the two swap their names. The next run removes the remains of a
    killed run.
    """

    def __init__(self, folder: Path, is_ours: Callable[[Path], bool]) -> None:
        self.folder, self.is_ours = folder, is_ours
        self.new, self.old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")

    def clear(self) -> None:
        """Remove the remains of an earlier run beside the folder; folders of others are moved back."""
        if self.old.is_dir() and not self.folder.exists():  # killed between two renames
            (self.new if self.new.is_dir() else self.old).rename(self.folder)
        for left in (self.new, self.old):
            if left.is_dir():
                self._remove(left)

    def _remove(self, left: Path) -> None:
        """Remove an incomplete or replaced folder; the files of others are in the remaining one."""
        for entry in sorted(left.iterdir()):
            if entry.name == "__pycache__":
                shutil.rmtree(entry)
            elif entry.is_dir() and not entry.is_symlink():
                entry.rename(self.folder / entry.name)
            else:
                entry.unlink()
        left.rmdir()

    def write(self, files: Mapping[str, bytes]) -> None:
        """Make the folder contain these files and those of others."""
        self.new.mkdir()
        try:
            for name, data in files.items():
                _link_if_same(self.folder / name, self.new / name, data)
            for entry in self.folder.iterdir() if self.folder.exists() else ():
                if entry.is_symlink() or (entry.is_file() and not self.is_ours(entry)):
                    _link(entry, self.new / entry.name)
            self._put_in_place()
        finally:
            self.clear()

    def _put_in_place(self) -> None:
        """Give the new folder the name of the old one, in one step if the system can."""
        if not self.folder.exists():
            self.new.rename(self.folder)
        elif not _swap(self.new, self.folder):
            self.folder.rename(self.old)
            self.new.rename(self.folder)


def _link_if_same(old: Path, new: Path, data: bytes) -> None:
    """Create `new` with these bytes: a link to the old file if it has them, so that its time stays."""
    if old.is_file() and old.read_bytes() == data:
        _link(old, new)
    else:
        write_file(new, data)


def _link(old: Path, new: Path) -> None:
    try:
        os.link(old, new, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without links
        shutil.copy2(old, new, follow_symlinks=False)


def _swap(one: Path, other: Path) -> bool:
    """Swap two names in one step; False if the system cannot."""
    import ctypes

    names = os.fsencode(one), os.fsencode(other)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return int(library.renamex_np(*names, _EXCHANGE)) == 0
        return int(library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE)) == 0
    except (OSError, AttributeError, TypeError):
        return False
