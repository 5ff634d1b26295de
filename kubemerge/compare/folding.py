"""Grouping changes: a change shared by several kinds is shown once, in the same way in every report."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .model import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from .model import RuleChange

    Key = tuple[str, str]
    """A kind: its apiVersion and its name."""


class Shared(NamedTuple):
    """The changes that exactly these kinds have in common."""

    kinds: tuple[Key, ...]
    changes: list[list[RuleChange]]
    """One list of changes for each fact, with at least one change per kind."""


def folded(changes: Iterable[RuleChange], fact: Callable[[RuleChange], Hashable]) -> list[Shared]:
    """The changes by the kinds that share them, the worst and the most common ones first.

    `fact` returns the content of a change without its kind, severity included.
    """
    alike: dict[Hashable, list[RuleChange]] = {}
    for change in changes:
        alike.setdefault(fact(change), []).append(change)
    shared: dict[frozenset[Key], Shared] = {}
    for found in alike.values():
        kinds = dict.fromkeys(change.key for change in found)
        shared.setdefault(frozenset(kinds), Shared(tuple(kinds), [])).changes.append(found)
    return sorted(shared.values(), key=_order)


def _order(one: Shared) -> tuple[object, ...]:
    return min(rank(found[0].severity) for found in one.changes), -len(one.kinds), one.kinds


def rank(severity: str) -> int:
    """The rank of a severity: the worst is 0."""
    return SEVERITIES.index(severity)
