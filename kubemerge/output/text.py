"""Text for people: counts in words, and text that is safe to print on a terminal."""

from __future__ import annotations


def shown(text: str) -> str:
    """The text on one line, with escapes for what is not visible: line ends, colours, direction marks.

    Names of files and objects come from others, and a terminal would obey control characters in them.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def how_many(number: int, noun: str) -> str:
    """The number with its noun: `1 object`, `2 objects`, `2 patches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{number} {noun}{ending}"
