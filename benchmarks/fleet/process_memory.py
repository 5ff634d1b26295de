"""A process and its children: the peak memory of the largest worker."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EVERY = 1.0
"""Seconds between samples. Four samples a second would take 3 % of two busy processors."""


class ProcessResult(NamedTuple):
    output: str
    code: int
    peak: int
    """The peak memory of one worker with its child processes, in MiB."""


def run_and_measure(command: Sequence[str], word: str) -> ProcessResult:
    """Run a command to its end. The workers are the processes below it, or itself, with this word in their command."""
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            for pid in (process.pid, *_below(process.pid)):
                if _is_worker(pid, word):
                    own = () if pid == process.pid else [one for one in _below(pid) if not _is_worker(one, word)]
                    peak = max(peak, sum(_memory(one) for one in (pid, *own)))
            time.sleep(EVERY)
        output = process.stdout.read() if process.stdout else ""
    return ProcessResult(output, process.returncode, peak >> 10)


def _is_worker(pid: int, word: str) -> bool:
    return word in _text(pid, "cmdline").replace("\0", " ")


def _below(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*") if Path(f"/proc/{pid}").is_dir() else ():
        for child in _text(pid, f"task/{task.name}/children").split():
            yield int(child)
            yield from _below(int(child))


def _memory(pid: int) -> int:
    """Private memory and the process's share of shared memory, in KiB."""
    for line in _text(pid, "smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _text(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
