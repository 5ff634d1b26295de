"""Text that comes from objects: escaped, cut, and in quotes within our own sentences.

An agent reads our sentences as ours. So a name, a value or an annotation must not be able to look like one of them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ..apiserver.text.text import ACTIVE, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_UNSAFE = re.compile(f"[{ACTIVE}\ud800-\udfff\ufffe\uffff]")
SHORTEST = 8
"""Shorter texts are not put in quotes: they cannot contain a sentence."""
MOST_OF_A_START = 50
"""Of more texts with the same beginning, at least the beginning is found."""
_QUOTES = "\"'`"
CUT = " (cut)"


def escaped(text: str) -> str:
    """The text with escapes for controls, invisible characters, direction marks and unpaired surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def cut(text: str, most: int) -> str:
    """The start of a long text."""
    return text if len(text) <= most else f"{text[: most - len(CUT)]}{CUT}"


class ForeignTexts:
    """The texts in the documents of a call that could be a sentence: those with a space."""

    def __init__(self) -> None:
        self._by_start: dict[str, set[str]] = {}

    def add(self, document: Any) -> None:
        """Take in all texts of a document, names of fields included."""
        for text in _texts(document):
            if len(text) >= SHORTEST and len(text.split(None, 1)) > 1:
                for form in {text, shown(text), repr(text)[1:-1], json.dumps(text)[1:-1], *text.splitlines()}:
                    same_start = self._by_start.setdefault(form[:SHORTEST], set())
                    if len(form) >= SHORTEST and len(same_start) < MOST_OF_A_START:
                        same_start.add(form)

    def quoted_in(self, sentence: str) -> str:
        """One of our sentences, with every foreign text in it as a JSON string."""
        if not self._by_start:
            return sentence
        parts: list[str] = []
        at = 0
        while at < len(sentence):
            found = self._at(sentence, at)
            if not found:
                parts.append(sentence[at])
                at += 1
                continue
            text = sentence[at : at + found]
            is_quoted = at > 0 and sentence[at - 1] in _QUOTES and sentence[at + found :][:1] == sentence[at - 1]
            plain = not any(quote in text for quote in _QUOTES)
            parts.append(text if is_quoted and plain else json.dumps(text, ensure_ascii=False))
            at += found
        return "".join(parts)

    def _at(self, sentence: str, at: int) -> int:
        """The length of the longest foreign text at a place, or of its beginning if it was cut off; 0 without one."""
        found = self._by_start.get(sentence[at : at + SHORTEST], ())
        return max((_common(text, sentence, at) for text in found), default=0)


def _common(text: str, sentence: str, at: int) -> int:
    length = min(len(text), len(sentence) - at)
    if sentence.startswith(text[:length], at):
        return length
    return next((number for number in range(length) if text[number] != sentence[at + number]), length)


def _texts(document: Any) -> Iterator[str]:
    left: list[Any] = [document]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            left.extend(_all(value))
        elif isinstance(value, (list, tuple)):
            left.extend(value)


def _all(value: dict[Any, Any]) -> Iterable[Any]:
    yield from value
    yield from value.values()
