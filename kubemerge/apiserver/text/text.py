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


ACTIVE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f"
)
"""For a regular expression: controls, line ends of Unicode, direction marks, and characters without a width."""

ESCAPE = "\udc1b"
"""Stands for ESC in our own colours and links until they are printed. No input has it: it is half a character."""

_COMMAND = r"#(?=#\w*\[)|^([^\S\n]*):(?=:\w[^\n]*?::)"
"""How a command to the program that runs a CI job begins.

GitHub obeys `::name::` behind spaces and `##[name]` anywhere in a line, Azure `##vso[`, TeamCity `##teamcity[`. The
sections of GitLab and Travis CI need a carriage return and ESC, which are escaped in any case.
"""


def inert(text: str) -> str:
    """Lines of text with escapes for what a terminal or CI job would obey. JSON, and YAML in quotes, mean the same."""
    return without_commands(inert_controls(text))


def inert_controls(text: str) -> str:
    """Lines of text with escapes for what a terminal would obey, and for what nobody can see."""
    import re  # taken where it is needed: it takes a while to import

    return re.sub(f"[{ACTIVE}]", lambda found: _escaped(found[0]), text)


def _escaped(letter: str) -> str:
    """The escape that JSON has for a character, which is that of YAML up to U+FFFF."""
    data = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))


def without_commands(text: str) -> str:
    """Lines of text with escapes for what a CI job would obey."""
    if "::" not in text and "##" not in text:
        return text
    import re

    return re.sub(
        _COMMAND, lambda found: "\\u0023" if found[0] == "#" else f"{found[1]}\\u003a", text, flags=re.MULTILINE
    )


def inert_annotations(text: str) -> str:
    """Lines that each are a workflow command of ours, with escapes for what would act in the rest of the line."""
    return "\n".join(line[:2] + inert(line[2:]) for line in text.split("\n"))


def has_command(text: str) -> bool:
    """Whether some line that a text is printed on could be a command, wherever the text is broken into lines."""
    if "::" not in text and "##" not in text:
        return False
    import re

    return re.search(r"##\w*\[|(?:^|\s)::\w[^\n]*?::", text) is not None


def some(names: Sequence[str], most: int) -> str:
    """The first of the names, and how many there are more: `a, b and 2 more`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def how_many(number: int, noun: str) -> str:
    """The number with its noun: `1 object`, `2 objects`, `2 patches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{number} {noun}{ending}"
