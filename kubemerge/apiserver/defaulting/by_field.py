"""The default values of a field, for programs that describe fields."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..registry.table import find
from .fill import defaults_of
from .type_positions import PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..registry.record import KindRecord
    from .rules import Default

_DEPTH = 8
"""Maximum nesting of the table's types."""


def defaults_at(api_version: str, kind: str, path: str, minor: int) -> list[Default]:
    """Return the rows that may set a field. `path` has no elements: `spec.template.spec.containers.ports.protocol`."""
    return [default for place, default in _rows(api_version, kind, minor) if place == path]


@lru_cache(maxsize=64)
def _rows(api_version: str, kind: str, minor: int) -> tuple[tuple[str, Default], ...]:
    record = find(api_version, kind)
    if record is None:
        return ()
    name = f"{api_version} {record.kind}"
    types = (name,) if name in record.places else (name, record.kind)
    return tuple(_below(types, "", record, minor, _DEPTH))


def _below(
    types: tuple[str, ...], at: str, record: KindRecord, minor: int, depth: int
) -> Iterator[tuple[str, Default]]:
    for default in defaults_of(types, minor, record.versions[0], record.kind):
        yield f"{at}{default.field}", default
    for place in record.places.get(types[-1]) or PLACES.get(types[-1], ()) if depth else ():
        inside = f"{at}{place.path.replace('[]', '').replace('?', '')}."
        yield from _below((place.type,), inside, record, minor, depth - 1)
