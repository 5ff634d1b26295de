"""Declared validation as Python text: a module beside each module of tables, and one for the kinds that enforce it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..printing import render

if TYPE_CHECKING:
    from .rows import DeclaredRows


def print_declared(declared: DeclaredRows) -> dict[str, str]:
    """The files: name -> text."""
    files = {"enforced.py": render("enforced.py.j2", kinds=[ascii(row) for row in declared.kinds])}
    for module, types in declared.types.items():
        rows = [{"name": ascii(name), "rows": [ascii(row) for row in rows]} for name, rows in types.items()]
        files[f"{module}_rules.py"] = render("rules.py.j2", types=rows)
    return files
