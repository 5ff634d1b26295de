"""The peak memory of a process, and the memory that a call allocates."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


def peak() -> int:
    """The peak memory of this process, in bytes, without its parent's."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        import resource  # not on Windows

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


class Allocated(NamedTuple):
    """Bytes that Python allocates during a call."""

    left: int
    """Not freed after it."""
    most: int
    """At once."""


def allocated(call: Callable[[], object]) -> Allocated:
    """The memory that a call allocates."""
    tracemalloc.start()
    try:
        call()
        gc.collect()
        return Allocated(*tracemalloc.get_traced_memory())
    finally:
        tracemalloc.stop()
