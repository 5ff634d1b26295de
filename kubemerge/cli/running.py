"""The state of the running command, discarded when it ends."""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class Running:
    """The state of one command: console, files and deferred output of the modules that need it."""

    def __init__(self, *, as_kubectl: bool = False) -> None:
        self.console: Any = None
        """Verbosity and colours. See `console`."""
        self.files: Any = None
        """The input files. See `files`."""
        self.as_kubectl = as_kubectl
        """Whether kubectl has the command too, so that errors are worded as it words them."""
        self.unread = 0
        """The number of problems in dumps. With any, the exit code is 2."""
        self.at_exit: list[Callable[[], None]] = []
        """Calls that report something at the end of the command, however it ends."""
        self.progress: Any = None
        """The progress line, if any. See `reading`."""


_commands: list[Running] = []


def running() -> Running | None:
    """The running command. None where the modules are used without one."""
    return _commands[-1] if _commands else None


def uses_kubectl_wording() -> bool:
    """Whether kubectl has the running command too."""
    command = running()
    return command is not None and command.as_kubectl


@contextmanager
def begun(*, as_kubectl: bool = False) -> Iterator[Running]:
    """A context for a running command. Its progress line is removed at the end, in any case."""
    command = Running(as_kubectl=as_kubectl)
    _commands.append(command)
    try:
        yield command
    finally:
        for tell in command.at_exit:
            tell()
        _commands.remove(command)
        if command.progress is not None:
            command.progress.remove()
