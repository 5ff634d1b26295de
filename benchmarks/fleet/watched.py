"""A process and all that it begins: how much memory the largest of the workers had."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EVERY = 1.0
"""Seconds. Four times a second, looking alone takes 3 of 100 parts of two processors that are busy without it."""


class Watched(NamedTuple):
    """What a process did."""

    output: str
    code: int
    peak: int
    """The most memory that one of the workers had, with the processes that it began, in MiB."""


def watched(command: Sequence[str], word: str) -> Watched:
    """Run a command to its end; the workers are the processes below it, or itself, with this word in their command."""
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            for pid in (process.pid, *_below(process.pid)):
                if _is_worker(pid, word):
                    own = () if pid == process.pid else [one for one in _below(pid) if not _is_worker(one, word)]
                    peak = max(peak, sum(_memory(one) for one in (pid, *own)))
            time.sleep(EVERY)
        output = process.stdout.read() if process.stdout else ""
    return Watched(output, process.returncode, peak >> 10)


def _is_worker(pid: int, word: str) -> bool:
    return word in _text(pid, "cmdline").replace("\0", " ")


def _below(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*") if Path(f"/proc/{pid}").is_dir() else ():
        for child in _text(pid, f"task/{task.name}/children").split():
            yield int(child)
            yield from _below(int(child))


def _memory(pid: int) -> int:
    """What nobody else has, and its part of what is shared with others, in KiB."""
    for line in _text(pid, "smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _text(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
