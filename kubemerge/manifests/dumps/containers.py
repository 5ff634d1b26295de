"""Folders, tar and zip files as files in order, read without extracting them.

Archives are untrusted. Nothing is written, so no name can lead anywhere. Links and devices are no files. The number of
files, the size of each and the size of everything after decompression are limited.
"""

from __future__ import annotations

import gzip
import os
import struct
import zipfile
import zlib
from contextlib import closing
from functools import partial

from ...apiserver.text.text import shown
from ..documents import BadManifest
from .signs import GZIP, TAR_AT, ZIP, is_archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

    Open = Callable[[], Any]
    Members = Iterator[tuple[str, Any]]

MOST_FILES = 500_000
"""The maximum number of files in a dump."""
RATIO, FREE = 200, 256 << 20
"""The maximum ratio of the unpacked and the packed size, not counting the first bytes. Logs reach about 30."""
_LONGEST_NAME = 4096
_LONGEST_HEADER = 64 << 10
"""The maximum size of an extended header of a tar file, which contains long names."""
_CHUNK = 1 << 20
_BLOCK = 512
DAMAGES = (
    *(EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, NotImplementedError, RuntimeError),
    *(struct.error, ValueError, OverflowError),
)
"""Errors of damaged or encrypted archives."""


class BadArchive(BadManifest):
    """An archive that is damaged or exceeds a limit."""


