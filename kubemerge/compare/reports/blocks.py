"""The changes of a step for reports: changes common to many kinds, or to lists and their items, are shown once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ...apiserver.text.text import some
from ..folding import folded, rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..folding import Key, Shared
    from ..model import RuleChange

MOST_NAMES = 9
"""Maximum number of kinds in a heading: the number of kinds with a Pod template."""


_WHOLE = (
    ("kinds removed (breaking)", "kind removed", "breaking"),
    ("kinds added (info)", "kind added", "info"),
    ("kinds removed that users do not apply (info)", "kind removed", "info"),
)


@dataclass(frozen=True)
class BlockRow:
    """One change, or the same change at several places."""

    severity: str
    path: str
    aspects: tuple[str, ...]
    effect: str


@dataclass(frozen=True)
class Block:
    """Changes that exactly these kinds have in common."""

    title: str
    rows: tuple[BlockRow, ...]


def counted(counts: Mapping[str, int]) -> str:
    """Counts in words, without zeros: `2 breaking, 1 info`."""
    return ", ".join(f"{number} {severity}" for severity, number in counts.items() if number)


def whole_kinds(changes: Sequence[RuleChange]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The kinds that were added or removed, the worst first: a heading, and (apiVersion, names of kinds)."""
    for heading, aspect, severity in _WHOLE:
        found = sorted(
            (change for change in changes if aspect in change.aspects and change.severity == severity),
            key=lambda change: change.key,
        )
        if found:
            by_version = groupby(found, lambda change: change.api_version)
            yield heading, [(version, ", ".join(map(_with_successor, group))) for version, group in by_version]


def _with_successor(change: RuleChange) -> str:
    """A removed kind with its replacement: `CronJob (use batch/v1)`."""
    way = change.effect.partition(" (")[2].removesuffix(")") if "kind removed" in change.aspects else ""
    if way.startswith("use ") and way.endswith(f" {change.kind}"):
        way = way.removesuffix(f" {change.kind}")
    return f"{change.kind} ({way})" if way.startswith("use ") else change.kind


def blocks(changes: Sequence[RuleChange]) -> list[Block]:
    """The changes of fields, the worst and the most common ones first."""
    of_fields = (one for one in _without_lists(changes) if one.aspects[0] not in ("kind added", "kind removed"))
    return [Block(_title(one.kinds), _rows(one)) for one in folded(of_fields, _fact)]


def _fact(change: RuleChange) -> tuple[object, ...]:
    """The properties by which changes are grouped: a field of a type is one fact, whatever its paths."""
    return _name(change), change.severity, change.aspects, change.effect


def _name(change: RuleChange) -> str:
    return change.place.partition(".")[2] or change.path


def _rows(shared: Shared) -> tuple[BlockRow, ...]:
    rows = [row for found in shared.changes for row in _rows_of(found)]
    return tuple(sorted(rows, key=lambda row: (rank(row.severity), row.path)))


def _without_lists(changes: Sequence[RuleChange]) -> list[RuleChange]:
    """The changes, except those that a list kind has only because of its items."""
    known = {(change.api_version, change.kind, change.path, change.aspects) for change in changes}
    return [change for change in changes if _of_an_item(change) not in known]


def _of_an_item(change: RuleChange) -> tuple[object, ...] | None:
    """A change of a list kind as a change of its items; None for other changes."""
    if not (change.kind.endswith("List") and change.path.startswith("items.")):
        return None
    kind, path = change.kind.removesuffix("List"), change.path.removeprefix("items.")
    return change.api_version, kind, path, change.aspects


def _rows_of(found: Sequence[RuleChange]) -> list[BlockRow]:
    """A row for each path if all kinds have the same paths, else one row with the field by its type."""
    paths: dict[Key, list[str]] = {}
    for change in found:
        paths.setdefault(change.key, []).append(change.path)
    first = found[0]
    same = next(iter(paths.values()))
    shown = same if all(one == same for one in paths.values()) else [_name(first)]
    return [BlockRow(first.severity, path or "the whole object", first.aspects, first.effect) for path in shown]


def _title(keys: Iterable[Key]) -> str:
    """The kinds by name, each with its apiVersions: `Deployment of apps/v1 and apps/v1beta1`."""
    versions: dict[str, list[str]] = {}
    for api_version, kind in sorted(keys, key=lambda key: (key[1], key[0])):
        versions.setdefault(kind, []).append(api_version)
    if len(versions) == 1:
        ((kind, found),) = versions.items()
        return f"{kind} of {', '.join(found)}"
    names = list(versions)
    shown = len(names) if len(names) <= MOST_NAMES + 1 else MOST_NAMES
    return f"{len(names)} kinds: {some(names, shown)}"
