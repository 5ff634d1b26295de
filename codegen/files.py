"""Writes that are whole or not at all: of a file, and of a folder. A reader, or a kill, meets the old or the new."""

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
"""The flag that swaps two names, of renameat2 on Linux and of renamex_np on macOS."""


def replace_file(path: Path, text: str, *, private: bool = False, in_tree: bool = False) -> bool:
    """Replace the file if its bytes differ; whether they did.

    A link stays, and the file behind it is replaced; with `in_tree`, only if that is in the same tree. The file keeps
    its permissions; a new one gets what the umask allows. A `private` one is its owner's alone in any case. What is not
    a file is never replaced.
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
            with suppress(OSError):  # only root can give a file away
                os.chown(name, found.st_uid, found.st_gid)
        if private or mode is not None:
            os.chmod(name, (_OWN if mode is None else mode) & ~(_OTHERS if private else 0))  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105 - the name is a str
    return True


class Scratch:
    """A new file that is gone at the end of its context, unless it is to be kept."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.handle = -1
        self.is_kept = False

    def write(self, data: bytes) -> None:
        """Write all of it, once, and have it on the disk."""
        with os.fdopen(self.handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())


@contextmanager
def _new(begin: str, mode: int, end: str = "") -> Iterator[Scratch]:
    """A new file. It is named first: `tempfile` makes one before it tells the name, and an interrupt comes between."""
    found = Scratch(f"{begin}{os.urandom(8).hex()}{end}")
    try:
        found.handle = os.open(found.name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        yield found
    finally:
        if not found.is_kept:
            try:  # noqa: SIM105 - an interrupt breaks `suppress` before it begins
                os.unlink(found.name)  # noqa: PTH108
            except OSError:  # it has another name by now, or was never there
                pass


def scratch_file(begin: str, end: str = "") -> AbstractContextManager[Scratch]:
    """A file that is ours alone, in the folder for temporary files."""
    from tempfile import gettempdir

    return _new(os.path.join(gettempdir(), begin), _OWN, end)  # noqa: PTH118


@contextmanager
def scratch_folder(begin: str) -> Iterator[Path]:
    """An empty folder that only we can enter, in the folder for temporary files; it is gone afterwards."""
    from tempfile import gettempdir

    folder = Path(gettempdir()) / f"{begin}{os.urandom(8).hex()}"
    try:
        os.mkdir(folder, _OWN | stat.S_IXUSR)  # noqa: PTH102
        yield folder
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)  # if an interrupt has broken the first one


def _file_at(path: Path) -> os.stat_result | None:
    """What is known of the file, None if there is none; an error if it is not a file, or must not be written."""
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
    """Write a file that nobody reads yet, and have it on the disk."""
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    path.chmod(0o644)


@contextmanager
def alone(folder: Path, *, reading: bool = False, busy: Exception | None = None) -> Iterator[None]:
    """Have this folder to ourselves: another process that asks for it waits, and a process that is killed lets go.

    `busy` is raised instead of waiting. Those who are only reading do not wait for each other.
    Where folders cannot be locked (Windows, some networks), two processes are not kept apart.
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


class Swap:
    """Replaces the files of a folder that are ours, all at once, and leaves the files of others where they are.

    The new folder is built beside the old one, and the two swap their names. What a killed run left is cleared away by
    the next one.
    """

    def __init__(self, folder: Path, is_ours: Callable[[Path], bool]) -> None:
        self.folder, self.is_ours = folder, is_ours
        self.new, self.old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")

    def clear(self) -> None:
        """Remove what an earlier run left beside the folder; folders of others go back to where they belong."""
        if self.old.is_dir() and not self.folder.exists():  # killed between two renames
            (self.new if self.new.is_dir() else self.old).rename(self.folder)
        for left in (self.new, self.old):
            if left.is_dir():
                self._remove(left)

    def _remove(self, left: Path) -> None:
        """Remove a folder that is half built or replaced: its files are in the other one if they are of others."""
        for entry in sorted(left.iterdir()):
            if entry.name == "__pycache__":
                shutil.rmtree(entry)
            elif entry.is_dir() and not entry.is_symlink():
                entry.rename(self.folder / entry.name)
            else:
                entry.unlink()
        left.rmdir()

    def write(self, files: Mapping[str, bytes]) -> None:
        """Have the folder hold these files, and those of others."""
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
        elif not _swapped(self.new, self.folder):
            self.folder.rename(self.old)
            self.new.rename(self.folder)


def _link_if_same(old: Path, new: Path, data: bytes) -> None:
    """The file `new` with these bytes: the old file itself if it has them, so that its time stays."""
    if old.is_file() and old.read_bytes() == data:
        _link(old, new)
    else:
        write_file(new, data)


def _link(old: Path, new: Path) -> None:
    try:
        os.link(old, new, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without links
        shutil.copy2(old, new, follow_symlinks=False)


def _swapped(one: Path, other: Path) -> bool:
    """Whether the system has swapped two names, which it does in one step if it can."""
    import ctypes

    names = os.fsencode(one), os.fsencode(other)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return int(library.renamex_np(*names, _EXCHANGE)) == 0
        return int(library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE)) == 0
    except (OSError, AttributeError, TypeError):
        return False
