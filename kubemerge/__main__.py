"""The entry point of `kubemerge` and `python -m kubemerge`.

Imports happen inside the `try`, so that an interrupt during start-up ends the command as any later one does.

The collector looks for circles of objects rarely, and not at the end, when the process gives back its memory anyway:
that is a seventh of the time of a short command.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INTERRUPTED = 130
"""The exit code of an interrupted program, as a shell reports it: 128 plus the number of the signal."""
PATIENCE = 5.0
"""Seconds in which an interrupted command puts things in order; who presses Ctrl-C again after that waits no more."""


class Interrupts:
    """What Ctrl-C does: the first one ends the command, and no other one breaks what it still puts in order."""

    def __init__(self) -> None:
        self.over = False
        """Whether there is nothing left to interrupt."""
        self.since: float | None = None
        """When the first one was heard."""
        self._thread = _thread.get_ident()

    def hear(self) -> None:
        """Begin to do so, unless the process was started to ignore interrupts."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._heard)
            sys.unraisablehook = self._ignored

    def _heard(self, *_: object) -> None:
        if self.over:
            return
        if self.since is None:
            self.since = time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self.since > PATIENCE:
            os._exit(INTERRUPTED)

    def _ignored(self, error: Any) -> None:
        """Python tells and forgets what is raised while it removes an object. An interrupt comes again in a moment."""
        if issubclass(error.exc_type, KeyboardInterrupt):
            self.since = None
            _thread.start_new_thread(_again, (self._thread,))
        else:
            sys.__unraisablehook__(error)


def _again(thread: int) -> None:
    time.sleep(0.01)
    if hasattr(signal, "pthread_kill"):  # which also ends a wait
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        _thread.interrupt_main()


def main() -> None:
    """Run the command and end the process with its exit code."""
    interrupts = Interrupts()
    code: Any = None
    try:
        interrupts.hear()
        gc.set_threshold(100_000, 10, 10)
        atexit.register(gc.freeze)
        from .cli.main import main as run

        run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as end:
        code = end.code
    finally:
        interrupts.over = True
    if interrupts.since is not None:
        gc.collect()  # closes what was open, and is held in a circle since, as SQLite's connections are
    sys.exit(code)


if __name__ == "__main__":
    main()
