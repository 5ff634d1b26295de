"""Errors of unreadable documents: the problem, the fix and the place."""

from __future__ import annotations

import re

from engine.values.immutable import Immutable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import yaml


class TextPosition(Immutable):
    """A position in a text, counted from 0 as in parsers; a whole line has no column."""

    __slots__ = ("line", "column")  # noqa: RUF023 - the order in which they are filled
    line: int
    column: int | None

    def __init__(self, line: int, column: int | None) -> None:
        self._fill(line, column)


def position_at(text: str, index: int) -> TextPosition:
    return TextPosition(text.count("\n", 0, index), index - text.rfind("\n", 0, index) - 1)


class BadDocument(Exception):
    """An unreadable document: the problem, the fix, and the line and column, counted from 1.

    `wanted` and `found` are the expected and the actual content, for the errors of specifications.
    """

    def __init__(
        self, problem: str, place: Any = None, advice: str = "", *, wanted: str = "JSON or YAML", found: str = ""
    ) -> None:
        self.problem, self.advice, self.wanted = problem, advice, wanted
        self.line = place.line + 1 if place else None
        self.column = None if place is None or place.column is None else place.column + 1
        text = problem if self.column is None else f"line {self.line}, column {self.column}: {problem}"
        self.found = found or (text if self.column is None else f"an error at {text}")
        super().__init__(text)


# ---- errors of YAML parsers -----------------------------------------------------------------------------------------

_TAB = ("a tab is used for indentation", "indent with spaces")
_INDENT = ("the indentation is inconsistent, or quotes or brackets are missing", "compare it with the lines around it")
_NOT_CLOSED = ("a bracket is not closed, or a comma is missing", "correct it here or in a line before")

_NO_COLON = ("expected ':'",)
"""Parsers find this in the next line. The context is the line without a colon."""

# Messages of both parsers (libyaml and Python), the problem in plain words, and the fix.
_PLAIN: tuple[tuple[tuple[str, ...], tuple[str, str]], ...] = (
    (("tab character",), _TAB),
    (
        ("mapping values are not allowed",),
        ("a colon is not allowed here", _INDENT[1] + ", or use quotes"),
    ),
    (("expected key", "'-' indicator", "<block end>"), _INDENT),
    (("',' or ']'", "',' or '}'"), _NOT_CLOSED),
    (_NO_COLON, ("a line has no colon", "write `key: value`, or indent it as part of a text")),
    (("node content",), ("a value is missing", "add a value, or put the text in quotes")),
)


def explain(error: yaml.MarkedYAMLError, text: str | bytes) -> tuple[str, str, Any]:
    """The problem in plain words, the fix, and the position."""
    problem, place = error.problem or "", error.problem_mark or error.context_mark
    if "end of stream" in problem and "quoted" in (error.context or ""):
        return "a quote is not closed", "close it", error.context_mark
    if "cannot start any token" in problem and place is not None:
        return *_cannot_start(_character(text, place.index)), place
    for words, (sentence, advice) in _PLAIN:
        if any(word in problem for word in words):
            is_line_before = words == _NO_COLON and error.context_mark is not None
            return sentence, advice, error.context_mark if is_line_before else place
    said = " ".join(part for part in (error.context, problem) if part)
    return re.sub(_QUOTATION, "", said), "correct the YAML there", place


_QUOTATION = " '[^'<][^']+'"
"""Quoted document text in a message, which may be a password; a single character is not."""


def _character(text: str | bytes, index: int) -> str:
    return (text.decode(errors="replace") if isinstance(text, bytes) else text)[index : index + 1]


def _cannot_start(character: str) -> tuple[str, str]:
    return _TAB if character == "\t" else (f"unquoted text cannot start with {character!r} in YAML", "put it in quotes")


def bad_character(error: yaml.reader.ReaderError, text: str | bytes) -> tuple[str, str, TextPosition | None]:
    """The problem, the fix, and the position of a character that YAML does not allow."""
    code = error.character if isinstance(error.character, int) else ord(error.character)
    found = text.find(chr(code)) if isinstance(text, str) else -1
    place = position_at(text, found) if isinstance(text, str) and found >= 0 else None
    return (
        f"U+{code:04X} is a control character, which YAML does not allow",
        "remove it, or escape it in quotes",
        place,
    )
