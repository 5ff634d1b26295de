"""The report as Markdown, cut to the size limit of a comment or a job summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .sections import Section, fenced

if TYPE_CHECKING:
    from collections.abc import Sequence

MARK = "<!-- kubemerge -->"
"""The first line of our comment, by which it is recognized."""
MOST_OF_A_COMMENT = 65_000
"""Maximum number of characters. GitHub rejects more than 65,536."""
MOST_OF_A_SUMMARY = 300_000
"""Maximum number of characters. GitHub rejects more than 1 MiB.

A character can have four bytes, but hardly ever more than three on average.
"""
_FOLDED = 40
"""Maximum number of lines of a part that is not folded."""


def report(sections: Sequence[Section], most: int, more: str) -> str:
    """The whole report in at most so many characters. `more` names the place of the rest of a cut part."""
    left = most - len(MARK) - 100
    parts = [MARK, "## kubemerge", ""]
    for number, section in enumerate(sections):
        share = left // (len(sections) - number)
        text = _section(section, share, more)
        left -= len(text)
        parts.append(text)
    return "\n".join(parts)[:most] + "\n"


def _section(section: Section, most: int, more: str) -> str:
    head = f"### {section.heading}\n\n{fenced(section.line, 'text') if section.code else section.line}\n"
    if not section.text:
        return head
    room = max(0, most - len(head) - 300)
    lines = section.text.splitlines()
    kept = _within(lines, room)
    cut = len(lines) - len(kept)
    body = "\n".join(kept)
    body = fenced(body, "diff") if section.code else body
    note = f"\n\n{cut} more lines are {more}." if cut else ""
    if len(kept) > _FOLDED:
        body = f"<details><summary>{len(lines)} lines</summary>\n\n{body}\n\n</details>"
    return f"{head}\n{body}{note}\n"


def _within(lines: Sequence[str], most: int) -> list[str]:
    """The first lines that fit into so many characters."""
    kept: list[str] = []
    for line in lines:
        most -= len(line) + 1
        if most < 0:
            break
        kept.append(line)
    return kept
