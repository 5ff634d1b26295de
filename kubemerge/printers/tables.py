"""Objects in tables, as kubectl prints them: one for each kind, with columns as wide as necessary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ..apiserver.kinds.builtin_kinds import facts_of
from ..apiserver.printers.cells.shared import pairs
from ..apiserver.printers.columns.shared import Column
from ..apiserver.printers.printer_columns import columns_for
from ..apiserver.text.text import shown
from ..apiserver.unchecked import as_map, get_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..cluster import Cluster, Object, Resource

GAP, NARROWEST = 3, 6
NAMESPACE = Column("NAMESPACE", lambda one: one["metadata"].get("namespace", ""))
LABELS = Column("LABELS", pairs("metadata.labels"))
_LINE_END = re.compile(r"[\n\r\f]")


class Tables:
    """The tables of a command. Only the cells of each object are kept."""

    def __init__(
        self, cluster: Cluster, *, wide: bool, namespaces: bool, kinds: bool, labels: bool, label_names: Sequence[str]
    ) -> None:
        self._cluster, self._kinds = cluster, kinds
        self._wide, self._namespaces = wide, namespaces
        self._labels = [*map(_label, label_names), *([LABELS] if labels else [])]
        self._tables: dict[tuple[str, str], tuple[Resource, list[Column], list[list[str]]]] = {}

    def add(self, one: Object) -> None:
        """A row for an object."""
        key = (one["apiVersion"], one["kind"])
        if key not in self._tables:
            resource = self._cluster.resource(*key)
            self._tables[key] = resource, self.columns(resource), []
        _, columns, rows = self._tables[key]
        rows.append(_cells(columns, one))

    def columns(self, resource: Resource) -> list[Column]:
        """The columns of a kind."""
        of_kind = [column for column in columns_for(self._cluster, resource) if self._wide or not column.wide]
        before = [NAMESPACE] if self._namespaces and resource.namespaced else []
        return [*before, *of_kind, *self._labels]

    def lines(self, *, headers: bool = True, as_added: bool = False) -> Iterator[str]:
        """The lines of all tables, separated by empty lines. `as_added` keeps the order of the objects."""
        several = self._kinds or len(self._tables) > 1
        for index, (resource, columns, rows) in enumerate(self._tables.values()):
            if index and headers:
                yield ""
            titles = [column.title for column in columns]
            if not as_added:
                _sort(resource, titles, rows)
            if several and "NAME" in titles:
                at = titles.index("NAME")
                for row in rows:
                    row[at] = f"{resource.title.lower()}/{row[at]}"
            yield from aligned([titles, *rows] if headers else rows)


class Growing:
    """The growing table of one kind. Columns never become narrower."""

    def __init__(self, columns: Sequence[Column], titles: list[str], prefix: str = "") -> None:
        self._columns, self._prefix = columns, prefix
        self._head = [titles] if titles else []
        self._widths: list[int] = []

    def lines(self, objects: Iterable[Object]) -> Iterator[str]:
        """The lines of more objects, preceded by the titles if they are the first."""
        rows = [_cells(self._columns, one) for one in objects]
        for at in [index for index, column in enumerate(self._columns) if self._prefix and column.title == "NAME"]:
            for row in rows:
                row[at] = f"{self._prefix}{row[at]}"
        if not rows:
            return
        rows, self._head = [*self._head, *rows], []
        self._widths = _widths(rows, self._widths)
        yield from _padded(rows, self._widths)


def _cells(columns: Sequence[Column], one: Object) -> list[str]:
    return [cell_text(column.cell(one)) for column in columns]


def _label(name: str) -> Column:
    """The title of the column of a label: the last part of its key."""
    return Column(name.rpartition("/")[2].upper(), lambda one: as_map(get_path(one, "metadata.labels")).get(name, ""))


def _sort(resource: Resource, titles: list[str], rows: list[list[str]]) -> None:
    """The rows in the order of an integer column, if their kind is sorted by one."""
    by = facts_of(resource.group, resource.kind).listed_by
    if by:
        at = titles.index(by)
        rows.sort(key=lambda row: (len(row[at]), row[at]))


def cell_text(value: Any) -> str:
    """A value in a cell: its first line, padded to the length of the whole text, and `^[` for ESC, as kubectl does."""
    if value is None:
        return ""
    if isinstance(value, (bool, float)):
        return encode(value)
    first, *more = _LINE_END.split(str(value), maxsplit=1)
    first = shown(first.replace("\x1b", "^["))
    return f"{first}...".ljust(len(str(value))) if more else first


def aligned(rows: list[list[str]]) -> Iterator[str]:
    """The lines of a table, with columns as wide as necessary."""
    return _padded(rows, _widths(rows))


def _widths(rows: list[list[str]], before: Sequence[int] = ()) -> list[int]:
    """The widths that columns need, at least those of `before`."""
    needed = [max(NARROWEST, max(map(len, cells)) + GAP) for cells in zip(*rows, strict=True)]
    return list(map(max, needed, before)) if before else needed


def _padded(rows: list[list[str]], widths: list[int]) -> Iterator[str]:
    for row in rows:
        padded = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield "".join([*padded, row[-1].rstrip()])
