"""The effects of an upgrade on a folder of objects, as text and Markdown: a summary, then each change once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.text.text import how_many, shown, some
from ..model import SEVERITIES
from ..upgrade.folded import folded, summary
from .blocks import counted
from .text import replay_text, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..model import Replay
    from ..upgrade.folded import Fold, Summary

MOST = 10
"""Maximum number of objects named below a change; JSON names all."""
MOST_ON_A_LINE = 3


def upgrade_text(replays: Sequence[Replay], sides: Sequence[str], hidden: Mapping[str, int]) -> str:
    """The summary, the changes and, for merges that differ, the results of the apply.

    `hidden` contains the severities that are not shown, with the number of their changes.
    """
    folds = folded(replays)
    found = summary(replays, folds)
    lines = [headline(found, sides)]
    if len(found.by_side) > 1:
        lines += ["", *_sides(found, hidden)]
    if any(hidden.values()):
        lines += ["", hidden_changes(hidden)]
    for one in folds:
        lines += ["", *_fold(one)]
    blocks = [replay_text(one) for one in replays if one.splits and one.findings]
    return "\n\n".join(["\n".join(map(shown, lines)), *blocks])


def headline(found: Summary, sides: Sequence[str]) -> str:
    """The number of objects that change between the first side and the last."""
    span = f"{sides[0]} to {sides[-1]}"
    if not found.changed:
        return f"{span}: {how_many(found.objects, 'object')}, no changes"
    those = f"{found.changed} of {how_many(found.objects, 'object')}"
    return f"{span}: {those} {'changes' if found.changed == 1 else 'change'} ({counted(found.by_severity)})"


def hidden_changes(hidden: Mapping[str, int]) -> str:
    """The number of hidden changes, and the option to show them; empty if none is hidden."""
    number = sum(hidden.values())
    if not number:
        return ""
    least = [severity for severity, count in hidden.items() if count][-1]
    noun = " change" if number == 1 else " changes"
    return f"{counted(hidden)}{noun} hidden (use --severity {least} to show {('it' if number == 1 else 'them')})"


def refused_throughout(replays: Sequence[Replay]) -> str:
    """A message about objects that every side rejects, if any. Without it, "no changes" suggests valid objects."""
    refused = [f"{one.name} of {one.source}:{one.line}" for one in replays if one.is_refused_throughout]
    if not refused:
        return ""
    does = "is rejected or loses a field" if len(refused) == 1 else "are rejected or lose a field"
    named = some(refused, MOST_ON_A_LINE)
    return (
        f"{how_many(len(refused), 'object')} {does} in every release compared, so the upgrade does not affect "
        f"{('it' if len(refused) == 1 else 'them')}: {named}"
    )


def _sides(found: Summary, hidden: Mapping[str, int]) -> Iterator[str]:
    width = max(map(len, found.by_side))
    severities = [one for one in SEVERITIES if one not in hidden]
    yield f"  {'':{width}}" + "".join(f"  {severity:>8}" for severity in severities)
    for side, counts in found.by_side.items():
        yield f"  {side:{width}}" + "".join(f"  {counts[severity] or '-':>8}" for severity in severities)


def _fold(one: Fold) -> Iterator[str]:
    found = one.finding
    yield f"{found.at} {found.severity}: {sentence(one)}"
    if found.advice:
        yield f"  -> {found.advice}"
    if found.source:
        yield f"  (source: {found.source})"
    yield from (f"  {name}" for name in names(one))


def sentence(one: Fold) -> str:
    """The effect, with the field and its values."""
    found = one.finding
    field = f"{one.path}: " if one.path else ""
    values = "" if found.before is None and found.after is None else f", {value(found.before)} -> {value(found.after)}"
    return f"{field}{found.text}{values}"


def names(one: Fold) -> Iterator[str]:
    """The objects of a change, each with its place; only the first ones if there are many."""
    for replay in one.replays[:MOST]:
        yield f"{replay.name}  {replay.source}:{replay.line}"
    if len(one.replays) > MOST:
        yield f"and {len(one.replays) - MOST} more"
