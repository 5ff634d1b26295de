"""The lines of a file, and its form: byte order mark, line endings, and the end of the last line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ..manifests.edits import has_odd_breaks

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
_MARK = "\ufeff"
MAX_BYTES = 24 * 1024 * 1024
"""Larger files are merged by line."""


class Form:
    """The form of a file."""

    def __init__(self, mark: str, ending: str, ends: bool) -> None:
        self.mark, self.ending, self.ends = mark, ending, ends

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[str, str, bool]:
        return self.mark, self.ending, self.ends

    def encoded(self, lines: Sequence[str], *, ends_in_markers: bool) -> bytes:
        """The bytes of a file in this form."""
        end = self.ending if lines and (self.ends or ends_in_markers) else ""
        return (self.mark + self.ending.join(lines) + end).encode()


class Text:
    """The lines of a file, without line endings."""

    def __init__(self, lines: list[str], form: Form) -> None:
        self.lines, self.form = lines, form

    @classmethod
    def of(cls, data: bytes) -> Text | None:
        """The text of these bytes. None if they are not UTF-8, or if line endings are mixed."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return None
        mark = _MARK if text.startswith(_MARK) else ""
        text = text.removeprefix(_MARK)
        if _MARK in text or "\0" in text or has_odd_breaks(text):
            return None
        endings, breaks = text.count("\r\n"), text.count("\n")
        if endings not in (0, breaks):
            return None
        lines = text.replace("\r\n", "\n").split("\n")
        ends = lines[-1] == ""
        return cls(lines[:-1] if ends else lines, Form(mark, "\r\n" if endings else "\n", ends))


def three_way(values: Sequence[T]) -> T | None:
    """The value that one side changed. None if both changed it differently."""
    base, ours, theirs = values
    if theirs in (base, ours):
        return ours
    return theirs if ours == base else None
