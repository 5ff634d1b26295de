"""The tables of `-o custom-columns=NAME:.metadata.name,...`, one for objects of all kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..apiserver.printers.columns.shared import Column
from ..apiserver.printers.jsonpath import path
from ..apiserver.printers.jsonpath_steps import BadPath
from .tables import aligned, cell_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..apiserver.printers.cells.shared import Cell
    from ..cluster import Object

_IN_GO = {None: "<nil>", True: "true", False: "false"}


def columns(spec: str) -> list[Column]:
    """The columns of a specification: titles and paths."""
    return [_column(one) for one in spec.split(",")]


def _column(given: str) -> Column:
    title, colon, where = given.partition(":")
    if not colon:
        raise BadPath(f"unexpected custom-columns spec: {given!r}, expected <header>:<json-path-expr>")
    return Column(title, _cell(where))


def _cell(where: str) -> Cell:
    find = path(where)
    return lambda one: _in_cell(find(one))


def _in_cell(values: list[Any]) -> str:
    return ",".join(map(_in_go, values)) if values else "<none>"


def _in_go(value: Any) -> str:
    """A value in Go's format, which kubectl uses here."""
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{_in_go(value[key])}' for key in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(_in_go, value))}]"
    if value is None or isinstance(value, bool):
        return _IN_GO[value]
    from engine.values.go_json import encode

    return value if isinstance(value, str) else encode(value)


def lines(chosen: list[Column], objects: Iterable[Object], *, headers: bool = True) -> Iterator[str]:
    """The lines of the table."""
    rows = [[cell_text(column.cell(one)) for column in chosen] for one in objects]
    titles = [[column.name for column in chosen]] if headers else []
    return aligned([*titles, *rows])
