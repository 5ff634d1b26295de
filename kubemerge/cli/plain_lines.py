"""Plain command lines, read without click, whose import takes longer than the merge itself.

A line is plain if it is of one of the commands below and has only the options below, each written in full and with a
plain value. Every other line is left to click, above all those that ask for help or hold a mistake: nothing is refused
here. The tests show that both read a plain line alike.
"""

from __future__ import annotations

from engine.values.immutable import Immutable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

CONSOLE = {"-q": "quiet", "--quiet": "quiet", "-v": "verbose", "--verbose": "verbose"}
"""Flags of the console."""
FLAGS = {"-R": "recursive", "--recursive": "recursive", "--safe": "safe", "--show-secrets": "show_secrets"}
LAST_ONE = {
    **dict.fromkeys(("-n", "--namespace"), "namespace"),
    **dict.fromkeys(("-o", "--output"), "output"),
    "--cluster": "cluster",
    "--last-applied": "last",
    "--release": "release",
}
"""Options with a value; of several the last one counts."""
ALL = {"-f": "config", "--filename": "config", "--live": "live", "--schema": "schema"}
"""Options with a value; all of them count."""


class PlainCommand(Immutable):
    """A command that has the options above."""

    __slots__ = ("function", "outputs", "argument", "flags")  # noqa: RUF023 - the order in which they are filled
    function: str
    """The function that does the work, in the module of `runs` of its name; it takes a MergeRequest first."""
    outputs: tuple[str, ...]
    """What may be behind -o."""
    argument: str
    """What a word that belongs to no option is called; empty if there may be none."""
    flags: tuple[str, ...]
    """Names of flags that only this command has."""

    def __init__(
        self, function: str, outputs: tuple[str, ...], argument: str = "", flags: tuple[str, ...] = ()
    ) -> None:
        self._fill(function, outputs, argument, flags)


COMMANDS = {
    "diff": PlainCommand("print_diff", ("text", "json")),
    "merge": PlainCommand("print_merged", ("yaml", "json", "patch", "name"), flags=("raw",)),
    "why": PlainCommand("print_reasons", ("text", "json"), "path", flags=("raw",)),
}


def read_plain(words: Sequence[str]) -> Callable[[], int] | None:
    """What does as a plain command line says; None if click has to read it."""
    command = COMMANDS.get(words[0]) if words else None
    options = _options(command, words[1:]) if command else None
    if command is None or options is None:
        return None
    return lambda: _run(command, options)


def _run(command: PlainCommand, options: dict[str, Any]) -> int:
    from importlib import import_module

    from .runs.merge_request import MergeRequest
    from .terminal.console import console

    for name in ("quiet", "verbose"):
        setattr(console(), name, options.pop(name, False))
    asked = MergeRequest(**{name: options.pop(name) for name in MergeRequest.__slots__ if name in options})
    work: Callable[..., int] = getattr(import_module(f"{__package__}.runs.{command.function}"), command.function)
    return work(asked, **options)


def _options(command: PlainCommand, words: Sequence[str]) -> dict[str, Any] | None:
    """The values of the options that are given; None if the line is not plain."""
    found: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name in LAST_ONE or name in ALL:
            value = value if equals else next(rest, "")
            if not _is_plain(value):
                return None
            if name in LAST_ONE:
                found[LAST_ONE[name]] = value
            else:
                found[ALL[name]] = (*found.get(ALL[name], ()), value)
        elif equals:
            return None
        elif name in FLAGS or name in CONSOLE:
            found[FLAGS.get(name) or CONSOLE[name]] = True
        elif name.removeprefix("--") in command.flags:
            found[name.removeprefix("--")] = True
        elif command.argument and command.argument not in found and _is_plain(word) and word != "-":
            found[command.argument] = word
        else:
            return None
    plain = "config" in found and found.get("output", command.outputs[0]) in command.outputs
    return found if plain else None


def _is_plain(value: str) -> bool:
    """Whether a value needs no second look: it is not empty, not an option, and not an address."""
    return bool(value.strip()) and (value == "-" or not value.startswith("-")) and "://" not in value
