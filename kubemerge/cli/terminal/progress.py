"""A progress bar on a terminal, and silence anywhere else."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Told = Callable[[str, int, int | None], None]


@contextmanager
def fetching() -> Iterator[Told | None]:
    """What to tell of each fetched piece: the address, how many bytes have come, how many are announced."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def told(url: str, come: int, total: int | None) -> None:
            if url not in tasks:
                tasks[url] = bars.add_task(url.rpartition("/")[2][:40] or url, total=total)
            bars.update(tasks[url], completed=come, total=total)

        yield told


PATIENCE = 1.0
"""Seconds after which a person wants to see that something moves."""


def reading() -> Told | None:
    """What to tell of each object read: the file, the line, and how many lines there are; None if nobody looks.

    The bar comes up after a second. It goes when the command ends, however that is.
    """
    import click

    command = click.get_current_context(silent=True)
    if command is None or not sys.stderr.isatty() or sys.stdout.isatty():
        return None
    bar = _Bar()
    command.meta[_BAR] = bar
    command.call_on_close(bar.remove)
    return bar.told


_BAR = f"{__name__}.bar"


def out_of_the_way() -> None:
    """Take the bar away, if there is one, before something is written where it stands; it comes back in a while."""
    import click

    command = click.get_current_context(silent=True)
    if command is not None and _BAR in command.meta:
        command.meta[_BAR].remove()


class _Bar:
    """How far the reading of a file has come, shown once it has taken a while."""

    def __init__(self) -> None:
        self._begins = time.monotonic() + PATIENCE
        self._bars: Any = None
        self._task: Any = None
        self._source, self._next = "", 0

    def told(self, source: str, line: int, lines: int | None) -> None:
        if self._bars is None:
            if time.monotonic() < self._begins:
                return
            self._show()
        if line >= self._next or source != self._source:
            self._source, self._next = source, line + max((lines or 0) // 200, 1)
            self._bars.update(self._task, description=source[-40:], completed=line, total=lines)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        # Names of files are no markup, even if there are brackets in them.
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
        self._bars = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bars.add_task("", total=None)
        self._bars.start()

    def remove(self) -> None:
        if self._bars is not None:
            self._bars.stop()
        self._bars, self._begins = None, time.monotonic() + PATIENCE
