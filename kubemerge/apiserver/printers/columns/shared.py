"""Table columns, and the columns that many kinds share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..cells.shared import aged, at, created, each, selecting

if TYPE_CHECKING:
    from ..cells.shared import Cell


class Column(NamedTuple):
    """A column as servers describe it."""

    name: str
    cell: Cell
    """The function of its cells. None from it is an empty cell."""
    priority: int = 0
    type: str = "string"
    """The declared type of its cells, which actual cells may not have."""
    format: str = ""
    description: str = ""

    @property
    def wide(self) -> bool:
        """Whether kubectl prints it only with `-o wide`."""
        return self.priority > 0

    @property
    def title(self) -> str:
        """The title that kubectl prints."""
        return self.name.upper()


def column(name: str, cell: Cell | str, type: str = "string") -> Column:
    """Return a column. A path stands for the value there, or <none>."""
    return Column(name, at(cell) if isinstance(cell, str) else cell, type=type)


def wide(name: str, cell: Cell | str, type: str = "string") -> Column:
    """Return a column for `-o wide` only."""
    return column(name, cell, type)._replace(priority=1)


def counts(paths: dict[str, str], type: str = "integer") -> tuple[Column, ...]:
    """Return numeric columns, 0 if the value is missing."""
    return tuple(column(name, at(path, 0), type) for name, path in paths.items())


def names(cell: Cell) -> Column:
    """Return a column with names of objects."""
    return column("Name", cell)._replace(format="name")


def containers(path: str = "spec.template.spec.containers") -> tuple[Column, ...]:
    """Return the columns with names and images of the containers at a path."""
    return wide("Containers", each(path, "name")), wide("Images", each(path, "image"))


NAME = names(at("metadata.name", ""))
AGE = column("Age", aged())
CREATED = column("Created At", created, "date")
SELECTOR = wide("Selector", selecting("spec.selector"))
Columns = dict[tuple[str, str], tuple[Column, ...]]
"""The columns by group and kind."""
OTHERS = (NAME, AGE)
"""The default columns."""
CUSTOM = (NAME, column("Age", aged(), "date"))
"""The default columns of custom resources."""
_REPLICAS = counts({"Desired": "spec.replicas", "Available": "status.replicas"})
SCALE = (column("Name", at("metadata.name", "")), *_REPLICAS, AGE)
"""The columns of a Scale."""
CUSTOM_SCALE = (NAME, *_REPLICAS, CUSTOM[-1])
"""The columns of a custom resource's Scale."""
