r"""Character classes: ranges, names such as `[:alpha:]`, and Unicode categories such as `\pL`."""

from __future__ import annotations

import re
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
ORBITS = (
    *("Kk\u212a", "Ss\u017f", "\u00df\u1e9e", "\u00b5\u039c\u03bc", "\u00c5\u00e5\u212b", "\u01c4\u01c5\u01c6"),
    *("\u01c7\u01c8\u01c9", "\u01ca\u01cb\u01cc", "\u01f1\u01f2\u01f3", "\u0345\u0399\u03b9\u1fbe"),
    *("\u0392\u03b2\u03d0", "\u0395\u03b5\u03f5", "\u0398\u03b8\u03d1\u03f4", "\u039a\u03ba\u03f0"),
    *("\u03a0\u03c0\u03d6", "\u03a1\u03c1\u03f1", "\u03a3\u03c2\u03c3", "\u03a6\u03c6\u03d5", "\u03a9\u03c9\u2126"),
    *("\u0412\u0432\u1c80", "\u0414\u0434\u1c81", "\u041e\u043e\u1c82", "\u0421\u0441\u1c83"),
    *("\u0422\u0442\u1c84\u1c85", "\u042a\u044a\u1c86", "\u0462\u0463\u1c87", "\u1c88\ua64a\ua64b"),
    *("\u1e60\u1e61\u1e9b", "\u0131"),
)
"""Letters that Go takes for forms of each other, besides pairs of an upper and a lower case."""
_ORBIT_OF = {char: tuple(orbit) for orbit in ORBITS for char in orbit}
_got_another_case_later = re.compile(
    "[\u019b\u0264\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2-\ua7d5\ua7da-\ua7dc\U00010d50-\U00010d85\U00016ea0-\U00016ed3]"
).match
"""Go has Unicode 15.0, and Python 3.14 and later have newer ones."""


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
    """Return the character in all of its cases."""
    if _got_another_case_later(char):
        return (char,)
    found = {char, char.lower(), char.upper(), char.title()}
    return _ORBIT_OF.get(char) or tuple(one for one in found if len(one) == 1)


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
