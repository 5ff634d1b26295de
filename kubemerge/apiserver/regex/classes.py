r"""Character classes: ranges, names such as `[:alpha:]`, and Unicode categories such as `\pL`."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

Range = tuple[str, str]
LAST = "\U0010ffff"
DIGITS: tuple[Range, ...] = (("0", "9"),)
SPACES: tuple[Range, ...] = (("\t", "\n"), ("\f", "\r"), (" ", " "))
LETTERS: tuple[Range, ...] = (("A", "Z"), ("a", "z"))
WORDS: tuple[Range, ...] = (*DIGITS, *LETTERS, ("_", "_"))
PERL = {"d": DIGITS, "s": SPACES, "w": WORDS}
POSIX: dict[str, tuple[Range, ...]] = {
    "alnum": (*DIGITS, *LETTERS),
    "alpha": LETTERS,
    "ascii": (("\0", "\x7f"),),
    "blank": (("\t", "\t"), (" ", " ")),
    "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "digit": DIGITS,
    "graph": (("!", "~"),),
    "lower": (("a", "z"),),
    "print": ((" ", "~"),),
    "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "space": (("\t", "\r"), (" ", " ")),
    "upper": (("A", "Z"),),
    "word": WORDS,
    "xdigit": (*DIGITS, ("A", "F"), ("a", "f")),
}
CATEGORIES = frozenset(
    [
        "C",
        "Cc",
        "Cf",
        "Co",
        "Cs",
        "Cn",
        "L",
        "LC",
        "Ll",
        "Lm",
        "Lo",
        "Lt",
        "Lu",
        "M",
        "Mc",
        "Me",
        "Mn",
        "N",
        "Nd",
        "Nl",
        "No",
        "P",
        "Pc",
        "Pd",
        "Pe",
        "Pf",
        "Pi",
        "Po",
        "Ps",
        "S",
        "Sc",
        "Sk",
        "Sm",
        "So",
        "Z",
        "Zl",
        "Zp",
        "Zs",
    ]
)
FOLDS = {"k": "\u212a", "s": "\u017f", "\u00e5": "\u212b", "\u00df": "\u1e9e", "\u03c9": "\u2126"}
"""Letters with a third form besides upper and lower case."""
_UNFOLDS = {third: letter for letter, third in FOLDS.items()}


class Category(NamedTuple):
    """All characters of a Unicode category, or all others."""

    name: str
    negated: bool

    def holds(self, char: str) -> bool:
        """Whether the category contains a character."""
        found = unicodedata.category(char)
        inside = found in {"Lu", "Ll", "Lt"} if self.name == "LC" else found.startswith(self.name)
        return inside != self.negated


class Class(NamedTuple):
    """A set of characters."""

    ranges: tuple[Range, ...]
    categories: tuple[Category, ...] = ()
    negated: bool = False
    folded: bool = False

    def holds(self, char: str) -> bool:
        """Whether the set contains a character."""
        chars = forms(char) if self.folded else (char,)
        return any(self._has(one) for one in chars) != self.negated

    def _has(self, char: str) -> bool:
        return any(low <= char <= high for low, high in self.ranges) or any(one.holds(char) for one in self.categories)


def forms(char: str) -> tuple[str, ...]:
    """Return the character in upper, lower and any third case."""
    low = _UNFOLDS.get(char, char.lower())
    found = {char, low, low.upper(), char.upper(), FOLDS.get(low, char)}
    return tuple(one for one in found if len(one) == 1)


def without(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Return all characters outside of the ranges."""
    found: list[Range] = []
    start = 0
    for low, high in sorted(ranges):
        if ord(low) > start:
            found.append((chr(start), chr(ord(low) - 1)))
        start = max(start, ord(high) + 1)
    if start <= ord(LAST):
        found.append((chr(start), LAST))
    return tuple(found)


ANY = Class((), negated=True)
ANY_BUT_NEWLINE = Class((("\n", "\n"),), negated=True)
