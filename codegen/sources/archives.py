"""One file of an untrusted archive: a tarball or a wheel. Nothing is unpacked to the disk."""

from __future__ import annotations

import gzip
import stat
import tarfile
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, Any

from ..documents.limits import MAX_BYTES
from ..errors import SpecError
from .unpacked import too_large

if TYPE_CHECKING:
    from pathlib import Path

MAX_UNPACKED = 8 * MAX_BYTES
"""The maximum number of bytes to unpack in search of a file."""
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError)
"""The libraries' exceptions for damaged, encrypted or unsupported archives."""


def file_of(archive: Path, path: str, source: str) -> bytes | None:
    """The bytes of one file; None if there is none. A path is relative to the top folder of a tarball."""
    find = _in_wheel if archive.suffix == ".whl" else _in_tarball
    try:
        return find(archive, path, source)
    except _BROKEN as error:
        raise SpecError(source, "an archive that can be read", found=str(error) or type(error).__name__) from None


class _Bounded:
    """The unpacked bytes of a stream, up to a limit."""

    def __init__(self, stream: gzip.GzipFile, source: str) -> None:
        self._stream, self._left, self._source = stream, MAX_UNPACKED, source

    def read(self, size: int) -> bytes:
        """The next bytes; an error beyond the limit."""
        self._left -= size
        if self._left < 0 or size > MAX_BYTES:
            raise too_large(self._source)
        return self._stream.read(size)


def _in_tarball(archive: Path, path: str, source: str) -> bytes | None:
    with archive.open("rb") as file, gzip.GzipFile(fileobj=file) as stream:
        bounded: Any = _Bounded(stream, source)
        return _in_tar(bounded, path, source)


def _in_tar(stream: IO[bytes], path: str, source: str) -> bytes | None:
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            if member.isfile() and member.name.partition("/")[2] == path:
                if member.size > MAX_BYTES:
                    raise too_large(source)
                found = tar.extractfile(member)
                return found.read() if found else b""
    return None


def _in_wheel(archive: Path, path: str, source: str) -> bytes | None:
    with zipfile.ZipFile(archive) as wheel:
        try:
            member = wheel.getinfo(path)
        except KeyError:
            return None
        if stat.S_ISLNK(member.external_attr >> 16):
            return None
        if member.file_size > MAX_BYTES:
            raise too_large(source)
        with wheel.open(member) as stream:
            return stream.read(MAX_BYTES + 1)
