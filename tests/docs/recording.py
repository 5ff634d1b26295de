"""A recording of a terminal as an animated SVG: the output of the real command, in its order and colours.

Each line comes in its time, and the window scrolls as a terminal does. It begins with a full screen. Readers who prefer
reduced motion see the first screen. No script is in it, and no time or place of the machine, so that the same output
gives the same bytes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from html import escape
from itertools import groupby
from typing import NamedTuple

from tests.conftest import ROOT

COLUMNS, ROWS = 100, 30
WIDTH, HEIGHT = 8.4, 19
"""Of a character, in pixels."""
EDGE = 14
TYPED, PRINTED, READ, LINE, AT_THE_END = 0.7, 0.25, 1.2, 0.14, 4.0
"""Seconds: to type a command, until it prints, to begin to read, to read a line, and before it starts again."""
COLOURS = {
    "1": "font-weight:700;fill:#fff",
    "2": "fill:#9aa4b2",
    "31": "fill:#ff8a80",
    "32": "fill:#8fd694",
    "33": "fill:#f2c25b",
    "34": "fill:#8ab4f8",
    "35": "fill:#e0a3f5",
    "36": "fill:#6fd3e3",
    "90": "fill:#9aa4b2",
}
"""Styles of the terminal codes. All of them are readable on the background."""
_LINK = re.compile(r"\x1b\]8;;[^\x1b]*\x1b\\")
"""Where a link of the terminal begins or ends; a picture has none."""
_CODE = re.compile(r"\x1b\[([\d;]*)m")


class Line(NamedTuple):
    """A line of the window: when it comes, and its parts, each with its codes."""

    at: float
    parts: tuple[tuple[str, tuple[str, ...]], ...]


def record(command: str) -> str:
    """The SVG of a kubemerge command, run in an empty folder without any user settings."""
    ours = ("KUBEMERGE", "PYTHON", "NO_COLOR", "FORCE_COLOR", "TERM")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment = {**kept, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "NO_PROXY": "*"}
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", *command.split()]
        output = _on_a_terminal(words, folder, {**environment, "HOME": folder})
    return drawn(f"uvx {command}", output)


def _on_a_terminal(words: list[str], folder: str, environment: dict[str, str]) -> str:
    """The final output of a command on a terminal. Lines of progress are gone by then."""
    import pty  # which Windows does not have

    ours, theirs = pty.openpty()
    with subprocess.Popen(words, cwd=folder, env=environment, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        found = bytearray()
        try:
            while data := os.read(ours, 65536):
                found += data
        except OSError:  # on Linux, this means that the other end is closed
            pass
        os.close(ours)
    assert process.returncode == 0, found.decode()
    text = _LINK.sub("", found.decode().replace("\r\n", "\n"))
    return re.sub(r"[^\n]*\r\x1b\[2K", "", text)


def drawn(command: str, output: str) -> str:
    """The SVG of a command and its output."""
    lines = list(_timed(command, output))
    ends = lines[-1].at + AT_THE_END
    full = next((line.at for line in lines[ROWS:]), 0.0)
    size = f"{COLUMNS * WIDTH + 2 * EDGE:.0f} {ROWS * HEIGHT + 2 * EDGE:.0f}"
    rules, groups = [], []
    for number, (at, group) in enumerate(groupby(enumerate(lines), key=lambda one: one[1].at)):
        percent = 100 * at / ends
        rules.append(
            f"@keyframes l{number}{{0%,{max(percent - 0.01, 0):.2f}%{{opacity:0}}{percent:.2f}%{{opacity:1}}}}"
        )
        rules.append(f".l{number}{{animation:l{number} {ends:.2f}s linear {-full:.2f}s infinite}}")
        texts = "\n".join(_text(row, line) for row, line in group)
        groups.append(f'<g class="l{number}">\n{texts}\n</g>')
    classes = "".join(f".c{code}{{{look}}}" for code, look in COLOURS.items())
    return f"""<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t" viewBox="0 0 {size}">
<title id="t">A terminal: {command}</title>
<style>
text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e4e8ee;white-space:pre}}
{classes}
@media (prefers-reduced-motion: no-preference){{
{chr(10).join(rules)}
{_scrolling(lines, ends, full)}
}}
</style>
<rect width="100%" height="100%" rx="8" fill="#10151d"/>
<svg x="{EDGE}" y="{EDGE}" width="{COLUMNS * WIDTH:.0f}" height="{ROWS * HEIGHT}">
<g class="all">
{chr(10).join(groups)}
</g>
</svg>
</svg>
"""


def _timed(command: str, output: str) -> list[Line]:
    """The lines with their times: commands one by one, and the lines below each at once."""
    found = [Line(0.0, ((f"$ {command}", ("1",)),))]
    at, pending = TYPED + PRINTED, 0
    for text in output.splitlines():
        if _CODE.sub("", text).startswith("$ "):
            at += READ + LINE * pending
            found.extend(Line(at, row) for row in _wrapped(text))
            at, pending = at + TYPED + PRINTED, 0
        else:
            rows = _wrapped(text)
            found.extend(Line(at, row) for row in rows)
            pending += len(rows)
    return found


def _wrapped(text: str) -> list[tuple[tuple[str, tuple[str, ...]], ...]]:
    """The rows of a line, as long as the window is wide, with the codes that each part of them has."""
    codes: tuple[str, ...] = ()
    letters: list[tuple[str, tuple[str, ...]]] = []
    for index, part in enumerate(_CODE.split(text)):
        if index % 2:
            for code in part.split(";"):
                codes = () if code in ("", "0") else (*codes, code)
        else:
            letters += [(letter, codes) for letter in part]
    rows = [letters[start : start + COLUMNS] for start in range(0, len(letters), COLUMNS)] or [[]]
    return [
        tuple(("".join(letter for letter, _ in run), codes) for codes, run in groupby(row, key=lambda one: one[1]))
        for row in rows
    ]


def _text(row: int, line: Line) -> str:
    length = sum(len(text) for text, _ in line.parts)
    if not length:
        return "<text/>"
    parts = "".join(_part(text, codes) for text, codes in line.parts)
    place = f'y="{row * HEIGHT + 14}" textLength="{length * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {place}>{parts}</text>"


def _part(text: str, codes: tuple[str, ...]) -> str:
    known = " ".join(f"c{code}" for code in codes if code in COLOURS)
    return f'<tspan class="{known}">{escape(text)}</tspan>' if known else escape(text)


def _scrolling(lines: list[Line], ends: float, begins: float) -> str:
    """The scroll offset, from each time on: the last visible line is in the window."""
    steps = []
    for at, group in groupby(enumerate(lines), key=lambda one: one[1].at):
        last = max(row for row, _ in group)
        up = max(0, last + 1 - ROWS) * HEIGHT
        steps.append((100 * at / ends, up))
    frames = "".join(
        f"{percent:.2f}%,{max(following - 0.01, percent):.2f}%{{transform:translateY(-{up}px)}}"
        for (percent, up), (following, _) in zip(steps, [*steps[1:], (100.0, 0)], strict=True)
    )
    return f"@keyframes up{{{frames}}}\n.all{{animation:up {ends:.2f}s linear {-begins:.2f}s infinite}}"
