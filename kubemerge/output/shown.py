"""Text for a terminal: printed, and never obeyed."""

from __future__ import annotations


def shown(text: str) -> str:
    """The text on one line, with escapes for what is no visible character: line ends, colours, direction marks.

    Names of files and objects come from others, and a terminal would do what is written in them.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
