"""Text for people: counts in words, and text that is safe to print on a terminal."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence


def shown(text: str) -> str:
    """The text on one line, with escapes for what is not visible: line ends, colours, direction marks.

    Names of files and objects come from others, and a terminal would obey control characters in them.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


ACTIVE = "\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb"
"""What a terminal obeys or turns around, but for the sign that colours begin with; for a regular expression."""


def inert(text: str) -> str:
    """Lines of text with escapes for what a terminal would obey; JSON, and YAML in quotes, mean the same as before."""
    import re  # taken where it is needed: it takes a while to import

    return re.sub(f"[{ACTIVE}]", lambda found: f"\\u{ord(found[0]):04x}", text)


def some(names: Sequence[str], most: int) -> str:
    """The first of the names, and how many there are more: `a, b and 2 more`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def how_many(number: int, noun: str) -> str:
    """The number with its noun: `1 object`, `2 objects`, `2 patches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{number} {noun}{ending}"
