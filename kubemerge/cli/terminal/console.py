"""Messages of a command: always on standard error, as many as -q and -v ask for."""

from __future__ import annotations

import os
import sys

from codegen.credentials import without_credentials

from ...output.text import inert, shown
from ..running import running
from .progress import out_of_the_way

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    import click

    Command = TypeVar("Command", bound=Callable[..., Any])


class Console:
    """How much to say, and in which colours."""

    def __init__(self) -> None:
        self.quiet = False
        self.verbose = False
        self.color = "auto"
        self._warned: set[str] = set()

    def say(self, text: str) -> None:
        """A line for the person at the terminal; `--quiet` leaves it out."""
        if not self.quiet:
            _write(text)

    def detail(self, text: str) -> None:
        """A line on how something was decided, for `--verbose`."""
        if self.verbose:
            _write(text)

    def complain(self, text: str) -> None:
        """A line that is always printed: what failed, or would be lost."""
        _write(f"kubemerge: {text}")

    def report(self, text: str) -> None:
        """Lines that are always printed, as kubectl prints them."""
        for line in text.splitlines():
            _write(line)

    def failed(self, text: str, hint: str = "") -> None:
        """Lines on a failure, as kubectl prints them, and a line of our own."""
        self.report(text)
        if hint:
            _write(hint)

    def warn(self, text: str) -> None:
        """What a server warns of, once in a command, as kubectl prints it; `--quiet` leaves it out."""
        if text not in self._warned:
            self._warned.add(text)
            self.say(f"Warning: {text}")

    @property
    def colored(self) -> bool:
        """Whether data on standard output is coloured: as --color says, else on a terminal without NO_COLOR."""
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _write(text: str) -> None:
    out_of_the_way()
    echo(shown(without_credentials(text)), err=True)


def echo(text: str, *, nl: bool = True, err: bool = False, color: bool | None = None) -> None:
    """Write a text as `click.echo` does, with escapes for what a terminal would obey; colours are left to click."""
    text = inert(text)
    if "\x1b" in text or sys.platform == "win32":
        import click

        click.echo(text, nl=nl, err=err, color=color)
        return
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}\n" if nl else text)
    stream.flush()


def console() -> Console:
    """The console of the running command."""
    command = running()
    if command is None:
        return Console()
    if command.console is None:
        command.console = Console()
    found: Console = command.console
    return found


# ---- colours --------------------------------------------------------------------------------------------------------

_LINES = {"@": "cyan", "-": "red", "+": "green"}
_SEVERITIES = {"error": "red", "warning": "yellow", "info": "cyan"}


def difference_in_colours(lines: Sequence[str]) -> list[str]:
    """The lines of a unified difference in the colours that git and kubectl's users know."""
    import click

    headers = [click.style(line, bold=True) for line in lines[:3]]
    return headers + [click.style(line, fg=_LINES[line[:1]]) if line[:1] in _LINES else line for line in lines[3:]]


def in_its_colour(words: str, severity: str) -> str:
    """Text of a finding, in the colour of its severity."""
    import click

    return click.style(words, fg=_SEVERITIES[severity], bold=True)


# ---- options --------------------------------------------------------------------------------------------------------


def _set(_: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None and parameter.name:
        setattr(console(), parameter.name, value)


def console_options(command: Command) -> Command:
    """`--quiet`, `--verbose` and `--color`, which act on the console and do not reach the command."""
    import click

    for option in (
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            help="Whether to colour; auto follows the terminal and NO_COLOR.",
            callback=_set,
            expose_value=False,
        ),
        click.option(
            "-v",
            "--verbose",
            is_flag=True,
            default=None,
            help="Also say how things were decided.",
            callback=_set,
            expose_value=False,
        ),
        click.option(
            "-q",
            "--quiet",
            is_flag=True,
            default=None,
            help="Only data and errors.",
            callback=_set,
            expose_value=False,
        ),
    ):
        command = option(command)
    return command
