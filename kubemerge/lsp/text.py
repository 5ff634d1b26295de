"""A document as text: offsets, lines and positions of the protocol, and changes by the client."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

_BREAK = re.compile("\r\n|\n|\r")
"""The line breaks of the protocol. YAML and Python have more."""
UTF_8, UTF_16, UTF_32 = "utf-8", "utf-16", "utf-32"


class Place(NamedTuple):
    """A position of the protocol: a line, and code units in it, both counted from 0."""

    line: int
    character: int


class Span(NamedTuple):
    """A range of offsets. The end is exclusive."""

    start: int
    end: int


class Change(NamedTuple):
    """A change by the client. Without a start and an end, the text is the whole document."""

    start: Place | None
    end: Place | None
    text: str


def units(text: str, encoding: str) -> int:
    """The number of code units of a text."""
    if encoding == UTF_32 or text.isascii():
        return len(text)
    if encoding == UTF_8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(letter > "\uffff" for letter in text)


class Text:
    """An immutable text of a document."""

    def __init__(self, text: str, encoding: str = UTF_16) -> None:
        self.text, self.encoding = text, encoding
        self._starts = [0, *(found.end() for found in _BREAK.finditer(text))]

    @cached_property
    def data(self) -> bytes:
        """The bytes of the text. Lone surrogates stay, so that they are reported as invalid UTF-8."""
        return self.text.encode("utf-8", "surrogatepass")

    @property
    def line_count(self) -> int:
        """The number of lines. A text that ends with a line break has an empty last line."""
        return len(self._starts)

    def end_of(self, number: int) -> int:
        """The offset of the end of a line, before its break."""
        if number + 1 == len(self._starts):
            return len(self.text)
        end = self._starts[number + 1]
        return end - (2 if self.text[end - 2 : end] == "\r\n" else 1)

    def line_at(self, offset: int) -> int:
        """The line with an offset."""
        return bisect_right(self._starts, offset) - 1

    def offset(self, place: Place) -> int:
        """The offset of a position. Positions beyond the end of a line or of the text are clamped."""
        if place.line < 0:
            return 0
        if place.line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[place.line], self.end_of(place.line)
        wanted = max(place.character, 0)
        if self.encoding == UTF_32 or self.text[start:end].isascii():
            return min(start + wanted, end)
        count = 0
        for at in range(start, end):
            if count >= wanted:
                return at
            count += units(self.text[at], self.encoding)
        return end

    def place(self, offset: int) -> Place:
        """The position of an offset."""
        line = self.line_at(offset)
        start = self._starts[line]
        return Place(line, units(self.text[start : max(start, min(offset, self.end_of(line)))], self.encoding))

    def changed(self, change: Change) -> Text:
        """The text after a change."""
        if change.start is None or change.end is None:
            return Text(change.text, self.encoding)
        start, end = sorted((self.offset(change.start), self.offset(change.end)))
        return Text(self.text[:start] + change.text + self.text[end:], self.encoding)
