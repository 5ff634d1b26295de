"""Many changes as few: what several kinds share is told once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ..compare.model import SEVERITIES
from ..output.words import client_side, noun, server_side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Rule

    from ..compare.model import RuleChange

Key = tuple[str, str]
"""A kind: its apiVersion and its name."""

SYMBOLS = {"breaking": "!", "notable": "~", "info": "+"}
"""How a severity is told without colour."""


@dataclass(frozen=True)
class Words:
    """A rule in words."""

    noun: str
    client: str
    server: str


@dataclass(frozen=True)
class Row:
    """A change that all kinds of a bundle have, with its rules in words."""

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
    rows: tuple[Row, ...]


def bundled(changes: Iterable[RuleChange]) -> list[Bundle]:
    """The changes of a step, the worst and the most common ones first."""
    kinds: dict[tuple[object, ...], list[Key]] = {}
    first: dict[tuple[object, ...], RuleChange] = {}
    for change in changes:
        fact = _fact(change)
        kinds.setdefault(fact, []).append(change.key)
        first.setdefault(fact, change)
    shared: dict[tuple[Key, ...], list[RuleChange]] = {}
    for fact, keys in kinds.items():
        shared.setdefault(tuple(keys), []).append(first[fact])
    bundles = [Bundle(keys, tuple(map(_row, sorted(found, key=_badness)))) for keys, found in shared.items()]
    return sorted(bundles, key=_order)


def _fact(change: RuleChange) -> tuple[object, ...]:
    """What a change says, whatever kind it says it of."""
    return change.path, change.aspects, change.severity, change.effect, change.before, change.after


def _badness(change: RuleChange) -> tuple[int, str]:
    return SEVERITIES.index(change.severity), change.path


def _order(bundle: Bundle) -> tuple[object, ...]:
    return SEVERITIES.index(bundle.rows[0].change.severity), -len(bundle.kinds), bundle.kinds


def _row(change: RuleChange) -> Row:
    return Row(change, words(change.before), words(change.after))


@cache
def words(rule: Rule | None) -> Words | None:
    """A rule in words; there are few rules and many changes."""
    return Words(noun(rule), client_side(rule), server_side(rule)) if rule else None
