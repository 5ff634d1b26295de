"""Messages of a command: always on standard error, as many as -q and -v ask for."""

from __future__ import annotations

import os
import sys

from codegen.credentials import without_credentials

from ...apiserver.text.text import ESCAPE, inert, inert_annotations, inert_controls, shown
from ...output.wrapping import NARROWEST, fitted, rows_fitted, wide
from ..running import running
from .progress import out_of_the_way

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TextIO, TypeVar

    import click

    Command = TypeVar("Command", bound=Callable[..., Any])


USUAL = 80
"""The width of a terminal that does not report one."""

AT_ONCE = 200
"""Lines that are written together. Between them, a closed pipe is noticed."""


class Console:
    """Verbosity and colours."""

    def __init__(self) -> None:
        self.quiet = False
        self.verbose = False
        self.color = "auto"
        self._warned: set[str] = set()

    def say(self, text: str) -> None:
        """Print a message for the user, unless `--quiet` is given."""
        if not self.quiet:
            _write(text)

    def detail(self, text: str) -> None:
        """Print how something was decided, for `--verbose`."""
        if self.verbose:
            _write(text)

    def complain(self, text: str) -> None:
        """Print a line that `--quiet` keeps: a failure or a loss."""
        _write(f"kubemerge: {text}")

    def report(self, text: str) -> None:
        """Lines that are always printed, as kubectl prints them."""
        for line in text.splitlines():
            _write(line)

    def failed(self, text: str, hint: str = "") -> None:
        """Print a failure in kubectl's words, and our hint."""
        self.report(text)
        if hint:
            _write(hint)

    def warn(self, text: str) -> None:
        """Print a server's warning once per command, as kubectl does. `--quiet` omits it."""
        if text not in self._warned:
            self._warned.add(text)
            self.say(f"Warning: {text}")

    @property
    def colored(self) -> bool:
        """Whether standard output is coloured. --color takes precedence over the environment, and that over the
        terminal.

        NO_COLOR disables colours. CLICOLOR_FORCE and FORCE_COLOR enable them anywhere. CLICOLOR=0 disables them on
        terminals.
        """
        if self.color != "auto":
            return self.color == "always"
        given = os.environ.get
        if given("NO_COLOR"):
            return False
        if given("CLICOLOR_FORCE", "0") not in ("", "0") or given("FORCE_COLOR"):
            return True
        return sys.stdout.isatty() and given("TERM") != "dumb" and given("CLICOLOR") != "0"


def _write(text: str) -> None:
    out_of_the_way()
    line = shown(without_credentials(text))
    width = columns(sys.stderr)
    if width is None or (len(line) <= width and line.isascii()):
        echo(line, err=True)
        return
    for part in fitted([line], width):
        echo(part, err=True)


def columns(stream: TextIO) -> int | None:
    """The width of the stream's terminal. None for a file or a pipe, whose lines may have any length."""
    if not stream.isatty():
        return None
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given):
        return max(int(given), NARROWEST)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns or USUAL, NARROWEST)
    except (OSError, ValueError):
        return USUAL


def tell(lines: Iterable[str], *, tables: bool = True) -> None:
    """Print lines for people on standard output, wrapped between words to the terminal's width.

    Without `tables`, two spaces do not separate columns.
    """
    width = columns(sys.stdout)
    single = (inert_controls(_on_one_line(line)) for line in lines)
    found = [*(single if width is None else fitted(single, width, tables=tables))]
    for at in range(0, len(found), AT_ONCE):
        echo_text("\n".join(found[at : at + AT_ONCE]))


def tell_rows(rows: Sequence[Sequence[str]], form: str) -> None:
    """Print rows in columns: formatted by `form`, or fitted to a terminal that is too narrow for it."""
    lines = [form.format(*row).rstrip() for row in rows]
    width = columns(sys.stdout)
    if width is not None and any(wide(line) > width for line in lines):
        lines = [*rows_fitted(rows, width)]
    tell([line.rstrip() for line in lines], tables=False)


def echo(line: str, *, err: bool = False) -> None:
    """Print one line. Line breaks in it are escaped, so that no name can start a new line."""
    echo_text(_on_one_line(line), err=err)


def _on_one_line(line: str) -> str:
    return line.replace("\n", "\\n") if "\n" in line else line


def echo_text(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print text of any number of lines, such as a document or a report.

    All output of a command is printed here. Characters that a terminal or a CI job would interpret are escaped.
    """
    _write_out(_in_colours(inert(text)), nl=nl, err=err)


def echo_annotations(text: str) -> None:
    """Print lines that each are a workflow command of ours."""
    _write_out(inert_annotations(text), nl=True, err=False)


def echo_value(text: str) -> None:
    """Print the output of a template: escaped on a terminal, and exactly for a program that reads it."""
    if sys.stdout.isatty():
        echo_text(text, nl=False)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()


def _in_colours(text: str) -> str:
    """The text with our colours and links."""
    return text.replace(ESCAPE, "\x1b") if ESCAPE in text else text


def _write_out(text: str, *, nl: bool, err: bool) -> None:
    if not err and sys.stdout.isatty():
        out_of_the_way()
    if "\x1b" in text or sys.platform == "win32":
        import click

        click.echo(text, nl=nl, err=err, color=console().colored)
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
            help="Color output. auto follows the terminal and NO_COLOR.",
            callback=_set,
            expose_value=False,
        ),
        click.option(
            "-v",
            "--verbose",
            is_flag=True,
            default=None,
            help="Print more details.",
            callback=_set,
            expose_value=False,
        ),
        click.option(
            "-q",
            "--quiet",
            is_flag=True,
            default=None,
            help="Print only data and errors.",
            callback=_set,
            expose_value=False,
        ),
    ):
        command = option(command)
    return command
