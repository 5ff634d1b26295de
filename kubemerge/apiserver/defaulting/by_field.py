"""The default values of a field, for programs that describe fields."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .fill import plan_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .fill import Plan
    from .rules import Default


def defaults_at(api_version: str, kind: str, path: str, minor: int) -> list[Default]:
    """Return the rows that may set a field. `path` has no elements: `spec.template.spec.containers.ports.protocol`."""
    return [default for place, default in _rows(api_version, kind, minor) if place == path]


@lru_cache(maxsize=64)
def _rows(api_version: str, kind: str, minor: int) -> tuple[tuple[str, Default], ...]:
    return tuple(_below(plan_of(api_version, kind, minor), ""))


def _below(plan: Plan, at: str) -> Iterator[tuple[str, Default]]:
    for row in plan.rows:
        yield f"{at}{row.default.field}", row.default
    for place in plan.places:
        yield from _below(place.plan(), f"{at}{place.position.path.replace('[]', '').replace('?', '')}.")
