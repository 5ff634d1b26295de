"""Limits of a process, in processor time: a test that waits for its turn on a busy machine does not hit them."""

from __future__ import annotations

import os
import signal

IDLE = 300
"""A process that uses no processor time waits for something that never comes. It ends after so many seconds."""
AT_WORK = 0.01
"""The share of the time that a process uses at least, if it is at work on a busy machine."""


def limit(seconds: float, idle: int = IDLE) -> None:
    """End this process by a signal once it has used a number of seconds from now on, or none for long; 0: no limit."""
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
