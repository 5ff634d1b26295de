"""Documents as a table: a column for each, a row for each line, and a mark where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..apiserver.text.yaml_out import dump
from .aligned import aligned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Cells = tuple[str | None, ...]

CONTEXT = 3
"""Number of equal lines shown around the differing ones."""

EQUAL, DIFFERS, CHANGED = "e", "d", "r"
"""The states of a row: equal in all documents, different, or changed by the apply."""


@dataclass(frozen=True)
class Head:
    """The head of a column."""

    name: str
    note: str = ""


@dataclass(frozen=True)
class TableRow:
    """A line of each document, None where one has no such line; or a number of equal lines left out."""

    style: str
    sign: str = ""
    cells: Cells = ()
    marks: tuple[bool, ...] = ()
    skipped: int = 0


@dataclass(frozen=True)
class Table:
    """Documents side by side."""

    heads: tuple[Head, ...]
    rows: tuple[TableRow, ...]


def neighbours(columns: Sequence[tuple[Head, Any]]) -> Table:
    """A table in which a line is marked where it differs from the document on its left."""
    return _table(columns, _against_the_left)


def before_and_after(columns: Sequence[tuple[Head, Any]]) -> Table:
    """A table whose last two columns are an object before and after an apply; changes by the apply are marked."""
    return _table(columns, _against_the_result)


def against_the_last(columns: Sequence[tuple[Head, Any]]) -> Table:
    """A table in which a line is marked where it differs from the last document."""
    return _table(columns, lambda cells: _unlike_the_last(cells, DIFFERS, ""))


def _table(columns: Sequence[tuple[Head, Any]], row: Callable[[Cells], TableRow]) -> Table:
    lines = aligned([dump(document) for _, document in columns])
    return Table(tuple(head for head, _ in columns), tuple(map(row, lines)))


def _against_the_left(cells: Cells) -> TableRow:
    marks = tuple(at > 0 and cell != cells[at - 1] for at, cell in enumerate(cells))
    return TableRow(CHANGED, "±", cells, (marks[1], *marks[1:])) if any(marks) else _equal(cells)


def _against_the_result(cells: Cells) -> TableRow:
    before, after = cells[-2:]
    if before == after:
        return _unlike_the_last(cells, DIFFERS, "")
    sign = "+" if before is None else "−" if after is None else "±"  # noqa: RUF001 - a minus sign
    return TableRow(CHANGED, sign, cells, (*(False for _ in cells[2:]), True, True))


def _unlike_the_last(cells: Cells, style: str, sign: str) -> TableRow:
    marks = tuple(cell != cells[-1] for cell in cells)
    return TableRow(style, sign, cells, marks) if any(marks) else _equal(cells)


def _equal(cells: Cells) -> TableRow:
    return TableRow(EQUAL, "", cells, (False,) * len(cells))


def shortened(table: Table) -> Table:
    """The table with the lines that differ and a few around them."""
    changed = [at for at, row in enumerate(table.rows) if row.style != EQUAL]
    near = {there for at in changed for there in range(at - CONTEXT, at + CONTEXT + 1)}
    return Table(table.heads, tuple(_without_far(table.rows, near)))


def _without_far(rows: Iterable[TableRow], near: set[int]) -> Iterator[TableRow]:
    skipped = 0
    for at, row in enumerate(rows):
        if at not in near:
            skipped += 1
            continue
        if skipped:
            yield TableRow("skipped", skipped=skipped)
        skipped = 0
        yield row
    if skipped:
        yield TableRow("skipped", skipped=skipped)
