"""Text for users: counts with nouns, and text that is safe on a terminal."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence


def shown(text: str) -> str:
    """Return the text on one line, with escapes for invisible characters: line ends, colours, direction marks.

    Names of files and objects come from others, and a terminal would execute control characters in them.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


ACTIVE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f"
)
"""For a regular expression: controls, Unicode line ends, direction marks, and zero-width characters."""

ESCAPE = "\udc1b"
"""Replaces ESC in our own colours and links until they are printed. No input contains it: it is half a
surrogate pair.
"""

_COMMAND = r"#(?=#\w*\[)|^([^\S\n]*):(?=:\w[^\n]*?::)"
"""The start of a CI workflow command.

GitHub executes `::name::` after spaces and `##[name]` anywhere in a line, Azure `##vso[`, TeamCity `##teamcity[`. The
sections of GitLab and Travis CI need a carriage return and ESC, which are escaped in any case.
"""


def inert(text: str) -> str:
    """Escape terminal controls and CI commands in lines of text. JSON and quoted YAML keep their meaning."""
    return without_commands(inert_controls(text))


def inert_controls(text: str) -> str:
    """Escape terminal controls and invisible characters in lines of text."""
    import re  # slow to import

    return re.sub(f"[{ACTIVE}]", lambda found: _escaped(found[0]), text)


def _escaped(letter: str) -> str:
    """The JSON escape of a character. Up to U+FFFF, YAML has the same escape."""
    data = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))


def without_commands(text: str) -> str:
    """Escape CI commands in lines of text."""
    if "::" not in text and "##" not in text:
        return text
    import re

    return re.sub(
        _COMMAND, lambda found: "\\u0023" if found[0] == "#" else f"{found[1]}\\u003a", text, flags=re.MULTILINE
    )


def inert_annotations(text: str) -> str:
    """Escape our own lines of workflow commands, except for the `::` at their start."""
    return "\n".join(line[:2] + inert(line[2:]) for line in text.split("\n"))


def has_command(text: str) -> bool:
    """Whether a line of a text could be a CI command, wherever the text is wrapped."""
    if "::" not in text and "##" not in text:
        return False
    import re

    return re.search(r"##\w*\[|(?:^|\s)::\w[^\n]*?::", text) is not None


def some(names: Sequence[str], most: int) -> str:
    """Return the first names, and the number of others: `a, b and 2 more`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def how_many(number: int, noun: str) -> str:
    """Return the number with its noun: `1 object`, `2 objects`, `2 patches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{number} {noun}{ending}"
