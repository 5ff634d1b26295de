"""A line reader for the YAML of most manifests, which takes at most half the time of a parser.

It reads a subset of YAML: block mappings and sequences, scalars, literal blocks, and flow collections on one line. For
any other text, also one with an error, `read_lines` raises OtherYaml, and the caller uses the parser.
"""

from __future__ import annotations

import re

from .limits import MAX_NODES
from .yaml_scalars import WORDS, OtherYaml, YamlError, is_number_like, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn, TypeVar

    Place = tuple[int, int]
    Places = dict[int, dict[Any, Place]]
    _Found = TypeVar("_Found")

_ODD_ASCII = re.compile(r"[^\t\n\x20-\x7e]")
_ODD = "[^\t\n\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]"
"""Rare characters, and those that the parser rejects, removes or treats as line breaks. Compiling this pattern takes as
long as reading 60 files, so it is only done for a text that is not ASCII."""
_ENTRY = re.compile(
    r"""(?:([A-Za-z_/][\w./$-]{0,500}|[0-9.][\w./-]{0,500})|"([^"\\\t]{0,500})"|'([^'\t]{0,500})'):(?: +(.*)|)$""",
    re.ASCII,
)
"""A key, and the rest of its line."""
_SIMPLE = re.compile(r"[A-Za-z/][\w./-]*", re.ASCII)
"""A plain scalar that is not a number, with nothing behind it."""
_DOUBLE = re.compile(r'((?:[^"\\\t]|\\["\\nt])*)("?)')
_SINGLE = re.compile(r"((?:[^'\t]|'')*)('?)")
"""The text of a quoted scalar on one line, and the closing quote if it is on this line."""
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_PARTS = re.compile(r"""[\[\]{},]|"[^"\\\t]*"|'[^'\t]*'|[A-Za-z0-9_./-][A-Za-z0-9_./=$-]*|:\ |[^ ]""", re.ASCII)
"""The tokens of a flow collection. Any other character is a separate token."""
_QUOTES = ('"', "'")
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/")
_STARTS = frozenset("0123456789.-")
_LONGEST_KEY = 500
_END = re.compile(r" *(?: #.*)?$")
_NOT_FIRST = frozenset("-?:,[]{}#&*!|>'\"%@` \t")
_DEEPEST = 60
_DASHES = "---"
_MOST_KEPT, _LONGEST_KEPT = 2000, 80
"""The number of texts whose results are kept, because files repeat most of their lines, and the length of one."""
_entries: dict[str, tuple[str, str, bool]] = {}
"""Lines of mappings without indentation: the key, the rest, and whether it is a scalar if nothing follows."""
_brackets: dict[str, Any] = {}
"""Flow collections. They are copied, because each occurrence is a separate object."""


def read_lines(text: str, places: Places | None = None) -> Iterator[tuple[int, Any]]:
    """The documents of a text, each with the line of its content. OtherYaml for text outside of the subset.

    It may be raised after some documents: they are those of the parser. `places` gets the lines and columns of the keys
    and elements of each mapping and sequence outside of brackets, by the identity of the value, both counted from 1.
    """
    is_odd = _ODD_ASCII.search(text) if text.isascii() else re.search(_ODD, text)
    if len(text) > MAX_NODES or is_odd:
        raise OtherYaml
    try:
        for above, part in _parts(text):
            reader = _Reader(part, above, places)
            is_above_all_documents = not above and len(part) < len(text) and reader.is_empty()
            if not is_above_all_documents:
                yield reader.document()
    except (YamlError, IndexError):
        raise OtherYaml from None


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """The text between lines of dashes, which only end documents here, each with the number of lines before it."""
    start = above = 0
    while True:
        end = start if text.startswith(_DASHES, start) else text.find(f"\n{_DASHES}", start) + 1 or len(text)
        following = text.find("\n", end) + 1 or len(text)
        if end < len(text) and text[end:following].rstrip(" \n") != _DASHES:
            _give_up()
        part = text[start:end]
        yield above, part
        if end == len(text):
            return
        above += part.count("\n") + 1
        start = following


def _give_up() -> NoReturn:
    raise OtherYaml


