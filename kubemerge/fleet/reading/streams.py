"""The content of a file, decompressed while it is read, with a small part in memory at once."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..extra import library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .sources import Source

CHUNK = 1 << 20
LARGEST = 16 << 20
"""Maximum bytes of an object; a server accepts only a few megabytes."""
_BOMB = 1000
"""Maximum ratio of the unpacked and packed size of a file, not counting the first bytes."""
_FREE = 64 << 20
_FED = 1 << 10
"""Packed bytes passed to zstd at once: a block of 128 KiB may be packed into four bytes."""
_WINDOW = 128 << 20
"""Maximum zstd window, which is held in memory."""


class BadStream(MergeError):
    """A truncated file."""


class ReplayStream:
    """A stream with a prefix that has been read already."""

    def __init__(self, first: bytes, rest: Any) -> None:
        self._first, self._rest = first, rest

    def read(self, size: int) -> bytes:
        """The next bytes."""
        first, self._first = self._first, b""
        found: bytes = first or self._rest.read(size)
        return found


class _Limited:
    """The content of a packed file, limited in proportion to its size."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._left = stream, most

    def read(self, size: int) -> bytes:
        """The next bytes."""
        found: bytes = self._stream.read(size)
        self._left -= len(found)
        if self._left < 0:
            raise BadStream(
                f"its content is over {_BOMB} times larger than the file. Unpack it first if that is intended"
            )
        return found


@contextmanager
def opened(source: Source) -> Iterator[Any]:
    """The content of a file, decompressed while it is read."""
    with library("fsspec").open(source.url, "rb") as file:
        if not source.packing:
            yield file
            return
        yield _Limited(_unpacked(file, source.packing), source.size * _BOMB + _FREE)


class _Zstd:
    """The content of a zstd file with all its frames. The library's reader takes a truncated frame for the end."""

    def __init__(self, file: Any) -> None:
        self._file, self._packed = file, b""
        self._frame: Any = None
        self._reader = library("zstandard").ZstdDecompressor(max_window_size=_WINDOW)

    def read(self, _size: int) -> bytes:
        """The next bytes; their number depends on the frame."""
        while True:
            piece, self._packed = self._packed[:_FED], self._packed[_FED:]
            if not piece:
                self._packed = self._file.read(_FED << 5)
                if self._packed:
                    continue
                if self._frame is not None:
                    raise BadStream("the compressed file is truncated")
                return b""
            frame = self._frame = self._frame or self._reader.decompressobj()
            found: bytes = frame.decompress(piece)
            if frame.eof:
                self._packed, self._frame = frame.unused_data + self._packed, None
            if found:
                return found


def _unpacked(file: Any, packing: str) -> Any:
    if packing == "zstd":
        return _Zstd(file)
    import gzip

    return gzip.GzipFile(fileobj=file)


def damages() -> tuple[type[Exception], ...]:
    """The errors for content that cannot be unpacked or parsed: the same each time a file is read.

    Any other error, such as a network error, is not about the content, and may not occur the next time.
    """
    import gzip
    import zlib

    packed = EOFError, gzip.BadGzipFile, zlib.error, library("zstandard").ZstdError
    return *packed, BadStream, library("pyarrow").ArrowException


@contextmanager
def arrow_errors_as_damage() -> Iterator[None]:
    """Report damaged pages as damage: Arrow raises a bare OSError for them."""
    try:
        yield
    except OSError as error:
        if type(error) is not OSError or error.errno is not None:
            raise
        raise BadStream(str(error)) from None


def lines(stream: Any, start: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes | None]]:
    """The lines that begin in the range from `start` to `end`, each with its position; None for too long ones."""
    at, foreign = (start - 1, True) if start else (0, False)
    if at:
        stream.seek(at)
    held, length = b"", 0
    while chunk := stream.read(CHUNK):
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            length += len(piece)
            if not foreign:
                yield at, None if length > LARGEST else held + piece
            at, held, length, foreign = at + length + 1, b"", 0, False
            if end is not None and at >= end:
                return
        length += len(rest)
        held = b"" if length > LARGEST or foreign else held + rest
    if length and not foreign:
        yield at, None if length > LARGEST else held
