"""A plan as Markdown, for a comment on a pull request. Texts of objects are shown as code and never as markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ..apiserver.text.text import shown as in_one_line
from ..output.secrets import Shown
from .model import UNCHANGED
from .report import live_and_config, owner_text, summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .model import Advice, Plan, PlannedObject

_MOST = 30
"""Maximum number of rows of one object."""
_LONGEST = 80
_BACKTICKS = re.compile(r"`+")


def markdown(plan: Plan, *, secrets: bool = False) -> Iterator[str]:
    """The lines of a Markdown report: a summary, and a table for each object that changes or is rejected."""
    yield f"### {_text(plan.title)}"
    yield ""
    yield _text(summary(plan).partition(": ")[2])
    for note in plan.notes:
        yield ""
        yield _text(note)
    if plan.error:
        yield ""
        yield f"**Fails:** {_code(plan.error)}"
    yield from _advice(plan.advice)
    for one in plan.objects:
        if one.action != UNCHANGED or one.stuck or one.problems:
            yield ""
            yield from _object(one, Shown(one.before, one.after or one.config, secrets=secrets))


def _object(one: PlannedObject, shown: Shown) -> Iterator[str]:
    where = f" in {_code(one.namespace)}" if one.namespace else ""
    method = "" if one.method == "none" else f" ({one.method})"
    yield f"#### {_code(one.title)}{where}: {one.action}{method}"
    for text in (*one.notes, *(f"The API server rejects it: {problem}" for problem in one.problems)):
        yield ""
        yield _text(text)
    rows = [*_rows(one, shown)]
    if rows:
        yield ""
        yield "| field | effect | live | config or result | owned by |"
        yield "|---|---|---|---|---|"
        yield from rows[:_MOST]
    if len(rows) > _MOST:
        yield ""
        yield f"{len(rows) - _MOST} more rows are in the output of `-o json`."
    for conflict in one.conflicts:
        yield from _advice(conflict.advice, f"Fix for {_code(conflict.path)}")
    yield from _advice(one.advice)


def _rows(one: PlannedObject, shown: Shown) -> Iterator[str]:
    for effect, conflicts in (
        ("**conflict**", one.conflicts),
        ("taken over", () if one.conflicts else one.overwritten),
    ):
        for each in conflicts:
            if shown.may_print(each.steps):
                live, config = live_and_config(each, shown)
                yield _row(each.path, effect, live, config, owner_text(each))
    for change in one.changes if one.before is not None else ():
        if shown.may_print(change.steps):
            before, after = shown.at(change.steps, change.before, change.after)
            yield _row(change.path, change.action, before, after, ", ".join(map(owner_text, change.owners)))
    for stuck in one.stuck:
        if shown.may_print(stuck.steps):
            live, config = live_and_config(stuck, shown)
            yield _row(stuck.path, f"stays: {stuck.reason}", live, config, ", ".join(map(owner_text, stuck.owners)))


def _row(path: str, effect: str, live: Any, config: Any, owners: str) -> str:
    cells = (_code(path), effect if effect.startswith("**") else _text(effect), _value(live), _value(config))
    return f"| {' | '.join([*cells, _code(owners) if owners else ''])} |"


def _advice(advice: Iterable[Advice], title: str = "Fix") -> Iterator[str]:
    for at, one in enumerate(advice):
        if at == 0:
            yield ""
            yield f"{title}:"
            yield ""
        command = f": {_code(one.command)}" if one.command else ""
        yield f"- {_text(one.text)}{command}"


def _value(value: Any) -> str:
    if value is None:
        return ""
    text = encode(value)
    return _code(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}...")


def _code(text: str) -> str:
    """A text as code in one line. In tables, a bar would end the cell."""
    line = in_one_line(text).replace("|", "\\|")
    longest = max([len(one) for one in _BACKTICKS.findall(line)], default=0)
    ticks = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{space}{line}{space}{ticks}"


def _text(text: str) -> str:
    """A text without markup, mentions and links."""
    line = re.sub(r"([\\`*_{}\[\]<>|#~!])", r"\\\1", in_one_line(text))
    return line.replace("@", "@<!-- -->").replace("://", ":<!-- -->//")
