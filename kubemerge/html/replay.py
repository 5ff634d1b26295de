"""The page of replays: from which release on the result of an apply changes, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .bundles import Row as Rule
from .bundles import words
from .releases import order, ranges
from .rendering import page
from .tables import Head, against_the_last, neighbours
from .values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..compare.model import Group, Replay, Split
    from .tables import Table
    from .values import Value

_COLOURS = ("i", "n", "g", "p", "t", "b")


@dataclass(frozen=True)
class Labelled:
    """A group of releases with its letter and colour."""

    group: Group
    letter: str
    style: str
    releases: str


@dataclass(frozen=True)
class Field:
    """A field whose value changes with a release."""

    path: str
    before: Value | None
    after: Value | None


@dataclass(frozen=True)
class Break:
    """A release with another result: what differs, and the rules that caused it."""

    split: Split
    fields: tuple[Field, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Object:
    """One object of the page."""

    replay: Replay
    number: int
    groups: tuple[Labelled, ...]
    releases: tuple[tuple[str, Labelled, bool], ...]
    """Every release with its group, and whether the result splits there."""
    breaks: tuple[Break, ...]
    results: Table | None
    inputs: Table


def replay_page(replays: Sequence[Replay]) -> str:
    """The page of one or more applies, each under several releases."""
    objects = [_object(number, replay) for number, replay in enumerate(replays)]
    objects.sort(key=lambda one: len(one.groups) == 1)
    differing = sum(len(one.groups) > 1 for one in objects)
    return page(
        "replay.html.j2",
        title=objects[0].replay.title if len(objects) == 1 else f"{len(objects)} objects",
        objects=objects,
        tiles=[("differing", differing, "~", "n"), ("alike everywhere", len(objects) - differing, "=", "")],
    )


def _object(number: int, replay: Replay) -> Object:
    groups = tuple(_labelled(at, group, len(replay.groups)) for at, group in enumerate(replay.groups))
    split = {one.at for one in replay.splits}
    releases = sorted(
        ((name, labelled) for labelled in groups for name in labelled.group.releases), key=lambda one: order(one[0])
    )
    return Object(
        replay,
        number,
        groups,
        tuple((name, labelled, name in split) for name, labelled in releases),
        tuple(_break(one) for one in replay.splits),
        _results(groups),
        _inputs(replay),
    )


def _labelled(at: int, group: Group, many: int) -> Labelled:
    style = "failed" if group.outcome is None else _COLOURS[at % len(_COLOURS)] if many > 1 else "i"
    return Labelled(group, _letter(at), style, ranges(group.releases))


def _letter(at: int) -> str:
    return chr(ord("A") + at) if at < 26 else str(at + 1)


def _break(split: Split) -> Break:
    fields = tuple(Field(one.path, shown(one.before), shown(one.after)) for one in split.differences)
    return Break(split, fields, tuple(Rule(rule, words(rule.before), words(rule.after)) for rule in split.rules))


def _results(groups: Sequence[Labelled]) -> Table | None:
    columns: list[tuple[Head, Any]] = [
        (Head(labelled.letter, labelled.releases), labelled.group.outcome.merged)
        for labelled in groups
        if labelled.group.outcome is not None
    ]
    return neighbours(columns) if columns else None


def _inputs(replay: Replay) -> Table:
    columns = [("last applied", replay.last_applied), ("live", replay.live), ("config", replay.config)]
    return against_the_last([(Head(name), document) for name, document in columns if document is not None])
