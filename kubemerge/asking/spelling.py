"""Words of a command line: spellings that click does not know, as `--force=true`, and words that nobody can mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAY_BE_EMPTY = frozenset({"-n", "--namespace", "-l", "--selector"})
"""What kubectl takes for an option that was not given."""
_SAID = {"true": True, "True": True, "1": True, "t": True, "false": False, "False": False, "0": False, "f": False}


def spelled(command: click.Command, words: Sequence[str]) -> list[str]:
    """The words of a command line as click reads them; what stands behind `--` is left as it is."""
    words = list(words)
    end = words.index("--") if "--" in words else len(words)
    flags = set(_flags(command))
    return [said for word in words[:end] if (said := _spelled(word, flags)) is not None] + words[end:]


_ADDRESS = re.compile(r"(?!https?://)[A-Za-z][\w+.-]*://")


def refuse_meaningless(command: click.Command, words: Sequence[str]) -> None:
    """An empty word is a variable of a script that was never set; and there are addresses that nobody fetches."""
    flags = set(_flags(command))
    before = ""
    for word in words:
        name, sign, value = word.partition("=") if word.startswith("-") else (before, "", word)
        if not value.strip() and (sign or not word.startswith("-")) and name not in _MAY_BE_EMPTY:
            option = name if name.startswith("-") and name not in flags else ""
            if not option:
                raise click.UsageError("a name among the words is empty; give one, or leave it out")
            what = "patch" if option in ("-p", "--patch") else "name"
            raise click.UsageError(f"the {what} behind {option} is empty; give one, or leave out {option}")
        if _ADDRESS.match(value):
            raise click.UsageError(f"{value}: only http and https are fetched; get it otherwise, and give the file")
        before = word


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
