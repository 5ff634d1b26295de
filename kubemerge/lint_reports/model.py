"""What lint found, as data: every report is printed from these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..output.text import how_many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Finding

    from ..manifests.identity import ObjectId


@dataclass(frozen=True)
class Found:
    """A finding, and where it stands in the file."""

    finding: Finding
    line: int
    column: int


@dataclass(frozen=True)
class Linted:
    """One object, where it begins, and what was found in it, in the order of the lines."""

    source: str
    title: str
    id: ObjectId
    line: int
    found: tuple[Found, ...]


@dataclass(frozen=True)
class Unread:
    """Something that could not be read or linted, and why."""

    source: str
    line: int
    problem: str


@dataclass(frozen=True)
class Report:
    """Everything that one run of lint has to say."""

    linted: Sequence[Linted]
    unread: Sequence[Unread]

    def findings(self) -> Iterator[tuple[Linted, Found]]:
        """Every finding with its object."""
        return ((one, found) for one in self.linted for found in one.found)

    @property
    def summary(self) -> str:
        """How much was found, in a line."""
        count = sum(len(one.found) for one in self.linted)
        touched = sum(bool(one.found) for one in self.linted)
        objects = how_many(len(self.linted), "object")
        return f"{how_many(count, 'finding')} in {touched} of {objects}" if count else f"no findings in {objects}"
