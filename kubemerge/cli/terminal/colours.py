"""The colours of output for people. Only this module defines colours and their meanings.

The console decides whether output is coloured. Without colours, every text is unchanged.
"""

from __future__ import annotations

import sys

from ...apiserver.text.text import ESCAPE, inert
from .console import console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

MEANINGS: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "worst": {"fg": "red", "bold": True},
    "bad": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan", "bold": True},
    "good": {"fg": "green"},
    "gone": {"fg": "red"},
    "changed": {"fg": "yellow"},
    "place": {"fg": "cyan"},
    "faint": {"dim": True},
}
"""The meanings, each with click's arguments for its colour."""

SEVERITIES = {"error": "worst", "warning": "bad", "info": "note", "breaking": "worst", "notable": "bad"}
"""The colours of severities in lint and compare."""
ACTIONS = {
    "added": "good",
    "changed": "changed",
    "reordered": "changed",
    "cleared": "gone",
    "kept": "place",
    "unchanged": "faint",
    "matched": "faint",
}
"""The colours of apply actions on a field."""
STATES = {
    "refused": "worst",
    "conflict": "worst",
    "left behind": "bad",
    "untracked": "bad",
    "ready": "good",
    "new": "good",
}
"""The colours of migration states."""
OWNERS = ("green", "cyan", "magenta", "blue", "bright_green", "bright_cyan", "bright_magenta", "bright_blue")
"""The colours of managers, assigned in order of appearance."""


def painted(text: str, meaning: str) -> str:
    """The text in the colour of a meaning, if output is coloured."""
    return styled(text, **MEANINGS[meaning]) if console().colored else text


def styled(text: str, **style: Any) -> str:
    """The text in an explicit style, if output is coloured."""
    return in_style(text, **style) if console().colored else text


def in_style(text: str, **style: Any) -> str:
    """The text in a colour, with a placeholder that becomes ESC on output. An ESC in the text does not."""
    import click

    return click.style(inert(text), **style).replace("\x1b", ESCAPE)


def in_its_colour(words: str, severity: str) -> str:
    """The text of a finding, in the colour of its severity."""
    return painted(words, SEVERITIES[severity])


def linked(words: str, address: str) -> str:
    """The words as a terminal link (OSC 8). In a file or a pipe, or without colours, only the words."""
    if not (console().colored and sys.stdout.isatty()):
        return words
    return f"{ESCAPE}]8;;{address}{ESCAPE}\\{words}{ESCAPE}]8;;{ESCAPE}\\"


def with_severities(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a comparison, with coloured severities and highlighted titles."""
    if not console().colored:
        yield from lines
        return
    import re

    severity = re.compile(r"^((?:  |1\.\d+ )?)(breaking|notable|info)\b")
    for line in lines:
        found = severity.match(line)
        if found:
            yield f"{found[1]}{in_its_colour(found[2], found[2])}{line[found.end() :]}"
        else:
            yield painted(line, "title") if line and not line.startswith(" ") else line


# ---- differences ----------------------------------------------------------------------------------------------------

_LINES = {"@": "cyan", "-": "red", "+": "green"}


def difference_in_colours(lines: Sequence[str]) -> list[str]:
    """The lines of a unified diff in git's colours, with changed words highlighted."""
    from ...diff.words import changed_words

    def line_in_colours(line: str, spans: Sequence[tuple[int, int]]) -> str:
        colour = _LINES.get(line[:1])
        if colour is None:
            return line
        at, parts = 0, []
        for start, end in spans:
            parts += [in_style(line[at:start], fg=colour), in_style(line[start:end], fg=colour, reverse=True)]
            at = end
        parts.append(in_style(line[at:], fg=colour) if at < len(line) else "")
        return "".join(parts)

    headers, rest = lines[:3], lines[3:]
    spans = changed_words(rest)
    paint: Callable[[str, Sequence[tuple[int, int]]], str] = line_in_colours
    return [in_style(line, bold=True) for line in headers] + [*map(paint, rest, spans)]
