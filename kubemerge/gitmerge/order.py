"""The order of merged elements, and the regions of lists whose elements have no identity."""

from __future__ import annotations

import json
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from typing import TypeAlias

    Range: TypeAlias = tuple[int, int]
    Regions: TypeAlias = tuple[Range, Range, Range]

OURS, THEIRS = 1, 2
"""The sides of a conflict, as positions in base, ours and theirs."""
MOST_PAIRS = 50_000
"""Longer lists without identities are not compared by element: this is the limit of pairs of equal elements."""


def ordered(first: Sequence[Any], second: Sequence[Any], kept: Container[Any], base: Container[Any]) -> list[Any]:
    """The kept keys in the order of the first side. Each addition of the second follows its predecessor there.

    Additions of the first side stay before those of the second at the same position.
    """
    found = [key for key in first if key in kept]
    there, others = set(found), set(second)
    after: dict[Any, list[Any]] = {}
    last = _START
    for key in second:
        if key in there:
            last = key
        elif key in kept:
            after.setdefault(last, []).append(key)
    result: list[Any] = []
    waiting = after.pop(_START, [])
    for key in found:
        if waiting and (key in others or key in base):
            result += waiting
            waiting = []
        result.append(key)
        waiting += after.pop(key, [])
    return result + waiting


_START = object()
"""The position before the first key."""


class Run(NamedTuple):
    """Keys that follow each other: additions of one side each, or a single other key."""

    keys: list[Any]
    ours: list[Any]
    theirs: list[Any]
    gone: list[Any]
    """Keys of the base at this position that neither side has."""

    @property
    def is_rename(self) -> bool:
        """Whether both sides may have renamed one key differently."""
        return bool(self.gone and self.ours and self.theirs)


def runs(order: Sequence[Any], base: Sequence[Any], ours: Container[Any], theirs: Container[Any]) -> Iterator[Run]:
    """The keys in groups: additions that only one side has and that follow each other are one group."""
    before = _START
    run: list[Any] = []
    known = {key: at for at, key in enumerate(base)}
    for key in [*order, _START]:
        if key is not _START and key not in known and (key in ours) != (key in theirs):
            run.append(key)
            continue
        if run:
            added = [key for key in run if key in ours], [key for key in run if key in theirs]
            start = 0 if before is _START else known[before] + 1
            yield Run(run, *added, _gone(base[start:], ours, theirs))
            run = []
        if key is not _START:
            yield Run([key], [], [], [])
            before = key if key in known else before


def _gone(base: Sequence[Any], ours: Container[Any], theirs: Container[Any]) -> list[Any]:
    """The first keys of the base that neither side has."""
    found = []
    for key in base:
        if key in ours or key in theirs:
            break
        found.append(key)
    return found


def aligned(base: Sequence[Any], ours: Sequence[Any], theirs: Sequence[Any]) -> list[Regions] | None:
    """The lists as regions in order, each a range of the three. A region is unchanged, or changed by some side.

    None if the lists are too long to compare.
    """
    texts = [_texts(side) for side in (base, ours, theirs)]
    if max(_pairs(texts[0], texts[1]), _pairs(texts[0], texts[2])) > MOST_PAIRS:
        return None
    in_ours, in_theirs = _matches(texts[0], texts[1]), _matches(texts[0], texts[2])
    regions = []
    at, one, other = 0, 0, 0
    stable = [index for index in range(len(base)) if index in in_ours and index in in_theirs]
    for index in [*stable, len(base)]:
        end = (in_ours[index], in_theirs[index]) if index < len(base) else (len(ours), len(theirs))
        if (at, one, other) != (index, *end):
            regions.append(((at, index), (one, end[0]), (other, end[1])))
        if index < len(base):
            regions.append(((index, index + 1), (end[0], end[0] + 1), (end[1], end[1] + 1)))
            at, one, other = index + 1, end[0] + 1, end[1] + 1
    return regions


def chosen_side(lines: Sequence[Sequence[str]], region: Regions) -> int | None:
    """The side that changed a region of lines. None for a conflict."""
    base, ours, theirs = (side[at:end] for side, (at, end) in zip(lines, region, strict=True))
    if theirs in (base, ours):
        return OURS
    return THEIRS if ours == base else None


def has_moved_changes(base: Sequence[Any], ours: Sequence[Any], theirs: Sequence[Any]) -> bool:
    """Whether one side moved an element that the other side removed, changed or repeated."""
    was, one, other = (_texts(side) for side in (base, ours, theirs))
    return _moved(was, one) & _recounted(was, other) != set() or _moved(was, other) & _recounted(was, one) != set()


def _moved(base: Sequence[str], other: Sequence[str]) -> set[str]:
    """The elements that are elsewhere in the other list."""
    matched = _matches(base, other)
    return {text for at, text in enumerate(base) if at not in matched} - _recounted(base, other)


def _recounted(base: Sequence[str], other: Sequence[str]) -> set[str]:
    """The elements that the other list has more or less often."""
    one, two = Counter(base), Counter(other)
    return {text for text in {*one, *two} if one[text] != two[text]}


def _texts(values: Sequence[Any]) -> list[str]:
    return [json.dumps(value, sort_keys=True) for value in values]


def _pairs(base: Sequence[str], other: Sequence[str]) -> int:
    """The number of pairs of equal elements between the common start and end."""
    start, end = _common_ends(base, other)
    one, two = Counter(base[start : len(base) - end]), Counter(other[start : len(other) - end])
    return sum(count * two[text] for text, count in one.items())


def _matches(base: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """The positions of equal elements.

    If an addition and a removal are around elements that repeat, the change is moved to one place: it is a replacement
    there, as in git. Otherwise, a removal of the other side would look like the same removal.
    """
    start, end = _common_ends(base, other)
    pairs = {at: at for at in range(start)}
    middle = _middle_matches(base[start : len(base) - end], other[start : len(other) - end])
    pairs.update((start + at, start + to) for at, to in middle.items())
    pairs.update((len(base) - step, len(other) - step) for step in range(end, 0, -1))
    return pairs


def _common_ends(base: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """The numbers of equal elements at the start and at the end."""
    most = min(len(base), len(other))
    start = next((at for at in range(most) if base[at] != other[at]), most)
    most -= start
    return start, next((at for at in range(most) if base[-1 - at] != other[-1 - at]), most)


def _middle_matches(base: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    found = SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
    pairs: dict[int, int] = {}
    at, there = 0, 0  # the ends of the block before
    for block, following in zip(found, [*found[1:], None], strict=True):
        start, to, size = block
        if following is not None and size:
            gone, added = following.a - start - size, following.b - to - size
            if (
                at == start
                and there < to
                and gone
                and not added
                and base[start : start + size] == base[start + gone : start + gone + size]
            ):
                start += gone
            elif (
                at < start
                and there == to
                and added
                and not gone
                and other[to : to + size] == other[to + added : to + added + size]
            ):
                to += added
        pairs.update((start + step, to + step) for step in range(size))
        at, there = start + size, to + size
    return pairs
