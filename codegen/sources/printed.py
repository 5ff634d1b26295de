"""Reading a package of tables that was printed, as data: nothing in its folder is run, so it may be anybody's."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.tables.loading import newest_types
from engine.tables.tables import Tables
from engine.tables.types import TableData

from ..documents.limits import MAX_BYTES
from ..errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MARK = "Printed by `kubemerge generate`; do not edit."
INDEX = "index.py"
_PARTS = {"RELEASES": dict, "PREFIXES": dict, "KINDS": tuple}


def is_package(folder: Path) -> bool:
    """Whether `kubemerge generate` wrote a package into a folder."""
    return is_printed(folder / INDEX)


def is_printed(file: Path) -> bool:
    """Whether `kubemerge generate` wrote a file."""
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return MARK.encode() in stream.read(200)


def tables_of(folder: Path) -> Tables:
    """The tables of a package; of one with several releases those of the newest."""
    found: dict[str, Any] = _assigned(folder / INDEX)
    if not _is_index(found):
        raise _damaged(folder / INDEX, "no RELEASES, PREFIXES and KINDS of tables")

    @cache
    def types(module: str) -> Mapping[str, Sequence[tuple[Any, ...]]]:
        return _types(folder / f"{module}.py")

    data = TableData(found["KINDS"], found["PREFIXES"], types, found["RELEASES"])
    return Tables(data, max(data.releases, default=None), below=newest_types)


def _is_index(found: dict[str, Any]) -> bool:
    return (
        all(isinstance(found.get(name), wanted) for name, wanted in _PARTS.items())
        and all(_is_row(row, 5) and isinstance(row[1], str) for row in found["KINDS"])
        and all(isinstance(one, str) and one.isidentifier() for one in found["PREFIXES"].values())
        and all(isinstance(one, int) for one in found["RELEASES"])
    )


def _types(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    found = _assigned(file).get("TYPES")
    if isinstance(found, dict) and all(isinstance(rows, tuple) for rows in found.values()):
        types = {name: list(rows) for name, rows in found.items()}
        if all(_is_row(row, 4) for rows in types.values() for row in rows):
            return types
    raise _damaged(file, "no TYPES of tables")


def _is_row(row: object, least: int) -> bool:
    return isinstance(row, tuple) and len(row) >= least and isinstance(row[0], str)


def _assigned(file: Path) -> dict[str, Any]:
    """What the module assigns to names, all of which is plain data."""
    try:
        data = file.read_bytes()
        if len(data) > MAX_BYTES:
            raise _damaged(file, f"more than {MAX_BYTES // 2**20} MiB")
        statements = ast.parse(data).body
        return {
            one.targets[0].id: ast.literal_eval(one.value)
            for one in statements
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
        }
    except OSError as error:
        raise _damaged(file, error.strerror or str(error)) from None
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise _damaged(file, f"something else ({type(error).__name__})") from None


def _damaged(file: Path, found: str) -> SpecError:
    return SpecError(str(file), "tables as `kubemerge generate --out` writes them. Generate them again", found=found)
