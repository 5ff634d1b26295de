"""The parser of Go's regular expressions, with Go's errors."""

from __future__ import annotations

from .classes import ANY, ANY_BUT_NEWLINE, CATEGORIES, LAST, PERL, POSIX, Category, Class, Range, without
from .tree import Assertion, Chars, Choice, Flags, Node, Repeat, Sequence

MOST_REPEATS = 1000
DEEPEST = 1000
ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
OCTAL = "01234567"


class BadPattern(Exception):
    """A pattern that Go rejects, with Go's error."""

    def __init__(self, why: str, part: str) -> None:
        super().__init__(f"error parsing regexp: {why}: `{part}`")


class UnknownPattern(Exception):
    """A pattern that Go accepts, but that is not supported here."""


NAMES_OF_FLAGS = {"i": "fold", "m": "lines", "s": "dot_all", "U": "ungreedy"}


def parse(pattern: str) -> Node:
    """Parse a pattern. Raise BadPattern."""
    reader = _Reader(pattern)
    found = reader.choice(Flags(), 0)
    if reader.at < len(pattern):
        raise BadPattern("unexpected )", pattern)
    return found


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0

    def _next(self) -> str:
        return self.pattern[self.at] if self.at < len(self.pattern) else ""

    def _takes(self, text: str) -> bool:
        if self.pattern.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def choice(self, flags: Flags, depth: int) -> Node:
        if depth > DEEPEST:
            raise BadPattern("expression nests too deeply", self.pattern)
        options: list[Node] = []
        parts: list[Node] = []
        while self._next() not in ("", ")"):
            if self._takes("|"):
                options.append(Sequence(tuple(parts)))
                parts = []
            elif self.pattern.startswith("(?", self.at) and (changed := self._flags(flags)) is not None:
                flags = changed
            else:
                parts.append(self._repeated(flags, depth))
        options.append(Sequence(tuple(parts)))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _flags(self, flags: Flags) -> Flags | None:
        """The flags after `(?i)`. None for the start of a group."""
        start = self.at
        end = next((at for at in range(start + 2, len(self.pattern)) if self.pattern[at] not in "imsU-"), start)
        if self.pattern[end : end + 1] == ")" and end > start + 2:
            self.at = end + 1
            return self._changed(flags, self.pattern[start + 2 : end], self.pattern[start : end + 1])
        return None

    @staticmethod
    def _changed(flags: Flags, letters: str, whole: str) -> Flags:
        on = True
        for at, letter in enumerate(letters):
            if letter == "-":
                if not on or at == len(letters) - 1:
                    read = len("(?") + at + (1 if not on else 2)
                    raise BadPattern("invalid or unsupported Perl syntax", whole[:read])
                on = False
            else:
                flags = flags._replace(**{NAMES_OF_FLAGS[letter]: on})
        return flags

    # ---- repetition ----------------------------------------------------------------------------------------------

    def _repeated(self, flags: Flags, depth: int) -> Node:
        start = self.at
        if self._bounds() is not None:
            self._takes("?")
            raise BadPattern("missing argument to repetition operator", self.pattern[start : self.at])
        found = self._atom(flags, depth)
        last = ""
        while True:
            start = self.at
            bounds = self._bounds()
            if bounds is None:
                return found
            greedy = not self._takes("?")
            word = self.pattern[start : self.at]
            if last:
                raise BadPattern("invalid nested repetition operator", last + word)
            least, most = bounds
            if max(least, most or 0) > MOST_REPEATS or (most is not None and least > most):
                raise BadPattern("invalid repeat count", word)
            found = Repeat(found, least, most, greedy != flags.ungreedy)
            if repeats(found) > MOST_REPEATS:
                raise BadPattern("invalid repeat count", word)
            last = word

    def _bounds(self) -> tuple[int, int | None] | None:
        for sign, least, most in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self._takes(sign):
                return least, most
        if self._next() != "{":
            return None
        end = self.pattern.find("}", self.at)
        inside = self.pattern[self.at + 1 : end] if end > 0 else ""
        first, comma, second = inside.partition(",")
        if not _is_number(first) or (second and not _is_number(second)):
            return None
        self.at = end + 1
        return int(first), (int(second) if second else None) if comma else int(first)

    # ---- one thing -----------------------------------------------------------------------------------------------

    def _atom(self, flags: Flags, depth: int) -> Node:
        char = self._next()
        if char == "(":
            return self._group(flags, depth)
        if char == "[":
            return Chars(self._class(flags))
        if char == "\\":
            return self._escaped(flags)
        self.at += 1
        if char == "^":
            return Assertion("line start" if flags.lines else "start")
        if char == "$":
            return Assertion("line end" if flags.lines else "end")
        if char == ".":
            return Chars(ANY if flags.dot_all else ANY_BUT_NEWLINE)
        return _letter(char, flags)

    def _group(self, flags: Flags, depth: int) -> Node:
        start = self.at
        self.at += 1
        if self._takes("?"):
            flags = self._opened(flags, start)
        found = self.choice(flags, depth + 1)
        if not self._takes(")"):
            raise BadPattern("missing closing )", self.pattern)
        return Sequence((found,))

    def _opened(self, flags: Flags, start: int) -> Flags:
        """After `(?`: a name, or flags up to a colon."""
        if self._takes("P<") or self._takes("<"):
            end = self.pattern.find(">", self.at)
            if end < 0:
                raise BadPattern("invalid named capture", self.pattern[start:])
            name = self.pattern[self.at : end]
            if not name or not all(one == "_" or (one.isascii() and one.isalnum()) for one in name):
                raise BadPattern("invalid named capture", self.pattern[start : end + 1])
            self.at = end + 1
            return flags
        end = self.at
        while self.pattern[end : end + 1] and self.pattern[end] in "imsU-":
            end += 1
        if self.pattern[end : end + 1] != ":":
            raise BadPattern("invalid or unsupported Perl syntax", self.pattern[start : end + 1])
        letters = self.pattern[self.at : end]
        self.at = end + 1
        return self._changed(flags, letters, self.pattern[start : end + 1]) if letters else flags

    def _escaped(self, flags: Flags) -> Node:
        char = self.pattern[self.at + 1 : self.at + 2]
        places = {"A": "start", "z": "end", "b": "word edge", "B": "no word edge"}
        if char in places and char:
            self.at += 2
            return Assertion(places[char])
        if char == "Q":
            end = self.pattern.find("\\E", self.at)
            quoted = self.pattern[self.at + 2 : end if end >= 0 else None]
            self.at = end + 2 if end >= 0 else len(self.pattern)
            return Sequence(tuple(_letter(one, flags) for one in quoted))
        found = self._known_class()
        if found is not None:
            ranges, categories = found
            return Chars(Class(ranges, categories, folded=flags.fold))
        return _letter(self._escape(), flags)

    def _known_class(self) -> tuple[tuple[Range, ...], tuple[Category, ...]] | None:
        r"""The class of `\d` or `\pL`, if it is here."""
        char = self.pattern[self.at + 1 : self.at + 2]
        if char and char.lower() in PERL:
            self.at += 2
            ranges = PERL[char.lower()]
            return (without(ranges) if char.isupper() else ranges), ()
        if char in ("p", "P"):
            return (), (self._category(),)
        return None

    def _category(self) -> Category:
        start = self.at
        negated = self.pattern[start + 1] == "P"
        self.at += 3
        name = self.pattern[start + 2 : start + 3]
        if name == "{":
            end = self.pattern.find("}", self.at)
            if end < 0:
                raise BadPattern("invalid character class range", self.pattern[start:])
            name, self.at = self.pattern[self.at : end], end + 1
        if name.startswith("^"):
            name, negated = name[1:], not negated
        if name == "Any":
            return Category("", negated)
        if name not in CATEGORIES:
            if len(name) > 2 and name[0].isupper() and name.replace("_", "").isalpha():
                raise UnknownPattern(f"the script {name} is not known")
            raise BadPattern("invalid character class range", self.pattern[start : self.at])
        return Category(name, negated)

    def _escape(self) -> str:
        start = self.at
        self.at += 2
        char = self.pattern[start + 1 : start + 2]
        if not char:
            raise BadPattern("trailing backslash at end of expression", "")
        if char in "01234567" and (char == "0" or self._next() in tuple(OCTAL)):
            while self.at < start + 4 and self._next() and self._next() in OCTAL:
                self.at += 1
            return chr(int(self.pattern[start + 1 : self.at], 8))
        if char == "x":
            return self._hexadecimal(start)
        if char in ESCAPES:
            return ESCAPES[char]
        if ord(char) < 128 and not char.isalnum():
            return char
        raise BadPattern("invalid escape sequence", self.pattern[start : self.at])

    def _hexadecimal(self, start: int) -> str:
        if self._takes("{"):
            end = self.pattern.find("}", self.at)
            digits, self.at = self.pattern[self.at : end if end > 0 else None], end + 1
        else:
            digits = self.pattern[self.at : self.at + 2]
            self.at += 2
            end = self.at if len(digits) == 2 else -1
        if end < 0 or not digits or any(one not in "0123456789abcdefABCDEF" for one in digits) or len(digits) > 8:
            raise BadPattern("invalid escape sequence", self.pattern[start : self.at or None])
        if int(digits, 16) > ord(LAST):
            read = next(count for count in range(1, len(digits) + 1) if int(digits[:count], 16) > ord(LAST))
            raise BadPattern("invalid escape sequence", f"\\x{{{digits[:read]}")
        return chr(int(digits, 16))

    def _class(self, flags: Flags) -> Class:
        start = self.at
        self.at += 1
        negated = self._takes("^")
        ranges: list[Range] = []
        categories: list[Category] = []
        first = True
        while first or self._next() != "]":
            if not self._next():
                raise BadPattern("missing closing ]", self.pattern[start:])
            self._in_class(ranges, categories)
            first = False
        self.at += 1
        return Class(tuple(ranges), tuple(categories), negated, flags.fold)

    def _in_class(self, ranges: list[Range], categories: list[Category]) -> None:
        """One part of a class: a named one, or a range."""
        if self.pattern.startswith("[:", self.at) and (end := self.pattern.find(":]", self.at)) > 0:
            name = self.pattern[self.at + 2 : end]
            if name.lstrip("^") not in POSIX:
                raise BadPattern("invalid character class range", self.pattern[self.at : end + 2])
            self.at = end + 2
            ranges.extend(without(POSIX[name[1:]]) if name.startswith("^") else POSIX[name])
            return
        known = self._known_class() if self._next() == "\\" else None
        if known is not None:
            ranges.extend(known[0])
            categories.extend(known[1])
            return
        begin = self.at
        low = high = self._class_char()
        if self._next() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("", "]"):
            self.at += 1
            high = self._class_char()
            if high < low:
                raise BadPattern("invalid character class range", self.pattern[begin : self.at])
        ranges.append((low, high))

    def _class_char(self) -> str:
        char = self._next()
        if char == "\\":
            return self._escape()
        self.at += 1
        return char


def repeats(node: Node) -> int:
    """Return the product of nested counted repetitions."""
    if isinstance(node, Repeat):
        count = node.most if node.most is not None else node.least
        return max(count, 1) * repeats(node.inner) if count > 1 else repeats(node.inner)
    if isinstance(node, (Sequence, Choice)):
        return max(map(repeats, node.parts), default=1)
    return 1


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9 and (text == "0" or not text.startswith("0"))


def _letter(char: str, flags: Flags) -> Node:
    return Chars(Class(((char, char),), folded=flags.fold))