class _Reader:
    """The lines of a document, and the number of the next one."""

    def __init__(self, text: str, above: int, places: Places | None) -> None:
        self.lines = text.split("\n")
        self.first = above + 1
        self.places = places
        self.at = 0
        self.depth = 0

    def is_empty(self) -> bool:
        """Whether no line has content."""
        return self._indent() < 0 and self.at >= len(self.lines)

    def document(self) -> tuple[int, Any]:
        """The only document of the lines, with the line of its content."""
        if self._indent() < 0:
            _give_up()
        line = self.first + self.at
        found = self._collection(0)
        return (line, found) if self.is_empty() else _give_up()

    def _indent(self) -> int:
        """The indentation of the next line with content; -1 at the end of the document."""
        lines = self.lines
        for at in range(self.at, len(lines)):
            line = lines[at]
            bare = line.lstrip(" ")
            if bare and bare[0] != "#":
                self.at = at
                if bare is line and (line.startswith(("---", "...", "%"))):
                    return -1
                return len(line) - len(bare)
        self.at = len(lines)
        return -1

    def _collection(self, indent: int) -> Any:
        """The mapping or sequence whose first line is the next one."""
        if self.depth > _DEEPEST:
            _give_up()
        self.depth += 1
        line = self.lines[self.at]
        is_sequence = line.startswith("- ", indent) or line[indent:] == "-"
        found = self._sequence(indent) if is_sequence else self._mapping(indent)
        self.depth -= 1
        return found

    def _mapping(self, indent: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        places: dict[Any, Place] = {}
        lines, known = self.lines, _entries.get
        margin, deeper = " " * indent, " " * (indent + 1)
        while True:
            line = lines[self.at] if self.at < len(lines) else ""
            entry = (known(line[indent:]) or _entry(line[indent:])) if line[:indent] == margin else None
            if entry is None:
                following = self._indent()
                if following != indent:
                    return self._done(found, places, indent, following)
                entry = _entry(lines[self.at][indent:]) or _give_up()
            key, rest, is_simple = entry
            if key in found:
                _give_up()
            if self.places is not None:
                places[key] = self.first + self.at, indent + 1
            if is_simple and not lines[self.at + 1].startswith(deeper):
                found[key] = rest
                self.at += 1
            else:
                found[key] = self._value(rest, indent, in_mapping=True)

    def _sequence(self, indent: int) -> list[Any]:
        found: list[Any] = []
        places: dict[Any, Place] = {}
        while (following := self._indent()) == indent:
            line = self.lines[self.at]
            rest = line[indent + 1 :]
            if line[indent] != "-" or rest[:1] not in ("", " "):
                if self.depth and line[indent] != "-":
                    break  # the next key of a mapping with the same indentation
                _give_up()
            bare = rest.lstrip(" ")
            column = len(line) - len(bare)
            if self.places is not None:
                places[len(found)] = self.first + self.at, column + 1
            if bare.startswith("- ") or bare == "-" or _ENTRY.match(bare):
                self.lines[self.at] = " " * column + bare
                found.append(self._collection(column))
            else:
                if not bare or bare[0] == "#":
                    places.pop(len(found), None)
                found.append(self._value(bare, indent, in_mapping=False))
        return self._done(found, places, indent, following)

    def _done(self, found: _Found, places: dict[Any, Place], indent: int, following: int) -> _Found:
        """Check the indentation of the line after a collection, and store the places of its keys or elements."""
        if following > indent:
            _give_up()
        if self.places is not None:
            self.places[id(found)] = places
        return found

    def _value(self, rest: str, indent: int, *, in_mapping: bool) -> Any:
        """The value that begins with the rest of a line. `indent` is the indentation of the collection around it."""
        if not rest or rest[0] == "#":
            self.at += 1
            return self._below(indent, in_mapping=in_mapping)
        first = rest[0]
        if first == "|":
            return self._literal(rest, indent)
        if first not in _NOT_FIRST or (first == "-" and rest[1:2] not in ("", " ", "-")):
            return self._plain(rest, indent)
        self.at += 1
        if first == '"':
            text = self._quoted(rest, indent, _DOUBLE)
            return _ESCAPE.sub(lambda one: _ESCAPES[one[1]], text) if "\\" in text else text
        if first == "'":
            return self._quoted(rest, indent, _SINGLE).replace("''", "'")
        if first in "[{":
            return _in_brackets(rest)
        return _give_up()

    def _quoted(self, rest: str, indent: int, pattern: re.Pattern[str]) -> str:
        """A quoted scalar. It may continue on the next lines, which are joined by spaces."""
        parts: list[str] = []
        line, start = rest, 1
        while True:
            match = pattern.match(line, start) or _give_up()
            if match[2]:
                parts.append(match[1])
                return " ".join(parts) if _END.match(line, match.end()) else _give_up()
            if match.end() < len(line):
                _give_up()
            parts.append(match[1].rstrip(" "))
            line = self.lines[self.at]
            start = len(line) - len(line.lstrip(" "))
            if start <= indent or start == len(line):
                _give_up()
            self.at += 1

    def _below(self, indent: int, *, in_mapping: bool) -> Any:
        """The value below a key or dash whose line has no value: a collection or null."""
        inner = self._indent()
        if inner > indent:
            return self._collection(inner)
        if inner == indent and in_mapping:
            line = self.lines[self.at]
            if line.startswith("- ", indent) or line[indent:] == "-":
                return self._collection(indent)
        return None

    def _plain(self, rest: str, indent: int) -> Any:
        """A text without quotes, which may continue on the next lines."""
        self.at += 1
        if " #" in rest:
            rest = rest[: rest.index(" #")]
            return resolve(_checked(rest.rstrip(" ")))
        text = _checked(rest.rstrip(" "))
        more = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            bare = line.lstrip(" ")
            if not bare or len(line) - len(bare) <= indent:
                break
            if bare[0] == "#" or " #" in bare:
                _give_up()
            more.append(_checked(bare.rstrip(" ")))
            self.at += 1
        return " ".join([text, *more]) if more else resolve(text)

    def _literal(self, rest: str, indent: int) -> str:
        """A literal block: `|` or `|-`."""
        header = rest.rstrip(" ")
        if header not in ("|", "|-"):
            _give_up()
        lines, start = self.lines, self.at + 1
        while not lines[start]:
            start += 1
        inner = len(lines[start]) - len(lines[start].lstrip(" "))
        if inner <= indent or inner == len(lines[start]) or lines[start][inner] == "\t":
            _give_up()
        margin = " " * inner
        at = start
        for at in range(start, len(lines)):
            line = lines[at]
            if not line.startswith(margin) and line.strip(" "):
                break
        else:
            at = len(lines)
        body = [line[inner:] for line in lines[self.at + 1 : at]]
        while body and not body[-1]:
            body.pop()
        self.at = at
        return "\n".join(body) + ("\n" if header == "|" else "")


def _entry(line: str) -> tuple[str, str, bool] | None:
    """The key and the rest of a line without indentation, see `_entries`; None without a key."""
    match = _ENTRY.match(line)
    if match is None:
        return None
    plain, double, single, rest = match.groups()
    if plain is not None and is_number_like(plain):
        _give_up()
    key = plain if plain is not None else single if double is None else double
    found = key, rest or "", bool(rest and _SIMPLE.fullmatch(rest) and rest not in WORDS)
    return _kept(_entries, line, found)


def _in_brackets(text: str) -> Any:
    """The flow collection in the rest of a line."""
    known = _brackets.get(text)
    if known is None:
        known = _kept(_brackets, text, _Brackets(text).read())
    return _copied(known)


def _copied(found: Any) -> Any:
    """A copy of a collection with copies of the collections in it."""
    if type(found) is dict:
        return {key: value if type(value) is str else _copied(value) for key, value in found.items()}
    return [value if type(value) is str else _copied(value) for value in found] if type(found) is list else found


def _kept(results: dict[str, _Found], text: str, found: _Found) -> _Found:
    """Keep the result for a short text."""
    if len(text) <= _LONGEST_KEPT:
        if len(results) >= _MOST_KEPT:
            results.clear()
        results[text] = found
    return found


class _Brackets:
    """A flow collection on one line: brackets or braces."""

    def __init__(self, text: str) -> None:
        if " #" in text:
            text = text[: text.index(" #")]
        self.parts = _PARTS.findall(text)
        self.parts.append("")
        self.at = 1

    def read(self) -> Any:
        value = self._mapping(1) if self.parts[0] == "{" else self._list(1)
        return value if self.parts[self.at] == "" else _give_up()

    def _value(self, part: str, depth: int) -> Any:
        first = part[:1]
        if first == "{":
            return self._mapping(depth + 1)
        if first == "[":
            return self._list(depth + 1)
        if first in _QUOTES:
            return part[1:-1] if len(part) > 1 else _give_up()
        if first in _LETTERS:
            return WORDS.get(part, part)
        if first in _STARTS and part[1:2] != "-" and len(part) > (first == "-"):
            return resolve(part)
        return _give_up()

    def _list(self, depth: int) -> list[Any]:
        parts = self.parts
        found: list[Any] = []
        if parts[self.at] == "]":
            self.at += 1
            return found
        while depth < _DEEPEST:
            self.at += 1
            found.append(self._value(parts[self.at - 1], depth))
            self.at += 1
            if parts[self.at - 1] != ",":
                return found if parts[self.at - 1] == "]" else _give_up()
        return _give_up()

    def _mapping(self, depth: int) -> dict[str, Any]:
        parts = self.parts
        found: dict[str, Any] = {}
        if parts[self.at] == "}":
            self.at += 1
            return found
        while depth < _DEEPEST:
            at = self.at
            key = parts[at]
            if key[:1] in _QUOTES and len(key) > 1:
                key = key[1:-1]
            elif key[:1] not in _LETTERS or key in WORDS:
                _give_up()
            if key in found or len(key) > _LONGEST_KEY or parts[at + 1] != ": ":
                _give_up()
            self.at = at + 3
            found[key] = self._value(parts[at + 2], depth)
            self.at += 1
            if parts[self.at - 1] != ",":
                return found if parts[self.at - 1] == "}" else _give_up()
        return _give_up()


def _checked(text: str) -> str:
    """The text of a plain scalar. Give up if it contains a colon that ends a key, or a tab."""
    if ": " in text or text[-1] == ":" or "\t" in text:
        _give_up()
    return text
