"""The page of migrations to server-side apply."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..migrate.report import SECTIONS, STATES, fixes, summary
from ..migrate.tools import TOOLS
from ..output.secrets import Shown
from .rendering import page
from .values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..migrate.places import MigratedField
    from ..migrate.plan import Migration
    from ..migrate.report import Planned
    from .values import Value

STYLES = {
    "refused": ("✕", "b"),
    "conflict": ("!", "b"),
    "left behind": ("~", "n"),
    "untracked": ("?", "t"),
    "ready": ("=", "g"),
    "new": ("+", "g"),
}
"""The state of an object -> its sign and colour."""
LISTS = {
    "conflicts": ("conflict", "!", "b"),
    "taken": ("taken over", "~", "n"),
    "left": ("left behind", "~", "n"),
    "shared": ("shared", "≈", "p"),
    "removed": ("removed", "−", "b"),  # noqa: RUF001 - a minus sign
    "changed": ("changed", "±", "n"),
}
"""A list of a migration -> the name of its fields, the sign and the colour."""


@dataclass(frozen=True)
class MigrationRow:
    """One field."""

    path: str
    kind: str
    meaning: str
    config: Value | None
    live: Value | None
    owners: tuple[str, ...]

    @property
    def look(self) -> tuple[str, str, str]:
        """The title, the sign and the colour."""
        return LISTS[self.kind]


@dataclass(frozen=True)
class MigratedObject:
    """One object of the page."""

    number: int
    planned: Planned
    rows: tuple[MigrationRow, ...]
    ways: tuple[tuple[str, str], ...]

    @property
    def migration(self) -> Migration:
        """The predicted migration."""
        return self.planned.migration

    @property
    def look(self) -> tuple[str, str]:
        """The sign and the colour of its state."""
        return STYLES[self.migration.state]


def migrate_page(planned: Sequence[Planned], *, secrets: bool = False) -> str:
    """The page of these objects. Those that need manual work come first."""
    order = [*STATES]
    sorted_by_state = sorted(planned, key=lambda one: order.index(one.migration.state))
    objects = [_object(number, one, secrets) for number, one in enumerate(sorted_by_state)]
    states = Counter(one.migration.state for one in planned)
    kinds = Counter(row.kind for one in objects for row in one.rows)
    return page(
        "migrate.html.j2",
        title=planned[0].inputs.title if len(planned) == 1 else f"{len(planned)} objects",
        lead=summary(planned) if planned else "",
        tool=TOOLS[planned[0].migration.by].title if planned else "",
        objects=objects,
        tiles=[(state, states[state], *STYLES[state]) for state in STYLES if states[state]],
        kinds=[(kind, kinds[kind], *LISTS[kind]) for kind in LISTS if kinds[kind]],
    )


def _object(number: int, planned: Planned, secrets: bool) -> MigratedObject:
    inputs = planned.inputs
    documents = Shown(inputs.live.content if inputs.live else None, inputs.config, secrets=secrets)
    rows = [_row(place, kind, documents) for kind in LISTS for place in getattr(planned.migration, kind)]
    return MigratedObject(number, planned, tuple(rows), tuple(fixes(planned)))


def _row(place: MigratedField, kind: str, documents: Shown) -> MigrationRow:
    live, config = documents.at(place.steps, place.live, place.config)
    return MigrationRow(place.path, kind, SECTIONS[kind], shown(config), shown(live), tuple(map(str, place.owners)))
