"""One apply under the rules of each of several releases: equal results, and the releases where the result changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from engine.paths import ELEMENT, parse_fields
from engine.values.plain import same

from ..offline.conversion import conversion
from ..output.secrets import Shown
from .chain import at_least, compare
from .model import Group, Replay, Result, RuleChange, Split
from .results import differences
from .upgrade.findings import findings_of
from .upgrade.stored import Simulation, play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..offline.pairs import Inputs
    from .chain import Side
    from .model import Difference, Finding


def replay(inputs: Inputs, sides: Sequence[Side]) -> Replay:
    """Apply one object by the tables of each side, in order.

    A kind of an unknown group is applied as kubectl applies a custom resource without its definition.
    """
    key, known = key_of(inputs.config), is_known(inputs.config, sides)
    played = [play(inputs, key, sides[: at + 1], known=known) for at in range(len(sides))]
    with_result = [(one.side, one.merged) for one in played if one.merged is not None]
    splits = [_split(key, one, other, known) for one, other in pairwise(with_result) if not same(one[1], other[1])]
    shown = Shown(inputs.live.content if inputs.live else None, inputs.config)
    way = _advice(inputs, sides)
    return Replay(
        inputs.title,
        inputs.manifest.source,
        shown.other(inputs.config),
        shown.other(inputs.live.content) if inputs.live else None,
        shown.other(inputs.last_applied),
        tuple(_group(one, names, shown) for one, names in _grouped(played)),
        tuple(one for one in splits if one.differences),
        tuple(_shown(one, shown, way) for one in findings_of(key, inputs.config, played)),
        inputs.config["metadata"].get("namespace") or "",
        inputs.manifest.line,
        inputs.manifest.item,
    )


def key_of(config: dict[str, Any]) -> tuple[str, str]:
    """The apiVersion and the kind of an object."""
    return config["apiVersion"], config["kind"]


def is_known(config: dict[str, Any], sides: Sequence[Side]) -> bool:
    """Whether any side has the kind of an object."""
    return any(key_of(config) in side.tables for side in sides)


def _advice(inputs: Inputs, sides: Sequence[Side]) -> str:
    """The fix for a version that is removed, including whether the file can be rewritten."""
    release = sides[-1].tables.release
    found = conversion(inputs.config, release) if release else None
    if found is None or not found.api_version:
        return found.problem if found else ""
    to = f"migrate to {found.api_version} {found.kind}"
    return f"{to} manually, because {found.problem}" if found.problem else f"{to} (`--write` does this for you)"


def _shown(one: Finding, shown: Shown, way: str) -> Finding:
    """A finding with its fix, and without the values of a Secret."""
    if way and not one.path and one.sort in ("gone", "deprecated"):
        one = replace(one, advice=way)
    if not shown.hides:
        return one
    if one.sort == "refused":
        return replace(one, text="the API server rejects the object (see kubemerge lint)")
    return one if shown.may_print(parse_fields(one.path)) else replace(one, before=None, after=None)


def _grouped(played: Sequence[Simulation]) -> list[tuple[Simulation, list[str]]]:
    """Groups of equal results: the first of each, with the names of all its sides."""
    found: list[tuple[Simulation, list[str]]] = []
    for one in played:
        names = next((names for first, names in found if _same_result(first, one)), None)
        if names is None:
            found.append((one, [one.side.name]))
        else:
            names.append(one.side.name)
    return found


def _group(one: Simulation, names: Sequence[str], shown: Shown) -> Group:
    outcome = one.outcome
    if outcome is None:
        return Group(tuple(names), None, one.problem)
    patch, merged = shown.patch(outcome.patch), shown.other(one.merged)
    return Group(tuple(names), Result(outcome.result, outcome.patch_type, patch, merged, outcome.warnings))


def _same_result(one: Simulation, other: Simulation) -> bool:
    if one.outcome is None or other.outcome is None:
        return one.outcome is other.outcome and one.problem == other.problem
    return same(one.merged, other.merged)


def _split(
    key: tuple[str, str], before: tuple[Side, dict[str, Any]], after: tuple[Side, dict[str, Any]], known: bool
) -> Split:
    """The differences between two results, and their causes. A null differs from a missing field, but not by a rule."""
    (left, old), (right, new) = before, after
    found = differences(old, new, right.tables.schema(*key) if known else None)
    found = tuple(one for one in found if not one.is_null)
    return Split(right.name, left.name, found, _causes(key, left, right, found))


def _causes(key: tuple[str, str], before: Side, after: Side, found: Sequence[Difference]) -> tuple[RuleChange, ...]:
    """The rules that merge differently on the path to a difference or below it."""
    places = [_fields(difference.path) for difference in found]
    return tuple(
        change
        for change in at_least(compare([before, after], [key]), "breaking").changes
        if any(_is_on_path(_fields(change.path), place) for place in places)
    )


def _fields(path: str) -> list[object]:
    """The names of the fields on a path, without keys or positions of elements."""
    return [step for step in parse_fields(path) if step is not ELEMENT]


def _is_on_path(rule: list[object], place: list[object]) -> bool:
    return all("*" in (step, other) or step == other for step, other in zip(rule, place, strict=False))
