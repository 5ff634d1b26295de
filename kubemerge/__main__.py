"""The entry point of `kubemerge` and `python -m kubemerge`.

Imports happen inside the `try`, so that an interrupt during start-up ends the command as any later one does.

The collector looks for circles of objects rarely, and not at the end, when the process gives back its memory anyway:
that is a seventh of the time of a short command.
"""

from __future__ import annotations

import atexit
import gc
import sys

INTERRUPTED = 130
"""The exit code of an interrupted program, as a shell reports it: 128 plus the number of the signal."""


def main() -> None:
    """Run the command and end the process with its exit code."""
    gc.set_threshold(20_000, 10, 10)
    atexit.register(gc.freeze)
    try:
        from .cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
