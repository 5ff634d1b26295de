"""Rows with eras: an era is the first and the last minor release in which a row is valid.

A row whose last minor is None is still valid in the newest release. So a new release adds rows and ends some, but
leaves all other lines of `generated/` unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from .rows import KindColumns, KindKey, Rows

Row = tuple[Any, ...]
Key = TypeVar("Key")


@dataclass(frozen=True)
class History:
    """All rows with their eras, as printed into `generated/`."""

    types: dict[str, dict[str, list[Row]]]
    """module -> type -> rows of (field, first, last, *columns)."""
    kinds: list[Row]
    """Rows of (apiVersion, kind, first, last, type, namespaced, patch types)."""
    prefixes: dict[str, str]


def unversioned(rows: Rows) -> History:
    """The rows of one document. They have no eras, so they are valid in every release."""
    types: dict[str, dict[str, list[Row]]] = {}
    for name, fields in sorted(rows.types.items()):
        module, _, rest = name.partition(".")
        types.setdefault(module, {})[rest] = [(field, None, None, *cells) for field, cells in sorted(fields.items())]
    kinds = [(*key, None, None, *_trim(cells)) for key, cells in sorted(rows.kinds.items())]
    return History(types, kinds, dict(sorted(rows.prefixes.items())))


def rows_with_eras(releases: Mapping[int, Rows]) -> History:
    """The rows of several releases (minor -> rows) with their eras."""
    minors = sorted(releases)
    types: dict[str, dict[str, list[Row]]] = {}
    for name in sorted({name for rows in releases.values() for name in rows.types}):
        fields = {minor: releases[minor].types[name] for minor in minors if name in releases[minor].types}
        module, _, rest = name.partition(".")
        types.setdefault(module, {})[rest] = [
            (field, first, last, *cells)
            for field in sorted({field for rows in fields.values() for field in rows})
            for first, last, cells in eras_of(minors, {m: rows[field] for m, rows in fields.items() if field in rows})
        ]
    prefixes = {prefix: module for rows in releases.values() for prefix, module in rows.prefixes.items()}
    return History(types, list(_kinds(minors, releases)), dict(sorted(prefixes.items())))


def texts(releases: Mapping[int, Mapping[str, str]]) -> list[Row]:
    """Named texts of several releases (minor -> name -> text), as rows of (name, first, last, text)."""
    minors = sorted(releases)
    return [
        (name, first, last, *cells)
        for name in sorted({name for found in releases.values() for name in found})
        for first, last, cells in eras_of(minors, {m: (releases[m][name],) for m in minors if name in releases[m]})
    ]


def release_runs(minors: list[int], having: Container[int]) -> Iterator[tuple[int, int | None]]:
    """The runs of consecutive releases in `having`, as first and last; None as the last if still valid."""
    for first, last, _ in eras_of(minors, {minor: () for minor in minors if minor in having}):
        yield first, last


def eras_of(minors: list[int], cells: Mapping[int, Row]) -> Iterator[tuple[int, int | None, Row]]:
    """The runs of consecutive releases with the same cells."""
    first: int | None = None
    for position, minor in enumerate(minors):
        if minor not in cells:
            continue
        if first is None:
            first = minor
        after = minors[position + 1] if position + 1 < len(minors) else None
        if after is None:
            yield first, None, cells[minor]
        elif cells.get(after) != cells[minor]:
            yield first, minor, cells[minor]
            first = None


def _kinds(minors: list[int], releases: Mapping[int, Rows]) -> Iterator[Row]:
    for key in sorted({key for rows in releases.values() for key in rows.kinds}):
        cells = {minor: rows.kinds[key] for minor, rows in releases.items() if key in rows.kinds}
        scope = _scope(key, cells)
        filled = {minor: _trim((name, scope, accepted)) for minor, (name, _, accepted) in cells.items()}
        for first, last, row in eras_of(minors, filled):
            yield (*key, first, last, *row)


def _scope(key: KindKey, cells: Mapping[int, KindColumns]) -> bool | None:
    """True if a kind is namespaced, None if no release states it. The scope of a kind never changes."""
    scopes = {namespaced for _, namespaced, _ in cells.values() if namespaced is not None}
    if len(scopes) > 1:
        raise SpecError("snapshots", f"one scope of {key[0]} {key[1]} in all releases", found="two")
    return scopes.pop() if scopes else None


def _trim(cells: KindColumns) -> Row:
    trimmed = list(cells)
    while trimmed[-1] is None:
        trimmed.pop()
    return tuple(trimmed)
