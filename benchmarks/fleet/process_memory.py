"""A process and its children: the peak memory of the largest worker, and the processor time of each role."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

EVERY, MEMORY_EVERY = 0.25, 4
"""Seconds between samples, and how many of them have one of the memory: all would take 3 % of two busy processors."""
OBJECTS = "kubemerge.fleet.child_process"
"""A word in the command line of the processes that check objects."""


class ProcessResult(NamedTuple):
    output: str
    code: int
    peak: int
    """The peak memory of one worker with its child processes, in MiB."""
    seconds: Mapping[str, float]
    """The processor time of the command itself, of the workers, and of the processes that check objects."""

    @property
    def overhead(self) -> float:
        """The share of processor time that is not spent in object processes."""
        return 1 - self.seconds.get("objects", 0) / sum(self.seconds.values())


def run_and_measure(command: Sequence[str], word: str) -> ProcessResult:
    """Run a command to its end. The workers are the processes below it, or itself, with this word in their command."""
    peak, sample = 0, 0
    seconds: dict[int, tuple[str, float]] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            every = (process.pid, *_below(process.pid))
            seconds |= {pid: (_role(pid, process.pid), used) for pid in every if (used := _processor_time(pid))}
            sample += 1
            for pid in every if sample % MEMORY_EVERY == 1 else ():
                if _is_worker(pid, word):
                    own = () if pid == process.pid else [one for one in _below(pid) if not _is_worker(one, word)]
                    peak = max(peak, sum(_memory(one) for one in (pid, *own)))
            time.sleep(EVERY)
        output = process.stdout.read() if process.stdout else ""
    roles = sorted({role for role, _ in seconds.values()})
    of = {role: sum(used for other, used in seconds.values() if other == role) for role in roles}
    return ProcessResult(output, process.returncode, peak >> 10, of)


def _role(pid: int, command: int) -> str:
    return "command" if pid == command else "objects" if _is_worker(pid, OBJECTS) else "workers"


def _processor_time(pid: int) -> float:
    """Seconds in user and system mode so far; 0 if the process has ended."""
    words = _text(pid, "stat").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK") if words else 0.0


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
