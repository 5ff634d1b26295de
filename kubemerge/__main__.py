"""The command, from its first moment on: `kubemerge`, and `python -m kubemerge`.

Nothing is imported here before somebody watches over it, so that an interrupt ends the command as any later one does.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""How a shell sees a program end that was interrupted: 128 and the number of the signal."""


def main() -> None:
    """Run the command and end the process with its exit code."""
    try:
        from .cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
