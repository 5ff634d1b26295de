"""Matching the lines of two texts in reasonable time, even if they are long and repetitive.

A common beginning and end are set aside first. The rest is compared by difflib if that is quick. Otherwise, lines that
occur once in each text cut it into smaller parts. A part without such a line counts as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

Edit = tuple[int, int, int, int]
"""Lines `i1:i2` of the first text that became the lines `j1:j2` of the second."""

MAX_DIFFLIB_LINES = 1000
"""Parts up to this many lines are compared by difflib."""

MAX_AVERAGE_MATCHES = 18
"""Maximum average number of equal lines for a line of such a part. With 20, the cost for shuffled lists grew fast."""

MAX_DEPTH = 20
"""Maximum depth of parts within parts."""


def edits(one: Sequence[Hashable], other: Sequence[Hashable]) -> Iterator[Edit]:
    """The differences between the texts, in order; at least one equal line is between two edits."""
    todo = [((0, len(one), 0, len(other)), MAX_DEPTH)]
    while todo:
        part, depth = todo.pop()
        i1, i2, j1, j2 = _trimmed(one, other, part)
        if i1 == i2 or j1 == j2:
            if i1 < i2 or j1 < j2:
                yield i1, i2, j1, j2
        elif _is_quick(one[i1:i2], other[j1:j2]):
            yield from _by_difflib(one[i1:i2], other[j1:j2], i1, j1)
        else:
            parts = _cut(one, other, (i1, i2, j1, j2)) if depth else []
            if parts:
                todo += [(inner, depth - 1) for inner in reversed(parts)]
            else:
                yield i1, i2, j1, j2


def _trimmed(one: Sequence[Hashable], other: Sequence[Hashable], part: Edit) -> Edit:
    i1, i2, j1, j2 = part
    while i1 < i2 and j1 < j2 and one[i1] == other[j1]:
        i1, j1 = i1 + 1, j1 + 1
    while i1 < i2 and j1 < j2 and one[i2 - 1] == other[j2 - 1]:
        i2, j2 = i2 - 1, j2 - 1
    return i1, i2, j1, j2


def _is_quick(one: Sequence[Hashable], other: Sequence[Hashable]) -> bool:
    size = len(one) + len(other)
    if size > MAX_DIFFLIB_LINES:
        return False
    counts = Counter(other)
    return sum(counts[line] for line in one) <= MAX_AVERAGE_MATCHES * size


def _by_difflib(one: Sequence[Hashable], other: Sequence[Hashable], i: int, j: int) -> Iterator[Edit]:
    from difflib import SequenceMatcher

    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            yield i + i1, i + i2, j + j1, j + j2


def _cut(one: Sequence[Hashable], other: Sequence[Hashable], part: Edit) -> list[Edit]:
    """The parts between the lines that occur once in each text, in the same order; none without such a line."""
    i1, i2, j1, j2 = part
    here, there = _unique_lines(one, i1, i2), _unique_lines(other, j1, j2)
    pairs = _longest_increasing([(i, there[line]) for line, i in here.items() if line in there])
    if not pairs:
        return []
    parts = []
    for i, j in (*pairs, (i2, j2)):
        parts.append((i1, i, j1, j))
        i1, j1 = i + 1, j + 1
    return parts


def _unique_lines(lines: Sequence[Hashable], start: int, end: int) -> dict[Hashable, int]:
    counts = Counter(lines[start:end])
    return {lines[at]: at for at in range(start, end) if counts[lines[at]] == 1}


def _longest_increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest sequence of pairs, ordered by their first part, whose second parts increase too."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (_, j) in enumerate(pairs):
        place = bisect_left(ends, j)
        before.append(last[place - 1] if place else -1)
        ends[place : place + 1] = [j]
        last[place : place + 1] = [at]
    found = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]
