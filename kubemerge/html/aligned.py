"""Documents side by side, line by line. Equal lines share a row, and so do lines of the same field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..diff.matching import edits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Pair = tuple["int | None", "int | None"]


@dataclass(frozen=True)
class AlignedLine:
    """A line of YAML and the keys above it, which distinguish equal lines."""

    text: str
    above: tuple[str, ...]

    @property
    def field(self) -> tuple[str, ...]:
        """The field that the line sets."""
        return (*self.above, self.text.partition(":")[0])


def aligned(documents: Sequence[str]) -> list[tuple[str | None, ...]]:
    """The rows of a table with a column for each document; None where one has no such line."""
    first, *others = [_lines(document) for document in documents]
    rows: list[list[AlignedLine | None]] = [[line] for line in first]
    for done, lines in enumerate(others, 1):
        known = [next(line for line in reversed(row) if line is not None) for row in rows]
        empty: list[AlignedLine | None] = [None] * done
        rows = [
            [*(empty if row is None else rows[row]), None if line is None else lines[line]]
            for row, line in _pairs(known, lines)
        ]
    return [tuple(line.text if line else None for line in row) for row in rows]


def _lines(document: str) -> list[AlignedLine]:
    """The lines of a document. The dash of a list element counts as indentation."""
    found: list[AlignedLine] = []
    above: list[tuple[int, str]] = []
    for text in document.splitlines():
        depth = len(text) - len(text.lstrip(" -"))
        while above and above[-1][0] >= depth:
            above.pop()
        found.append(AlignedLine(text, tuple(key for _, key in above)))
        above.append((depth, text.partition(":")[0].lstrip(" -")))
    return found


def _pairs(left: Sequence[AlignedLine], right: Sequence[AlignedLine]) -> Iterator[Pair]:
    """The pairs of matching lines: equal ones, and between them lines of the same field."""
    for tag, start, end, from_, to in _matched(left, right):
        if tag == "equal":
            yield from zip(range(start, end), range(from_, to), strict=True)
        else:
            yield from _pairs_of_fields(left, right, range(start, end), range(from_, to))


def _pairs_of_fields(
    left: Sequence[AlignedLine], right: Sequence[AlignedLine], ours: range, theirs: range
) -> Iterator[Pair]:
    fields = [left[at].field for at in ours], [right[at].field for at in theirs]
    for tag, start, end, from_, to in _matched(*fields):
        if tag == "equal":
            yield from zip(ours[start:end], theirs[from_:to], strict=True)
        else:
            yield from ((at, None) for at in ours[start:end])
            yield from ((None, at) for at in theirs[from_:to])


def _matched(left: Sequence[Any], right: Sequence[Any]) -> Iterator[tuple[str, int, int, int, int]]:
    """Equal and replaced ranges, in order. Lines are numbered first, because numbers compare fast."""
    numbers: dict[Any, int] = {}
    one, other = ([numbers.setdefault(item, len(numbers)) for item in items] for items in (left, right))
    at, to = 0, 0
    for i1, i2, j1, j2 in (*edits(one, other), (len(one), len(one), len(other), len(other))):
        yield "equal", at, i1, to, j1
        yield "replace", i1, i2, j1, j2
        at, to = i2, j2
