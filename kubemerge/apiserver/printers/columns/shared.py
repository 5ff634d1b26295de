"""A column of kubectl's tables, and the columns that many kinds have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..cells.shared import aged, at, created, each, selecting

if TYPE_CHECKING:
    from ..cells.shared import Cell


class Column(NamedTuple):
    """A column, as servers describe it."""

    name: str
    cell: Cell
    """The function of its cells; None is a cell that has nothing to show."""
    priority: int = 0
    type: str = "string"
    """What servers say its cells are; at times they are something else."""
    format: str = ""
    description: str = ""

    @property
    def wide(self) -> bool:
        """Whether kubectl prints it for `-o wide` only."""
        return self.priority > 0

    @property
    def title(self) -> str:
        """What kubectl prints above it."""
        return self.name.upper()


def column(name: str, cell: Cell | str, type: str = "string") -> Column:
    """A column; a path stands for the value there, or <none>."""
    return Column(name, at(cell) if isinstance(cell, str) else cell, type=type)


def wide(name: str, cell: Cell | str, type: str = "string") -> Column:
    """A column that is only for `-o wide`."""
    return column(name, cell, type)._replace(priority=1)


def counts(paths: dict[str, str], type: str = "integer") -> tuple[Column, ...]:
    """Columns with numbers, 0 where there is none."""
    return tuple(column(name, at(path, 0), type) for name, path in paths.items())


def names(cell: Cell) -> Column:
    """A column with names of objects."""
    return column("Name", cell)._replace(format="name")


def containers(path: str = "spec.template.spec.containers") -> tuple[Column, ...]:
    """The names and images of the containers at a path."""
    return wide("Containers", each(path, "name")), wide("Images", each(path, "image"))


NAME = names(at("metadata.name", ""))
AGE = column("Age", aged())
CREATED = column("Created At", created, "date")
SELECTOR = wide("Selector", selecting("spec.selector"))
Columns = dict[tuple[str, str], tuple[Column, ...]]
"""Group and kind, with their columns."""
OTHERS = (NAME, AGE)
"""The columns of kinds that have no others."""
CUSTOM = (NAME, column("Age", aged(), "date"))
"""The same for custom resources."""
