"""The peak memory of a process."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak() -> int:
    """The peak memory of this process, in bytes, without its parent's."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024
