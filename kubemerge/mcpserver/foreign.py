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
_PRINTABLE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u200b-\u206f\"'\\]+")
"""Parts of a text that every message writes alike, without escapes."""
CUT = " (cut)"
_QUOTE = re.compile(r'(?<!\\)"')
_PART_OF_ESCAPE = re.compile(r"\\(u[0-9a-f]{0,3})?$")


def escaped(text: str) -> str:
    """The text with escapes for controls, invisible characters, direction marks and unpaired surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def cut(text: str, most: int) -> str:
    """The start of a long text."""
    return text if len(text) <= most else f"{text[: most - len(CUT)]}{CUT}"


def cut_sentence(sentence: str, most: int) -> str:
    """The start of a long sentence. A quote that was open at the end is closed."""
    if len(sentence) <= most:
        return sentence
    kept = _PART_OF_ESCAPE.sub("", sentence[: most - len(CUT) - 1])
    is_open = len(_QUOTE.findall(kept)) % 2
    return f"{kept}{chr(34) * is_open}{CUT}"


class ForeignTexts:
    """The texts in the documents of a call that could be a sentence: those with a space."""

    def __init__(self) -> None:
        self._by_start: dict[str, set[str]] = {}

    def add(self, document: Any) -> None:
        """Add all texts of a document, names of fields included."""
        for text in _texts(document):
            if _may_be_sentence(text):
                pieces = filter(_may_be_sentence, _PRINTABLE.findall(text))
                for form in {text, shown(text), json.dumps(text)[1:-1], *pieces}:
                    same_start = self._by_start.setdefault(form[:SHORTEST], set())
                    if len(same_start) < MOST_OF_A_START:
                        same_start.add(form)

    def quoted_in(self, sentence: str) -> str:
        """One of our sentences, with every foreign text in it within double quotes, and its own quotes escaped."""
        if not self._by_start:
            return sentence
        parts: list[str] = []
        at, is_open = 0, False
        while at < len(sentence):
            length = self._at(sentence, at)
            text = sentence[at : at + (length or 1)]
            if length:
                parts.append(_QUOTE.sub(r'\\"', text) if is_open else json.dumps(text, ensure_ascii=False))
            elif is_open and text == "\\":
                text = sentence[at : at + 2]
                parts.append(text)
            else:
                is_open = is_open != (text == '"')
                parts.append(text)
            at += len(text)
        return "".join(parts) + '"' * is_open

    def _at(self, sentence: str, at: int) -> int:
        """The length of the longest foreign text at a place, or of its beginning if it was cut off; 0 without one."""
        found = self._by_start.get(sentence[at : at + SHORTEST], ())
        lengths = [_common(text, sentence, at) for text in found]
        if len(lengths) < MOST_OF_A_START:
            lengths = [one for one, text in zip(lengths, found, strict=True) if _is_end(sentence, at + one, one, text)]
        return max(lengths, default=0)


def _may_be_sentence(text: str) -> bool:
    return len(text) >= SHORTEST and len(text.split(None, 1)) > 1


def _is_end(sentence: str, end: int, length: int, text: str) -> bool:
    """Whether a text ends here, or was cut off here."""
    return length == len(text) or end == len(sentence) or sentence.startswith("...", end)


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
