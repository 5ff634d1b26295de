"""Words for people: how many there are, and text that a terminal prints and never obeys."""

from __future__ import annotations


def shown(text: str) -> str:
    """The text on one line, with escapes for what is no visible character: line ends, colours, direction marks.

    Names of files and objects come from others, and a terminal would do what is written in them.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def how_many(number: int, noun: str) -> str:
    """The number with its noun: `1 object`, `2 objects`, `2 patches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{number} {noun}{ending}"
