"""A progress bar on a terminal, and silence anywhere else."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

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
