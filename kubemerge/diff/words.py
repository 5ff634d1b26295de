"""Changed words in the lines of a difference, to highlight them in colour."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Spans = list[tuple[int, int]]

_WORDS = re.compile(r"[\w.]+|\s+|[^\w.\s]")
_MOST = 300
"""Maximum number of words of a line that are compared one by one; of longer lines, only both ends are compared."""
_ALIKE = 0.4
"""Minimum share that two lines have in common; with less, the line as a whole counts as changed."""


def changed_words(lines: Sequence[str]) -> list[Spans]:
    """The positions of the changed words, for each line of a unified difference without its headers.

    A removed line is compared with the added line of the same key, or else with the one in its position. Positions
    include the sign at the beginning of the line.
    """
    found: list[Spans] = [[] for _ in lines]
    for removed, added in _runs(lines):
        for one, other in _pairs(lines, removed, added):
            found[one], found[other] = _between(lines[one], lines[other])
    return found


def _runs(lines: Sequence[str]) -> Iterator[tuple[range, range]]:
    """Removed lines with the lines added right after them."""
    at = 0
    while at < len(lines):
        middle = _while("-", lines, at)
        end = _while("+", lines, middle)
        if at < middle < end:
            yield range(at, middle), range(middle, end)
        at = max(end, at + 1)


def _while(sign: str, lines: Sequence[str], at: int) -> int:
    while at < len(lines) and lines[at].startswith(sign):
        at += 1
    return at


def _pairs(lines: Sequence[str], removed: range, added: range) -> Iterator[tuple[int, int]]:
    """Pairs of removed lines and the lines that replaced them."""
    if len(removed) == len(added) == 1:
        yield removed[0], added[0]
        return
    by_key: dict[str, list[int]] = {}
    for place in reversed(added):
        by_key.setdefault(_key(lines[place]), []).append(place)
    for place in removed:
        same = by_key.get(_key(lines[place]))
        if same:
            yield place, same.pop()


def _key(line: str) -> str:
    """The text that identifies the field of a YAML line: all up to the colon, or the dash of an element."""
    text = line[1:]
    key, colon, _ = text.partition(": ")
    if colon:
        return key
    bare = text.lstrip(" ")
    return text[: len(text) - len(bare)] + ("-" if bare.startswith("- ") else "")


def _between(one: str, other: str) -> tuple[Spans, Spans]:
    """The differing positions in each of two lines; none if they have little in common."""
    left, right = _WORDS.findall(one[1:]), _WORDS.findall(other[1:])
    same = _same(left, right)
    alike = 2 * sum(len(word) for i, _, size in same for word in left[i : i + size]) / max(len(one) + len(other) - 2, 1)
    if alike < _ALIKE:
        return [], []
    return _spans(left, [(i, i + size) for i, _, size in same]), _spans(right, [(j, j + size) for _, j, size in same])


def _same(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int, int]]:
    """The common sequences of words: the beginning in each line, and the number of words."""
    if max(len(left), len(right)) <= _MOST:
        return [(i, j, size) for i, j, size in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()]
    least = min(len(left), len(right))
    start = next((at for at in range(least) if left[at] != right[at]), least)
    end = next((at for at in range(least - start) if left[-1 - at] != right[-1 - at]), least - start)
    return [(0, 0, start), (len(left) - end, len(right) - end, end)]


def _spans(words: Sequence[str], same: Sequence[tuple[int, int]]) -> Spans:
    """The parts of a line outside of the common sequences; positions include the sign at its beginning."""
    kept = {place for start, end in same for place in range(start, end)}
    found: Spans = []
    at = 1
    for place, word in enumerate(words):
        if place not in kept:
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], at + len(word))
            else:
                found.append((at, at + len(word)))
        at += len(word)
    return found
