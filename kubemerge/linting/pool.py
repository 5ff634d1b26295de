"""Linting many files in several processes, where they can be split off; what they know is what this one knows."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from .kept import from_text, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .one_file import FileLinter
    from .report import FileReport

WORTH_IT = 150
"""How many files are linted faster by several processes than by one."""
_PART = 25
_AHEAD = 10
"""Files that are linted before there are several processes, so that what they import is there in all of them."""
_linter: FileLinter | None = None
_files: Sequence[tuple[str, bytes]] = ()


def reports(linter: FileLinter, files: Sequence[tuple[str, bytes]], jobs: int) -> Iterator[FileReport]:
    """The report of each file, in their order."""
    if jobs < 2 or len(files) < WORTH_IT or not sys.platform.startswith("linux"):
        for source, data in files:
            yield linter.lint(source, data)
        return
    import multiprocessing

    global _linter, _files
    yield from (linter.lint(source, data) for source, data in files[:_AHEAD])
    _linter, _files = linter, files[_AHEAD:]
    try:
        with multiprocessing.get_context("fork").Pool(jobs, _begin) as pool:
            for text in pool.imap(_lint, range(len(_files)), chunksize=_PART):
                yield from_text(text)
    finally:
        _linter, _files = None, ()


def _begin() -> None:
    """Spend less time on looking for circles of objects, which hardly anything here makes."""
    import gc

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _lint(at: int) -> str:
    if _linter is None:
        raise AssertionError
    return to_text(_linter.lint(*_files[at]))


def processors() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
