"""Commands that are interrupted, ended or hung up on in the middle of their work.

The promises about a kill apply to them too. An interrupt ends a command with 130, and the other signals as they end any
program. The moments of the interrupts are left to chance here; `interrupts` tries each of them.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from .kills import WORKS, Killer

if TYPE_CHECKING:
    from .trial import Trial, Tried

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: -signal.SIGTERM, signal.SIGHUP: -signal.SIGHUP}
"""Signal -> the exit code, as the parent of the process sees it."""
TIMES = 15
"""For each signal and command, in a full attack."""


def attack(trial: Trial) -> Tried:
    """Send each signal to each command."""
    for number, code in SIGNALS.items():
        times = trial.often(TIMES)
        partly = 0
        for work in WORKS:
            killer = Killer(trial, work, number, code)
            for run in range(times):
                killer.kill(str(run + 1))
            partly += killer.partly
        yield f"{number.name} during {len(WORKS)} commands ({partly} in the middle)", times * len(WORKS)