class Container:
    """The files of a tree. `odd` are the names of entries that are not read: links, devices and unsafe names."""

    continues = True
    """Whether the files after a damaged one can be read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.odd: list[str] = []
        self.problem: BadManifest | None = None
        """The problem that ends the list of files, such as a truncated archive."""
        self.repeated = 0
        """The number of files that a later one of the same name replaces."""

    def names(self) -> list[str]:
        """The names of all files, in the order in which they are read."""
        raise NotImplementedError

    def read(self, wanted: Collection[str]) -> Members:
        """These files, each with its content as a stream."""
        raise NotImplementedError

    def _kept(self, names: Iterable[tuple[str, bool]]) -> list[str]:
        """The names that are safe and belong to files, each once. A damaged archive ends them."""
        found: dict[str, None] = {}
        try:
            for name, is_file in names:
                plain = name.removeprefix("./")
                if not is_file or not _is_safe(plain):
                    self.odd.append(plain)
                    continue
                self.repeated += plain in found
                found[plain] = None
                if len(found) + len(self.odd) > MOST_FILES:
                    raise BadArchive(f"{self.name}: more than {MOST_FILES:,} files. Remove its logs")
        except BadManifest as error:
            self.problem = error
        except DAMAGES as error:
            self.problem = damaged(self.name, error)
        return [*found]


def damaged(name: str, error: Exception) -> BadArchive:
    """The error for an archive whose rest cannot be read."""
    return BadArchive(f"{name}: the rest of the archive cannot be read: {_why(error)}. Create it again")


def damaged_file(name: str, error: Exception) -> BadArchive:
    """The error for a file that cannot be read, unlike the files after it."""
    return BadArchive(f"{name}: the file cannot be read: {_why(error)}. Create the archive again")


def _why(error: Exception) -> str:
    return "it is cut off" if isinstance(error, EOFError) else shown(str(error)) or type(error).__name__


def _is_safe(name: str) -> bool:
    parts = name.split("/")
    return len(name) <= _LONGEST_NAME and name.isprintable() and "" not in parts and ".." not in parts


class Folder(Container):
    """A folder. `found` lists its files, and `opened` opens one of them by name."""

    def __init__(self, name: str, found: Iterable[tuple[str, bool]], opened: Callable[[str], Any]) -> None:
        super().__init__(name)
        self._found, self._opened = found, opened

    def names(self) -> list[str]:
        """The names of its files, relative to the folder and sorted."""
        return self._kept(self._found)

    def read(self, wanted: Collection[str]) -> Members:
        """These files, opened one after the other."""
        for name in sorted(wanted):
            with closing(_Lazy(partial(self._opened, name))) as stream:
                yield name, stream


class _Lazy:
    """A stream that is opened by its first read, so that an error belongs to this file alone."""

    def __init__(self, opened: Open) -> None:
        self._opened = opened
        self._stream: Any = None

    def read(self, size: int) -> bytes:
        """The next bytes."""
        if self._stream is None:
            self._stream = self._opened()
        found: bytes = self._stream.read(size)
        return found

    def close(self) -> None:
        """Close the stream if it was opened."""
        if self._stream is not None:
            self._stream.close()


def walk(folder: str) -> Iterator[tuple[str, bool]]:
    """The entries of a folder and its subfolders in a stable order, and whether each is a file inside of it.

    Links to files in the folder are files. Links to folders are not followed.
    """
    top = os.path.realpath(folder)
    pending = [""]
    while pending:
        below = pending.pop()
        with os.scandir(os.path.join(folder, below)) as listed:  # noqa: PTH118
            entries = sorted(listed, key=lambda entry: entry.name)
        pending += [f"{below}{one.name}/" for one in reversed(entries) if one.is_dir(follow_symlinks=False)]
        for one in entries:
            if not one.is_dir(follow_symlinks=False):
                yield f"{below}{one.name}", one.is_file() and (not one.is_symlink() or _is_inside(one.path, top))


def _is_inside(path: str, top: str) -> bool:
    return os.path.realpath(path).startswith(top.rstrip(os.sep) + os.sep)


class _Budget:
    """A stream that ends with an error after a number of bytes."""

    def __init__(self, stream: Any, name: str, most: int) -> None:
        self._stream, self._name, self._left = stream, name, most

    def read(self, size: int) -> bytes:
        """The next bytes."""
        found: bytes = self._stream.read(size)
        self._left -= len(found)
        if self._left < 0:
            raise BadArchive(
                f"{self._name}: its content is over {RATIO} times larger than the file. Unpack it if that is intended"
            )
        return found


class Tar(Container):
    """A tar file, which may be compressed with gzip. `opened` opens the file, and `size` is its size."""

    continues = False

    def __init__(self, name: str, opened: Open, size: int) -> None:
        super().__init__(name)
        self._opened, self._size = opened, size
        self._count: dict[str, int] = {}

    def names(self) -> list[str]:
        """The names of its files."""
        return self._kept(self._counted())

    def _counted(self) -> Iterator[tuple[str, bool]]:
        for name, is_file, _ in self._entries():
            self._count[name.removeprefix("./")] = self._count.get(name.removeprefix("./"), 0) + 1
            yield name, is_file

    def read(self, wanted: Collection[str]) -> Members:
        """These files. Of several files with one name, the last is read, as if they were extracted."""
        wanted, left = frozenset(wanted), {name: count for name, count in self._count.items() if count > 1}
        try:
            for name, is_file, content in self._entries():
                plain = name.removeprefix("./")
                if plain in left:
                    left[plain] -= 1
                if is_file and plain in wanted and not left.get(plain):
                    yield plain, content
        except DAMAGES as error:
            raise damaged(self.name, error) from None

    def _entries(self) -> Iterator[tuple[str, bool, _Content]]:
        with self._opened() as raw:
            packed = raw.read(2) == GZIP
            raw.seek(0)
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            yield from _tar_entries(_Budget(stream, self.name, self._size * RATIO + FREE), self.name)


class _Content:
    """The content of one file in a tar file."""

    def __init__(self, stream: _Budget, size: int) -> None:
        self._stream, self._left = stream, size

    def read(self, size: int) -> bytes:
        """The next bytes."""
        found = self._stream.read(min(size, self._left)) if self._left else b""
        if self._left and not found:
            raise EOFError
        self._left -= len(found)
        return found

    def skip(self) -> None:
        """Skip the rest."""
        while self.read(_CHUNK):
            pass


def _tar_entries(stream: _Budget, archive: str) -> Iterator[tuple[str, bool, _Content]]:
    """The entries of a tar file: name, whether it is a file, and content. Long names of GNU and pax are applied."""
    name, size = "", -1
    while True:
        block = _exactly(stream, _BLOCK, may_end=True)
        if not block.strip(b"\0"):
            return
        kind, length = block[156:157], _number(block[124:136])
        if length < 0 or _checksum(block) != _number(block[148:156]):
            raise BadArchive(f"{archive}: the rest of the archive cannot be read: it is damaged. Create it again")
        if kind in b"xXgLK":
            if length > _LONGEST_HEADER:
                raise BadArchive(f"{archive}: the archive has a header of {length} bytes. Create it again")
            text = _exactly(stream, length + -length % _BLOCK)[:length]
            if kind == b"L":
                name = _text(text.rstrip(b"\0"))
            elif kind in b"xX":
                name, size = _pax(text, name, size)
            continue
        length = size if size >= 0 else length
        content = _Content(stream, length)
        called = name or _own_name(block)
        if kind != b"5" and not called.endswith("/"):
            yield called, kind in (b"0", b"\0", b"7"), content
        content.skip()
        _exactly(stream, -length % _BLOCK)
        name, size = "", -1


def _exactly(stream: _Budget, size: int, *, may_end: bool = False) -> bytes:
    found = b""
    while len(found) < size:
        more = stream.read(size - len(found))
        if not more:
            if may_end and not found:
                return b""
            raise EOFError
        found += more
    return found


def _own_name(block: bytes) -> str:
    name, prefix = block[:100].partition(b"\0")[0], block[345:500].partition(b"\0")[0]
    return _text(prefix + b"/" + name if prefix and block[TAR_AT : TAR_AT + 6] == b"ustar\0" else name)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _number(field: bytes) -> int:
    if field[0] & 0x80:
        return int.from_bytes(field[1:], "big") if field[0] == 0x80 else -1
    text = field.strip(b" \0")
    return int(text, 8) if text and not text.strip(b"01234567") else -1 if text else 0


def _checksum(block: bytes) -> int:
    return sum(block[:148]) + sum(block[156:]) + 8 * ord(" ")


def _pax(text: bytes, name: str, size: int) -> tuple[str, int]:
    """The name and the size in an extended header: lines of `LENGTH KEY=VALUE`."""
    at = 0
    while at < len(text):
        length, _, _ = text[at : at + 20].partition(b" ")
        if not length.isdigit() or int(length) <= len(length) + 1:
            break
        key, _, value = text[at + len(length) + 1 : at + int(length)].partition(b"=")
        value = value.removesuffix(b"\n")
        if key == b"path":
            name = _text(value)
        elif key == b"size" and value.isdigit() and len(value) < 20:
            size = int(value)
        at += int(length)
    return name, size


class Zip(Container):
    """A zip file. `opened` opens the file, and `size` is its size."""

    def __init__(self, name: str, opened: Open, size: int) -> None:
        super().__init__(name)
        self._opened, self._size = opened, size

    def names(self) -> list[str]:
        """The names of its files, in the order of their data."""
        return self._kept(self._listed())

    def _listed(self) -> Iterator[tuple[str, bool]]:
        with self._opened() as raw, zipfile.ZipFile(raw) as archive:
            for one in sorted(archive.infolist(), key=lambda one: one.header_offset):
                is_link = one.external_attr >> 28 == 0xA
                if not one.is_dir():
                    yield one.filename, not is_link

    def read(self, wanted: Collection[str]) -> Members:
        """These files. Of several files with one name, the last is read, as if they were extracted."""
        left = self._size * RATIO + FREE
        try:
            with self._opened() as raw, zipfile.ZipFile(raw) as archive:
                for name in wanted:
                    info = archive.NameToInfo.get(name) or archive.NameToInfo.get(f"./{name}")
                    if info is None:
                        continue
                    with closing(_Lazy(partial(archive.open, info))) as stream:
                        yield name, _Budget(stream, self.name, max(0, left))
                    left -= info.file_size
        except DAMAGES as error:
            raise damaged(self.name, error) from None


def archive(name: str, opened: Open, size: int) -> Container | None:
    """The container for a file; None if it is no archive."""
    with opened() as stream:
        head = stream.read(_BLOCK)
    if not is_archive(head):
        return None
    return Zip(name, opened, size) if head.startswith(ZIP) else Tar(name, opened, size)
