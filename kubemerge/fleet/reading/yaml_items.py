"""The objects in a stream of YAML: whole documents, and the items of Lists one by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .streams import LARGEST, lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_ITEM = re.compile(rb"( *)-(?=\s|$)")
_BEGINS = re.compile(rb"(apiVersion|kind|items):(?=\s|$)|(?:---|\.\.\.)(?=\s|$)\s*([^\s#].*)?")
"""The beginnings of a document.

These are a separator, possibly with a comment or content beside it, and a repeated top-level key. Such a key occurs
once in a document, and is repeated if files were concatenated without a separator.
"""
_TYPED = re.compile(rb"^kind: *\w+List\s*$", re.MULTILINE)


def yaml_items(stream: Any) -> Iterator[bytes | None]:
    """The text of each document, and of each item of a List as it is printed by kubectl; None for one too long."""
    document = _Document()
    for _, line in lines(stream):
        if line is None:
            document.add(b" " * (LARGEST + 1))
            continue
        begins = _BEGINS.match(line)
        key, beside = begins.groups() if begins else (None, line)
        if begins and (key is None or key in document.keys):
            yield from document.end()
            document = _Document()
        if key is not None:
            document.keys.add(key)
        if key is not None or beside is not None:
            yield from document.line(line)
    yield from document.end()


class _Document:
    def __init__(self) -> None:
        self.keys = set[bytes]()
        """The top-level keys found so far."""
        self._held: list[bytes] = []
        self._size = 0
        self._announced = False
        """Whether the last line was `items:`."""
        self._indent: bytes | None = None
        """The spaces before the items; None outside of a List."""
        self._head = b""
        self._over = False
        """Whether the items have ended; the rest of the document belongs to no object."""

    def add(self, line: bytes) -> None:
        """Add a line."""
        self._size += len(line) + 1
        if self._size <= LARGEST:
            self._held.append(line)

    def line(self, line: bytes) -> Iterator[bytes | None]:
        """Process a line, and yield the object that ends before it."""
        if self._over:
            return
        item = _ITEM.match(line)
        if self._announced and line.strip():
            self._announced = False
            if item:
                head = b"\n".join(self._held)
                self._head = head if _TYPED.search(head) else b""
                self._indent, self._held, self._size = item[1], [], 0
        if self._indent is None:
            self._announced = self._announced or line.rstrip() == b"items:"
            self.add(line)
        elif item and item[1] == self._indent:
            yield from self._taken()
            self.add(line if self._head else line.replace(b"-", b" ", 1))
        elif line[:1].strip() and not line.startswith(b"#"):
            yield from self._taken()
            self._over = True
        else:
            self.add(line)

    def end(self) -> Iterator[bytes | None]:
        """Yield the last object of the document."""
        if not self._over:
            yield from self._taken()

    def _taken(self) -> Iterator[bytes | None]:
        text, size = b"\n".join(self._held), self._size
        self._held, self._size = [], 0
        if size > LARGEST:
            yield None
        elif text.strip():
            yield self._head + b"\n" + text + b"\n" if self._head else text + b"\n"
