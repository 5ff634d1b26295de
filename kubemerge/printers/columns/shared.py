"""A column of kubectl's tables, and the columns that many kinds have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..cells.shared import aged, at, created, each, selecting

if TYPE_CHECKING:
    from ..cells.shared import Cell


class Column(NamedTuple):
    """A column: its title, the function of its cells, and whether it is only for `-o wide`."""

    title: str
    cell: Cell
    wide: bool = False


def column(title: str, cell: Cell | str) -> Column:
    """A column; a path stands for the value there, or <none>."""
    return Column(title, at(cell) if isinstance(cell, str) else cell)


def wide(title: str, cell: Cell | str) -> Column:
    """A column that is only for `-o wide`."""
    return column(title, cell)._replace(wide=True)


def counts(**paths: str) -> tuple[Column, ...]:
    """Columns with numbers, 0 where there is none; `_` in a title is `-`."""
    return tuple(column(title.replace("_", "-"), at(path, 0)) for title, path in paths.items())


def containers(path: str = "spec.template.spec.containers") -> tuple[Column, ...]:
    """The names and images of the containers at a path."""
    return wide("CONTAINERS", each(path, "name")), wide("IMAGES", each(path, "image"))


NAME = column("NAME", "metadata.name")
AGE = column("AGE", aged())
CREATED = column("CREATED AT", created)
SELECTOR = wide("SELECTOR", selecting("spec.selector"))
Columns = dict[tuple[str, str], tuple[Column, ...]]
"""Group and kind, with their columns."""
OTHERS = (NAME, AGE)
"""The columns of kinds that have no others."""
