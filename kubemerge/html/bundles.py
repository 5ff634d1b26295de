"""The changes of a step for the page, with rules in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ..compare.folding import folded, rank
from ..output.words import client_side, noun, server_side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Rule

    from ..compare.folding import Key, Shared
    from ..compare.model import RuleChange

SYMBOLS = {"breaking": "!", "notable": "~", "info": "+"}
"""The sign of a severity, for pages without colour."""


@dataclass(frozen=True)
class Words:
    """A rule in words."""

    noun: str
    client: str
    server: str


@dataclass(frozen=True)
class BundleRow:
    """A change that all kinds of a bundle share, with its rules in words."""

    change: RuleChange
    before: Words | None
    after: Words | None

    @property
    def symbol(self) -> str:
        """The severity as one character."""
        return SYMBOLS[self.change.severity]


@dataclass(frozen=True)
class Bundle:
    """Changes that exactly these kinds have in common."""

    kinds: tuple[Key, ...]
    rows: tuple[BundleRow, ...]


def bundled(changes: Iterable[RuleChange]) -> list[Bundle]:
    """The changes of a step, the worst and the most common ones first."""
    return [Bundle(one.kinds, _rows(one)) for one in folded(changes, _fact)]


def _fact(change: RuleChange) -> tuple[object, ...]:
    return change.path, change.aspects, change.severity, change.effect, change.before, change.after


def _rows(shared: Shared) -> tuple[BundleRow, ...]:
    """A row for each fact, the worst first."""
    alike = sorted((found[0] for found in shared.changes), key=lambda one: (rank(one.severity), one.path))
    return tuple(map(_row, alike))


def _row(change: RuleChange) -> BundleRow:
    return BundleRow(change, words(change.before), words(change.after))


@cache
def words(rule: Rule | None) -> Words | None:
    """A rule in words. Cached, because there are few rules and many changes."""
    return Words(noun(rule), client_side(rule), server_side(rule)) if rule else None
