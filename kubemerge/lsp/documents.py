"""The YAML documents of a text. Each is parsed and linted by itself, so an edit affects only its own document."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ..manifests.lines import YAML_BREAK

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEPARATOR = re.compile(
    r"(?:(?:\A|^\.\.\.(?:[ \t\r][^\n]*)?\n)(?P<above>\ufeff?(?:[%#][^\n]*\n|[ \t]*\r?\n)*))?^---(?=[ \t\r\n]|\Z)",
    re.MULTILINE,
)
"""The line that starts a document. YAML allows it nowhere else, not even in a block of text.

The lines above it count from the start of the text or the end of a document. Only there, YAML allows directives.
"""
_DIRECTIVE = re.compile(r"^\ufeff?%", re.MULTILINE)
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
    bounds = [0, *(start for start in _starts(text) if start), len(text)]
    found: list[Document] = []
    line = 0
    for start, end in pairwise(bounds):
        part = text[start:end]
        found.append(Document(part, start, line))
        line += _breaks(part)
    return found


def _starts(text: str) -> Iterator[int]:
    """The offsets of the lines that start documents. Directives are part of their document."""
    for found in _SEPARATOR.finditer(text):
        above = found["above"]
        yield found.start("above") if above and _DIRECTIVE.search(above) else found.end() - len("---")


def _breaks(text: str) -> int:
    return len(YAML_BREAK.findall(text)) if _ODD.search(text) else text.count("\n")


def document_at(text: str, offset: int) -> Document:
    """The document with an offset. At the end of one, the offset belongs to the next."""
    start = 0
    for following in _starts(text):
        if following > offset:
            return Document(text[start:following], start, _breaks(text[:start]))
        start = following
    return Document(text[start:], start, _breaks(text[:start]))


def data_of(text: str) -> bytes:
    """The bytes of a text. Lone surrogates stay, so that they are reported as invalid UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def yaml_starts(text: str) -> list[int]:
    """The offsets of the lines as the YAML parser counts them."""
    return [0, *(found.end() for found in YAML_BREAK.finditer(text))]
