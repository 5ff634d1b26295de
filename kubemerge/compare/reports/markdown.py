"""Comparisons and replays in Markdown, for issues and merge requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.text.text import shown
from ..model import SEVERITIES
from ..upgrade.folded import folded, summary
from .blocks import blocks, counted, whole_kinds
from .facts import by_severity
from .text import NOTHING, named, title, value
from .upgrade import headline, hidden_changes, names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Comparison, Group, Replay, Split, Step
    from ..upgrade.folded import Fold


def comparison_markdown(comparison: Comparison) -> str:
    """A comparison: a summary, then each step with its kinds."""
    first, last = comparison.sides[0], comparison.sides[-1]
    lines = [
        f"# {plain(first)} to {plain(last)}",
        "",
        f"{counted(by_severity(comparison.changes)) or NOTHING}".capitalize() + ".",
    ]
    if len(comparison.steps) > 1 and comparison.changes:
        rows = [[plain(title(step)), *map(str, by_severity(step.changes).values())] for step in comparison.steps]
        lines += ["", *_table(["step", *SEVERITIES], rows)]
    for step in comparison.steps:
        if step.changes:
            lines += _step(step, named_=len(comparison.steps) > 1)
    return "\n".join(map(shown, lines))


def _step(step: Step, *, named_: bool) -> Iterator[str]:
    if named_:
        yield from ("", f"## {plain(title(step))}", "", f"{counted(by_severity(step.changes))}.")
    for heading, found in whole_kinds(step.changes):
        yield from ("", f"### {heading.capitalize()}", "")
        yield from (f"- {plain(api_version)}: {plain(names)}" for api_version, names in found)
    for block in blocks(step.changes):
        rows = [[row.severity, code(row.path), ", ".join(row.aspects), plain(row.effect)] for row in block.rows]
        yield from ("", f"### {plain(block.title)}", "")
        yield from _table(["severity", "field", "change", "effect"], rows)


def upgrade_markdown(replays: Sequence[Replay], sides: Sequence[str], hidden: Mapping[str, int]) -> str:
    """The effects of an upgrade on objects: a summary, each change once, and the results of applies that differ.

    `hidden` contains the severities that are not shown, with the number of their changes.
    """
    folds = folded(replays)
    found = summary(replays, folds)
    lines = [f"# {plain(sides[0])} to {plain(sides[-1])}", "", plain(headline(found, sides).partition(": ")[2]) + "."]
    if any(hidden.values()):
        lines += ["", plain(hidden_changes(hidden)) + "."]
    if folds:
        rows = [
            [plain(one.finding.at), one.finding.severity, _said(one), plain(one.finding.advice), _objects(one)]
            for one in folds
        ]
        lines += ["", *_table(["from", "severity", "effect", "fix", "objects"], rows)]
    parts = [replay_markdown(one) for one in replays if one.splits and one.findings]
    return "\n\n".join(["\n".join(map(shown, lines)), *parts])


def _said(one: Fold) -> str:
    found = one.finding
    field = f"{code(one.path)}: " if one.path else ""
    values = (
        ""
        if found.before is None and found.after is None
        else (f" ({code(value(found.before))} to {code(value(found.after))})")
    )
    return f"{field}{plain(found.text)}{values}"


def _objects(one: Fold) -> str:
    return "<br>".join(plain(name) for name in names(one))


def replay_markdown(replay: Replay) -> str:
    """A replay: the releases with equal results, and the reasons for other results."""
    rows = [[plain(named(group.releases)), _result(group)] for group in replay.groups]
    lines = [f"# {plain(replay.name)}", "", *_table(["releases", "result"], rows)]
    for split in replay.splits:
        lines += _split(split)
    return "\n".join(map(shown, lines))


def _result(group: Group) -> str:
    return plain(group.outcome.result if group.outcome else f"no result: {group.problem}")


def _split(split: Split) -> Iterator[str]:
    yield from ("", f"## {plain(split.at)} gives a different result than {plain(split.previous)}", "")
    rows = [[code(one.path), code(value(one.before)), code(value(one.after))] for one in split.differences]
    yield from _table(["field", "before", "after"], rows)
    if split.rules:
        changed = [[code(one.path or "the kind"), one.severity, plain(one.effect)] for one in split.rules]
        yield from ("", "Because these rules differ:", "")
        yield from _table(["field", "severity", "effect"], changed)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _line(head)
    yield _line(["---"] * len(head))
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """Escape text for Markdown."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in " ".join(text.split()))


def code(text: str) -> str:
    """Text as code in a table cell, whatever its characters."""
    text = " ".join(text.split()).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in "".join(c if c == "`" else " " for c in text).split()), default=0))
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"
