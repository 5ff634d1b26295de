"""The entry point of `kubemerge` and `python -m kubemerge`.

Imports happen inside the `try`, so that an interrupt during start-up ends the command as any later one does.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit code of an interrupted program, as a shell reports it: 128 plus the number of the signal."""


def main() -> None:
    """Run the command and end the process with its exit code."""
    try:
        from .cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
