"""A progress line on a terminal. Elsewhere, nothing is printed."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager

from codegen.credentials import without_credentials

from ...apiserver.text.text import shown
from ..running import running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    OnProgress = Callable[[str, int, int | None], None]

PATIENCE = 1.0
"""Seconds before a user expects to see progress."""
PAUSE = 0.1
"""Seconds between two updates of the line, to avoid flicker."""
_BAR = 30
"""Number of characters in a full bar."""
_NAME = 40
"""Maximum number of characters shown of a name."""


class ProgressLine:
    """The last line of the terminal, rewritten repeatedly. `remove` clears it."""

    def __init__(self, patience: float = 0.0) -> None:
        self._patience = patience
        self._next = time.monotonic() + patience
        self._there = False

    def show(self, text: str) -> None:
        """Show this text, unless the line changed just now or the wait is still too short to need it."""
        now = time.monotonic()
        if now < self._next:
            return
        from shutil import get_terminal_size

        width = get_terminal_size().columns - 1  # in the last column a terminal may begin a new line
        self._write(text[:width])
        self._next, self._there = now + PAUSE, True

    def remove(self) -> None:
        """Remove the line, if it is shown. A later update shows it again."""
        if self._there:
            self._write("")
        self._next, self._there = time.monotonic() + self._patience, False

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{text}")  # back to the start of the line, which is cleared
        sys.stderr.flush()


def bar(done: int, total: int) -> str:
    """A progress bar: `[=======>       ]  50%`."""
    share = min(done / total, 1.0)
    filled = int(share * _BAR)
    return f"[{'=' * filled}{'>' if filled < _BAR else ''}{' ' * (_BAR - filled - 1)}] {share:4.0%}"


@contextmanager
def fetching() -> Iterator[OnProgress | None]:
    """A function to call for each fetched piece, with the address, the bytes received and the expected total."""
    if not sys.stderr.isatty():
        yield None
        return
    line = ProgressLine()

    def on_progress(url: str, come: int, total: int | None) -> None:
        name = shown(without_credentials(url).rpartition("/")[2][:_NAME] or without_credentials(url))
        line.show(f"{name} {bar(come, total) if total else ''} {come / 1e6:.1f} MB")

    try:
        yield on_progress
    finally:
        line.remove()


@contextmanager
def working() -> Iterator[Callable[[str, int, int], None]]:
    """A function to call for each step, with its name, its number and the number of steps."""
    line = ProgressLine() if sys.stderr.isatty() else None

    def on_progress(name: str, number: int, steps: int) -> None:
        if line is not None:
            line.show(f"{shown(name)[:_NAME]} {bar(number, steps)}")

    try:
        yield on_progress
    finally:
        if line is not None:
            line.remove()


def reading() -> OnProgress | None:
    """A function to call for each object read, with the file, the line and the number of lines.

    None if standard error is not a terminal. The line appears after a second. It disappears when the command ends, in
    any way.
    """
    command = running()
    if command is None or not sys.stderr.isatty():
        return None
    line = command.progress = ProgressLine(PATIENCE)

    def on_progress(source: str, number: int, lines: int | None) -> None:
        line.show(f"{shown(source)[-_NAME:]} {bar(number, lines) if lines else ''}")

    return on_progress


def out_of_the_way() -> None:
    """Remove the progress line before other output is written in its place. A later update shows it again."""
    command = running()
    if command is not None and command.progress is not None:
        command.progress.remove()
