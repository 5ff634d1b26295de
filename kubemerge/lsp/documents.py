"""The YAML documents of a text. Each is parsed and linted by itself, so an edit affects only its own document."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

_SEPARATOR = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
"""The line that starts a document. YAML allows it nowhere else, not even in a block of text."""
_YAML_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""The line breaks that the YAML parser counts."""
_ODD = re.compile("[\r\x85\u2028\u2029]")
LARGEST = 4 * 2**20
"""Characters of a file that is linted while it is edited."""
LARGEST_DOCUMENT = 2**20
"""Characters of a document in which hover and completion work."""


class Document(NamedTuple):
    """One document with its `---` line, its offset in the text, and its first line.

    Lines are counted from 0, as the YAML parser counts them.
    """

    text: str
    offset: int
    line: int


def documents(text: str) -> list[Document]:
    """The documents of a text, which together are the whole text."""
    starts = [found.start() for found in _SEPARATOR.finditer(text)]
    bounds = [0, *(start for start in starts if start), len(text)]
    found: list[Document] = []
    line = 0
    for start, end in pairwise(bounds):
        part = text[start:end]
        found.append(Document(part, start, line))
        line += _breaks(part)
    return found


def _breaks(text: str) -> int:
    return len(_YAML_BREAK.findall(text)) if _ODD.search(text) else text.count("\n")


def document_at(text: str, offset: int) -> Document:
    """The document with an offset. At the end of one, the offset belongs to the next."""
    start = 0
    for found in _SEPARATOR.finditer(text):
        if found.start() > offset:
            return Document(text[start : found.start()], start, _breaks(text[:start]))
        start = found.start()
    return Document(text[start:], start, _breaks(text[:start]))


def data_of(text: str) -> bytes:
    """The bytes of a text. Lone surrogates stay, so that they are reported as invalid UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def yaml_starts(text: str) -> list[int]:
    """The offsets of the lines as the YAML parser counts them."""
    return [0, *(found.end() for found in _YAML_BREAK.finditer(text))]
