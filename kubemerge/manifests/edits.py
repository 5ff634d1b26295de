"""Edit single keys and values in the text of a file. Every other byte is preserved."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml

from codegen.documents.problems import BadDocument
from codegen.documents.reader import text_of

from .lines import Lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    Edit = tuple[int, int, str]
    """Start offset, end offset (exclusive) and replacement text."""

_MARK = "\ufeff"
_ODD_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
"""YAML line breaks that editors and this module do not count."""


def has_odd_breaks(text: str) -> bool:
    """Whether a text has line breaks that YAML counts, and editors do not."""
    return _ODD_BREAK.search(text) is not None


class Editor:
    """Edits the text of one file at its YAML or JSON nodes."""

    def __init__(self, data: bytes, text: str) -> None:
        self.lines = Lines(data)
        self._text = text
        self._mark = _MARK if data.startswith(_MARK.encode()) else ""
        self._starts = [0, *(at.end() for at in re.finditer("\n", text))]

    @classmethod
    def of(cls, data: bytes) -> Editor | None:
        """An editor of these bytes. None if positions in them are uncertain, or `<<` merges maps."""
        try:
            text = text_of(data)
        except BadDocument:
            return None
        mark = _MARK if data.startswith(_MARK.encode()) else ""
        if (mark + text).encode() != data or "<<:" in text or has_odd_breaks(text):
            return None
        return cls(data, text)

    def scalar(self, pair: tuple[Any, Any], new: str, *, of_key: bool, keeps_quotes: bool) -> Edit | None:
        """The edit that replaces a key or its value. None if the value is a block, an alias or on another line."""
        key, value = pair
        node = key if of_key else value
        if not isinstance(node, yaml.ScalarNode) or node.style in ("|", ">"):
            return None
        if node is value and key is not value and value.start_mark.line != key.end_mark.line:
            return None
        start, end = self._offset(node.start_mark), self._offset(node.end_mark)
        old = self._text[start:end]
        if old[:1] in ("*", "&", "!") or "\n" in old:
            return None
        return start, end, _quoted_as(old, new) if keeps_quotes else new

    def edited(self, edits: Iterable[Edit]) -> tuple[bytes, int]:
        """The bytes after these edits, and their number. Of two overlapping edits, only the later one counts."""
        found = sorted(set(edits), reverse=True)
        apart = [one for at, one in enumerate(found) if not at or one[1] <= found[at - 1][0]]
        parts, end = [], len(self._text)
        for start, stop, new in apart:
            parts += [self._text[stop:end], new]
            end = start
        return (self._mark + self._text[:end] + "".join(reversed(parts))).encode(), len(apart)

    def _offset(self, mark: Any) -> int:
        """The offset of a mark, by line and column. Its index counts bytes in some versions of the parser."""
        return int(self._starts[mark.line] + mark.column)


def _quoted_as(old: str, new: str) -> str:
    """The new text, quoted like the old one."""
    bare = json.loads(new) if new.startswith('"') else new
    if old.startswith("'"):
        return "'" + bare.replace("'", "''") + "'"
    return json.dumps(bare) if old.startswith('"') else new
