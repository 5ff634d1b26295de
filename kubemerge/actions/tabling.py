"""Objects in tables, as kubectl prints them: one for each kind, columns as wide as they need to be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..showing.shown import shown
from .cells import pairs
from .columns import Column
from .printer_columns import columns_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cluster import Cluster, Object, Resource

GAP, NARROWEST = 3, 6
NAMESPACE = Column("NAMESPACE", lambda one: one["metadata"].get("namespace", ""))
LABELS = Column("LABELS", pairs("metadata.labels"))


class Tables:
    """The tables of what a command line asks for. Of an object no more is kept than its cells."""

    def __init__(self, cluster: Cluster, *, wide: bool, namespaces: bool, labels: bool, kinds: bool) -> None:
        self._cluster, self._kinds = cluster, kinds
        self._wide, self._namespaces, self._labels = wide, namespaces, labels
        self._tables: dict[tuple[str, str], tuple[Resource, list[Column], list[list[str]]]] = {}

    def add(self, one: Object) -> None:
        """A row for an object."""
        key = (one["apiVersion"], one["kind"])
        if key not in self._tables:
            resource = self._cluster.resource(*key)
            self._tables[key] = resource, self._columns(resource), []
        _, columns, rows = self._tables[key]
        rows.append([_text(column.cell(one)) for column in columns])

    def _columns(self, resource: Resource) -> list[Column]:
        found = [column for column in columns_for(self._cluster, resource) if self._wide or not column.wide]
        before = [NAMESPACE] if self._namespaces and resource.namespaced else []
        return [*before, *found, *([LABELS] if self._labels else [])]

    def lines(self, *, headers: bool = True) -> Iterator[str]:
        """The lines of all tables, with an empty one between two."""
        several = self._kinds or len(self._tables) > 1
        for index, (resource, columns, rows) in enumerate(self._tables.values()):
            if index:
                yield ""
            titles = [column.title for column in columns]
            if several:
                at = titles.index("NAME")
                for row in rows:
                    row[at] = f"{resource.title.lower()}/{row[at]}"
            yield from _aligned([titles, *rows] if headers else rows)


def _text(value: Any) -> str:
    """A value in a cell."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return shown(str(value))


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(NARROWEST, max(map(len, cells)) + GAP) for cells in zip(*rows, strict=True)]
    for row in rows:
        padded = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield "".join([*padded, row[-1]])
