"""Results of the language server as data. Ranges are offsets in the text of a document."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A line of a hover: a label, and text that is code or prose."""

    label: str
    text: str
    is_code: bool = False


class Hover(NamedTuple):
    """The lines of a hover, with the range of the word."""

    title: str
    lines: list[Line]
    start: int
    end: int


class Candidate(NamedTuple):
    """A completion. The range is replaced by the text."""

    label: str
    kind: str
    """`field`, `value` or `class`."""
    detail: str
    documentation: str
    text: str
    start: int
    end: int
    deprecated: bool = False


class TextEdit(NamedTuple):
    """A replacement of a range."""

    start: int
    end: int
    text: str


class Action(NamedTuple):
    """A fix, with the code of its finding; empty for all fixes of a file."""

    title: str
    code: str
    edits: tuple[TextEdit, ...]


class Link(NamedTuple):
    """A range that links to a page."""

    start: int
    end: int
    address: str


class Location(NamedTuple):
    """A line and a column in a file, both counted from 0."""

    source: str
    line: int
    column: int
