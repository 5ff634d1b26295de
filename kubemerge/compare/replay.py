"""One apply under the rules of each of several releases: which give the same result, and where it changes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.paths import ELEMENT, parse_fields
from engine.tables.served import moved, unserved
from engine.values.plain import same

from ..output.secrets import Shown
from .chain import at_least, compare
from .model import Group, Replay, Result, RuleChange, Split
from .results import differences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Outcome

    from ..offline.pairs import Inputs
    from .chain import Side
    from .model import Difference


class _Played(NamedTuple):
    side: Side
    outcome: Outcome | None
    problem: str


def replay(inputs: Inputs, sides: Sequence[Side]) -> Replay:
    """Apply one object by the tables of each side, in order.

    A kind of an unknown group is applied as kubectl applies a custom resource without its definition.
    """
    key = inputs.config["apiVersion"], inputs.config["kind"]
    known = any(key in side.tables for side in sides)
    played = [_play(inputs, key, sides[: at + 1], known) for at in range(len(sides))]
    there = [(one.side, one.outcome.merged) for one in played if one.outcome is not None]
    splits = [_split(key, one, other, known) for one, other in pairwise(there) if not same(one[1], other[1])]
    shown = Shown(inputs.live.content if inputs.live else None, inputs.config)
    return Replay(
        inputs.title,
        inputs.manifest.source,
        shown.other(inputs.config),
        shown.other(inputs.live.content) if inputs.live else None,
        shown.other(inputs.last_applied),
        tuple(_group(one, names, shown) for one, names in _alike_ones(played)),
        tuple(splits),
    )


def _play(inputs: Inputs, key: tuple[str, str], until: Sequence[Side], known: bool) -> _Played:
    """The result of an apply under the rules of the last of these sides."""
    side = until[-1]
    problem = _lacking(key, until, known)
    if problem:
        return _Played(side, None, problem)
    schema = side.tables.schema(*key) if known else None
    live = inputs.live.content if inputs.live else None
    try:
        return _Played(side, engine.apply(inputs.config, live, schema, last_applied=inputs.given), "")
    except engine.MergeError as error:
        return _Played(side, None, str(error))


def _lacking(key: tuple[str, str], until: Sequence[Side], known: bool) -> str:
    """Why the last side cannot apply a kind: it lacks it, and where it is instead; empty if it can."""
    tables = until[-1].tables
    if key in tables:
        return ""
    if not known:
        return unserved(key, tables)
    was_there = any(key in side.tables for side in until)
    now = moved(key, tables) if was_there else ""
    return f"there is no {key[1]} of {key[0]}{f'; {now}' if now else ''}"


def _alike_ones(played: Sequence[_Played]) -> list[tuple[_Played, list[str]]]:
    """Groups of equal results: the first of each, with the names of all its sides."""
    found: list[tuple[_Played, list[str]]] = []
    for one in played:
        names = next((names for first, names in found if _alike(first, one)), None)
        if names is None:
            found.append((one, [one.side.name]))
        else:
            names.append(one.side.name)
    return found


def _group(one: _Played, names: Sequence[str], shown: Shown) -> Group:
    outcome = one.outcome
    if outcome is None:
        return Group(tuple(names), None, one.problem)
    patch, merged = shown.patch(outcome.patch), shown.other(outcome.merged)
    return Group(tuple(names), Result(outcome.result, outcome.patch_type, patch, merged, outcome.warnings))


def _alike(one: _Played, other: _Played) -> bool:
    if one.outcome is None or other.outcome is None:
        return one.outcome is other.outcome and one.problem == other.problem
    return same(one.outcome.merged, other.outcome.merged)


def _split(
    key: tuple[str, str], before: tuple[Side, dict[str, Any]], after: tuple[Side, dict[str, Any]], known: bool
) -> Split:
    """Where two results differ, and why."""
    (left, old), (right, new) = before, after
    found = differences(old, new, right.tables.schema(*key) if known else None)
    return Split(right.name, left.name, found, _causes(key, left, right, found))


def _causes(key: tuple[str, str], before: Side, after: Side, found: Sequence[Difference]) -> tuple[RuleChange, ...]:
    """The rules that merge differently on the way to a difference or below it."""
    places = [_fields(difference.path) for difference in found]
    return tuple(
        change
        for change in at_least(compare([before, after], [key]), "breaking").changes
        if any(_on_one_line(_fields(change.path), place) for place in places)
    )


def _fields(path: str) -> list[object]:
    """The names of the fields on a path, without keys or positions of elements."""
    return [step for step in parse_fields(path) if step is not ELEMENT]


def _on_one_line(rule: list[object], place: list[object]) -> bool:
    return all("*" in (step, other) or step == other for step, other in zip(rule, place, strict=False))
