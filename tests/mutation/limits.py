"""Limits of a process, in processor time: a test that waits for its turn on a busy machine does not hit them."""

from __future__ import annotations

import os
import signal

BLOCKED = 20
"""A process that waits for something that never comes uses no processor time. It ends after so many times the limit."""


def limit(seconds: float) -> None:
    """End this process by a signal once it has used a number of seconds from now on; 0 for no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(round(BLOCKED * seconds))


def spent() -> float:
    """The processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])
