"""The objects in a stream of JSON: whole documents, and the items of Lists one by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .streams import CHUNK, LARGEST, ReplayStream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Others = Callable[[Any], Iterator[bytes | None]]

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|"', re.DOTALL)
_ITEMS = re.compile(rb'"items"\s*:\s*$')
_TYPED = re.compile(rb'"kind"\s*:\s*"\w+List"')
_BETWEEN = b" \t\r\n,\x1e"
_ODD = re.compile(rb"(?<!\\)(?:\\\\)*\\$")
_GAP = re.compile(rb"[ \t\r\n,\x1e]*(?={)")
_HEAD = re.compile(rb'{\s*"[^"\\]*"')
"""The beginning of an object, up to its first key."""
_STRING = re.compile(rb'"[^"]*"')
_IGNORED = bytes({*range(256)} - {*b'{}[]"\0'})
_TRIES = 16
"""Number of places that are tried as the end of an item: entries of managedFields begin like objects, too."""


def json_items(stream: Any, otherwise: Others | None = None) -> Iterator[bytes | None]:
    """The text of each object; other values unchanged, and None for an object that is too long.

    Items of a typed list, such as a PodList, may have no kind. Each is yielded as a list with one item. `otherwise`
    reads the first value that is not an object, and the data after it.
    """
    scanner = _Scanner(stream, strict=otherwise is not None)
    try:
        yield from scanner.items()
    except _NoObject:
        if otherwise is not None:
            yield from otherwise(scanner.rest())


class _NoObject(Exception):
    """Another value was found between two objects."""


class _Scanner:
    def __init__(self, stream: Any, *, strict: bool) -> None:
        self._stream, self._strict = stream, strict
        self._text = b""
        self._from = 0
        """The beginning of the value that is being read, or of the gap between values."""
        self._depth = 0
        self._level = 0
        """The depth at which objects begin: 0, and 2 in a List."""
        self._tail = False
        """Whether the position is in a List after its items."""
        self._around = (b"", b"")
        self._too_long = False
        self._end = b""
        """The text between the last two items: a closing brace, the gap, and the beginning of an item."""

    def items(self) -> Iterator[bytes | None]:
        """Yield the contents of the stream."""
        at = 0
        while chunk := self._stream.read(CHUNK):
            self._text += chunk
            while token := _TOKEN.search(self._text, at):
                if token[0] == b'"':  # the string is incomplete
                    at = token.start()
                    break
                at = token.end()
                if token[0] in b"{[":
                    yield from self._opens(token.start(), token[0])
                elif token[0] in b"}]":
                    yield from self._closes(token.start())
                    if self._depth == self._level == 2:
                        yield from self._similar()
                        at = max(at, self._from)
            else:
                at = len(self._text)
            self._check(at)
            at = self._trimmed(at)
        if self._depth and not self._tail:
            yield None if self._too_long else self._text[self._from :]
        elif not self._depth:
            yield from self._between(len(self._text))

    def _similar(self) -> Iterator[bytes | None]:
        """Yield the next items of a List without tokenizing them, as long as they begin like the item before."""
        while gap := _GAP.match(self._text, self._from):
            head = _HEAD.match(self._text, gap.end())
            if not head:
                return
            expected, self._end = self._end, b"}" + gap[0] + head[0]
            end = self._end_of(gap.end()) if expected == self._end else -1
            if end < 0:
                return
            text, self._from = self._text[gap.end() : end], end
            yield text.join(self._around)

    def _end_of(self, begin: int) -> int:
        """The end of the item that begins at a place; -1 if it is not found after a few tries."""
        end = begin
        for _ in range(_TRIES):
            end = self._text.find(self._end, end) + 1
            if not 0 < end <= begin + LARGEST:
                break
            if _is_object(self._text[begin:end]):
                return end
        return -1

    def _opens(self, place: int, sign: bytes) -> Iterator[bytes | None]:
        if self._depth == self._level:
            yield from self._between(place)
        elif self._depth == 1 and not self._tail and sign == b"[" and self._is_list(place):
            head = self._text[self._from : place]
            self._around = (head + b"[", b"]}") if _TYPED.search(head) else (b"", b"")
            self._from, self._level = place + 1, 2
        self._depth += 1

    def _is_list(self, place: int) -> bool:
        return self._level == 0 and bool(_ITEMS.search(self._text, max(self._from, place - 64), place))

    def _closes(self, place: int) -> Iterator[bytes | None]:
        if self._depth == self._level == 2:
            yield from self._between(place)
            self._from, self._level, self._depth, self._tail = place + 1, 0, 1, True
        elif self._depth:
            self._depth -= 1
            if self._depth == self._level:
                text, self._from = self._text[self._from : place + 1], place + 1
                if not self._tail:
                    around = self._around if self._level else (b"", b"")
                    yield None if self._too_long else text.join(around)
                self._tail = self._too_long = False

    def rest(self) -> ReplayStream:
        """A stream of the remaining data."""
        return ReplayStream(self._text[self._from :], self._stream)

    def _check(self, place: int) -> None:
        if self._strict and not self._depth and self._text[self._from : place].strip(_BETWEEN):
            raise _NoObject

    def _between(self, place: int) -> Iterator[bytes | None]:
        self._check(place)
        gap, self._from = self._text[self._from : place].strip(_BETWEEN), place
        if gap:
            yield None if self._too_long else gap
        self._too_long = False

    def _trimmed(self, at: int) -> int:
        """Drop the data that is no longer needed, and return the new position."""
        if len(self._text) - at > LARGEST:  # inside one string
            self._text = self._text[: at + 1] + (b"\\" if _ODD.search(self._text[-64:]) else b"")
            self._too_long = True
        if self._tail:
            self._from = at
        elif at - self._from > LARGEST or self._too_long:
            self._from, self._too_long = at, True
        begin = min(self._from, at)
        self._text, self._from = self._text[begin:], self._from - begin
        return at - begin


def _is_object(text: bytes) -> bool:
    """Whether a text that begins and ends with a brace has one object: the brackets inside are in pairs.

    Also False if that is not certain.
    """
    if b"\\" in text:
        if b"\0" in text:
            return False
        if b"\\\\" in text:
            text = text.replace(b"\\\\", b"\0")
        text = text.replace(b'\\"', b"\0")
    found = _STRING.sub(b"", text[1:-1].translate(None, _IGNORED).replace(b'""', b""))
    while found:
        rest = found.replace(b"{}", b"").replace(b"[]", b"")
        if len(rest) == len(found):
            return False
        found = rest
    return True
