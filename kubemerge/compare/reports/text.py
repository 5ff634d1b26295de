"""Comparisons and replays as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.directives import ANNOTATION
from engine.errors import spans
from engine.values.go_json import encode

from ...apiserver.text.text import shown
from ..model import SEVERITIES
from .blocks import blocks, counted, whole_kinds
from .facts import by_severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..model import Comparison, Group, Replay, Split, Step
    from .blocks import Block

NOTHING = "nothing merges differently"
_WIDEST = 60
"""Maximum length of a path for which the next column is aligned; longer values are cut."""


def comparison_text(comparison: Comparison) -> str:
    """A comparison: a summary, then each step with its kinds."""
    first, last = comparison.sides[0], comparison.sides[-1]
    lines = [f"{first} to {last}: {counted(by_severity(comparison.changes)) or NOTHING}"]
    if len(comparison.steps) > 1 and comparison.changes:
        lines += ["", *_summary(comparison.steps)]
    for step in comparison.steps:
        if step.changes:
            lines += ["", *_step(step, named=len(comparison.steps) > 1)]
    return "\n".join(map(shown, lines))


def _summary(steps: Sequence[Step]) -> Iterator[str]:
    names = [title(step) for step in steps]
    width = max(map(len, names))
    yield f"  {'':{width}}" + "".join(f"  {severity:>8}" for severity in SEVERITIES)
    for name, step in zip(names, steps, strict=True):
        yield f"  {name:{width}}" + "".join(f"  {number or '-':>8}" for number in by_severity(step.changes).values())


def title(step: Step) -> str:
    """A step's name: `1.12 to 1.13`."""
    return f"{step.left} to {step.right}"


def _step(step: Step, *, named: bool) -> Iterator[str]:
    if named:
        yield f"{title(step)}: {counted(by_severity(step.changes))}"
    gap = named
    for heading, found in whole_kinds(step.changes):
        yield from [""] * gap + [heading] + [f"  {api_version}: {names}" for api_version, names in found]
        gap = True
    for block in blocks(step.changes):
        yield from [""] * gap + [*_block(block)]
        gap = True


def _block(block: Block) -> Iterator[str]:
    width = min(max(len(row.path) for row in block.rows), _WIDEST)
    yield block.title
    for row in block.rows:
        yield f"  {row.severity:8}  {row.path:{width}}  {row.effect}"


def replay_text(replay: Replay) -> str:
    """A replay: the releases with equal results, and the reasons for other results."""
    names = [_sides(group) for group in replay.groups]
    width = max(map(len, names))
    lines = [replay.name]
    lines += [f"  {name:{width}}  {_result(group)}" for name, group in zip(names, replay.groups, strict=True)]
    for split in replay.splits:
        lines += ["", *_split(split)]
    return "\n".join(map(shown, lines))


def _sides(group: Group) -> str:
    return named(group.releases)


def named(sides: Sequence[str]) -> str:
    """Sides by name, releases in spans: `1.9 to 1.12`."""
    releases = all(side.startswith("1.") and side[2:].isascii() and side[2:].isdigit() for side in sides)
    return spans(sides) if releases else ", ".join(sides)


def _result(group: Group) -> str:
    if group.outcome is None:
        return f"no result: {group.problem}"
    outcome = group.outcome
    patch = "" if outcome.patch_type in ("create", "none") else f" by {cut(_bare(outcome.patch))}"
    return f"{outcome.result}{patch}"


def _bare(patch: dict[str, Any]) -> dict[str, Any]:
    """A patch without the last-applied annotation, which only repeats the config."""
    metadata = patch.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(annotations, dict) or ANNOTATION not in annotations:
        return patch
    kept = {key: value for key, value in annotations.items() if key != ANNOTATION}
    rest = {**metadata, "annotations": kept}
    bare = {key: value for key, value in rest.items() if value != {}}
    return {key: value for key, value in {**patch, "metadata": bare}.items() if key != "metadata" or value}


def _split(split: Split) -> Iterator[str]:
    yield f"{split.at} gives a different result than {split.previous}:"
    rows = [
        (difference.path, f"{value(difference.before)} -> {value(difference.after)}")
        for difference in split.differences
    ]
    yield from _table(rows)
    if split.rules:
        yield "because these rules differ:"
        yield from _table((change.path or "the kind", change.effect) for change in split.rules)


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    found = list(rows)
    width = min(max(len(path) for path, _ in found), _WIDEST)
    for path, text in found:
        yield f"  {path:{width}}  {text}"


def value(given: Any) -> str:
    """A value on one line, cut if it is long; `nothing` if it is missing."""
    return "nothing" if given is None else cut(given)


def cut(given: Any) -> str:
    """A value as JSON that fits a line."""
    text = encode(given)
    return text if len(text) <= _WIDEST + 20 else f"{text[: _WIDEST + 16]} ..."
