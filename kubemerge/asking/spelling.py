"""Spellings that kubectl's users are used to, and click does not know: `--force=true`, `-o=yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SAID = {"true": True, "True": True, "1": True, "t": True, "false": False, "False": False, "0": False, "f": False}


def spelled(command: click.Command, words: Sequence[str]) -> list[str]:
    """The words of a command line as click reads them; what stands behind `--` is left as it is."""
    words = list(words)
    end = words.index("--") if "--" in words else len(words)
    flags = set(_flags(command))
    return [said for word in words[:end] if (said := _spelled(word, flags)) is not None] + words[end:]


def _flags(command: click.Command) -> Iterable[str]:
    """The options of a command, and of those in it, that take no value."""
    for one in command.params:
        if isinstance(one, click.Option) and one.is_flag:
            yield from one.opts
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _flags(inner)


def _spelled(word: str, flags: set[str]) -> str | None:
    """A word as click reads it; None for a flag that is said not to be set."""
    name, sign, value = word.partition("=")
    if not sign or not name.startswith("-") or not value:
        return word
    if name in flags and value in _SAID:
        return name if _SAID[value] else None
    return name + value if len(name) == 2 and name not in flags else word
