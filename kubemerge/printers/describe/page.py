"""The page of a description: lines with tabs, which are expanded at the end so that columns align."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GAP = 2
"""Minimum number of spaces between columns."""
LONGEST = 140
"""Maximum length of an annotation that is printed on the line of its key."""
NONE, UNSET = "<none>", "<unset>"
_HIDDEN = {"kubectl.kubernetes.io/last-applied-configuration"}
"""Annotations that are left out."""


class Page:
    """Text with tabs. `flush` ends all columns, so that later lines are aligned separately."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._now: list[str] = []

    def add(self, level: int, text: str) -> None:
        """Add text at this depth. Lines end only at the line breaks in the text."""
        self._now.append(f"{'  ' * level}{text}")

    def line(self, level: int, text: object = "") -> None:
        """A line at this depth."""
        self.add(level, f"{text}\n")

    def field(self, title: str, value: object, level: int = 0) -> None:
        """A line with a title and a value."""
        self.line(level, f"{title}:\t{value}")

    def fields(self, level: int, values: Mapping[str, Any]) -> None:
        """A line for each value that is there."""
        for title, value in values.items():
            if value not in (None, ""):
                self.field(title, value, level)

    def several(self, title: str, values: Iterable[str], indent: str = "\t", before: str = "") -> None:
        """A title with the first value on its line, and the others below."""
        lines = list(values) or [NONE]
        for index, value in enumerate(lines):
            self.line(0, f"{before}{'' if index else f'{title}:'}{indent}{value}")

    def labels(self, title: str, labels: Mapping[str, Any] | None, indent: str = "\t", before: str = "") -> None:
        """Labels, one on each line."""
        self.several(title, (f"{key}={value}" for key, value in sorted((labels or {}).items())), indent, before)

    def annotations(self, title: str, annotations: Mapping[str, Any] | None) -> None:
        """Add annotations. Long ones are printed below their key, and cut off."""
        self.add(0, f"{title}:\t")
        shown = sorted((key, str(value)) for key, value in (annotations or {}).items() if key not in _HIDDEN)
        if not shown:
            self.line(0, NONE)
        for index, (key, whole) in enumerate(shown):
            value = whole.removesuffix("\n")
            self.add(0, "\t" if index else "")
            if len(value.encode()) + len(key) + 2 <= LONGEST and "\n" not in value:
                self.line(0, f"{key}: {value}")
                continue
            self.line(0, f"{key}:")
            for part in value.split("\n"):
                self.line(0, f"\t  {_short(part, LONGEST - 2)}")

    def table(self, level: int, titles: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
        """A table with a line below its titles."""
        titles = list(titles)
        self.line(level, "\t".join(titles))
        self.line(level, "\t".join("-" * len(title) for title in titles))
        for row in rows:
            self.line(level, "\t".join(map(str, row)))

    def flush(self) -> None:
        """End all columns."""
        self._done.append(aligned("".join(self._now)))
        self._now = []

    def text(self) -> str:
        """The text, aligned."""
        self.flush()
        return "".join(self._done)


def _short(text: str, most: int) -> str:
    data = text.encode()
    return f"{data[:most].decode(errors='ignore')}..." if len(data) > most else text


# ---- columns ---------------------------------------------------------------------------------------------------------


def aligned(text: str) -> str:
    """The text with tabs expanded to spaces. A line with fewer tabs ends the columns that it lacks."""
    lines = [line.split("\t") for line in text.split("\n")]
    widths: list[list[int]] = [[0] * (len(cells) - 1) for cells in lines]
    _measure(lines, widths)
    return "\n".join(map(_line, lines, widths))


def _measure(lines: list[list[str]], widths: list[list[int]]) -> None:
    """Give the cells of a column, in each run of lines that have it, the width of the widest."""
    for column in range(max(map(len, lines)) - 1):
        at = 0
        while at < len(lines):
            last = at
            while last < len(lines) and len(lines[last]) - 1 > column:
                last += 1
            if last > at:
                width = max(len(cells[column]) for cells in lines[at:last]) + GAP
                for index in range(at, last):
                    widths[index][column] = width
            at = last + 1


def _line(cells: list[str], widths: list[int]) -> str:
    return "".join(cell.ljust(width) for cell, width in zip(cells[:-1], widths, strict=True)) + cells[-1]
