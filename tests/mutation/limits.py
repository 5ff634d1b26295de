"""Limits of a process, in processor time: a test that waits for its turn on a busy machine does not hit them."""

from __future__ import annotations

import os
import signal

IDLE = 300
"""Seconds without processor time after which a process ends, because it waits for an event that never comes."""
AT_WORK = 0.01
"""The least share of processor time that a working process gets on a busy machine."""


def limit(seconds: float, idle: int = IDLE) -> None:
    """End this process by a signal after some seconds of processor time, or `idle` seconds without any. 0: no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    _look_after(idle if seconds else 0)


def _look_after(idle: int) -> None:
    begun = spent()

    def look(*_: object) -> None:
        if spent() - begun >= AT_WORK * idle:
            return _look_after(idle)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        return os.kill(os.getpid(), signal.SIGALRM)

    signal.signal(signal.SIGALRM, look)
    signal.alarm(idle)


def spent() -> float:
    """The processor time of this process and of its finished children."""
    return sum(os.times()[:4])
