"""The page of live objects with the owners of each field."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ownership.fields import GONE, IDENTITY, INSIDE, NOBODYS, PARENT, WHOLE
from .rendering import page
from .values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Owner

    from ..ownership.fields import Owned, OwnedField
    from .values import Value

KINDS = {"one owner": ("=", "g"), "several owners": ("≈", "p"), "nobody": ("·", "n"), "not there": ("?", "b")}
"""Ownership of a field -> its sign and colour."""


@dataclass(frozen=True)
class OwnerRow:
    """One field."""

    path: str
    kind: str
    value: Value | None
    owners: tuple[Owner, ...]
    note: str

    @property
    def sign(self) -> tuple[str, str]:
        """The sign and the colour of the ownership."""
        return KINDS[self.kind]


@dataclass(frozen=True)
class OwnedObject:
    """One object of the page."""

    number: int
    title: str
    owned: Owned
    rows: tuple[OwnerRow, ...]

    @property
    def namespace(self) -> str:
        """The namespace of the object, if it has one."""
        return str(self.owned.live["metadata"].get("namespace") or "")

    @property
    def managers(self) -> list[tuple[Owner, int]]:
        """The managers, each with its number of fields."""
        return [(one, number) for one in self.owned.managers if (number := self.owned.count(one))]


def owners_page(found: Sequence[tuple[str, Owned]]) -> str:
    """The page of these objects, each with its title. Secret values are already masked."""
    objects = [
        OwnedObject(
            number, title, owned, tuple([_row(one) for one in owned if one.state not in (IDENTITY, INSIDE, PARENT)])
        )
        for number, (title, owned) in enumerate(found)
    ]
    counts = Counter(row.kind for one in objects for row in one.rows)
    return page(
        "owners.html.j2",
        title=objects[0].title if len(objects) == 1 else f"{len(objects)} objects",
        objects=objects,
        kinds=[(kind, counts[kind], *KINDS[kind]) for kind in KINDS if counts[kind]],
    )


def _row(one: OwnedField) -> OwnerRow:
    value = None if one.inside and one.state != WHOLE else shown(one.value)
    return OwnerRow(one.path, _kind(one), value, one.owners, "as a whole" if one.state == WHOLE else "")


def _kind(one: OwnedField) -> str:
    if one.state == GONE:
        return "not there"
    return "nobody" if one.state == NOBODYS else "one owner" if len(one.owners) == 1 else "several owners"
