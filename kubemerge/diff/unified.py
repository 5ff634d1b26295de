"""Unified differences of two texts, as printed by `diff -u` and kubectl."""

from __future__ import annotations

from .matching import edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .matching import Edit

CONTEXT = 3
"""Number of context lines around a difference."""


def unified(before: str, after: str, name: str) -> Iterator[str]:
    """The lines of the difference between two texts, with headers that name them; none if they are equal.

    Nothing in the headers depends on the time or on the machine.
    """
    one, other = before.split("\n"), after.split("\n")
    changes = list(edits(one, other))
    if changes:
        yield f"diff -u -N LIVE/{name} MERGED/{name}"
        yield f"--- LIVE/{name}"
        yield f"+++ MERGED/{name}"
    # A text ends in a newline; nothing after it counts as a line.
    sizes = len(one) - (not one[-1]), len(other) - (not other[-1])
    for group in _together(changes):
        yield from _hunk(one, other, group, sizes)


def _together(changes: list[Edit]) -> Iterator[list[Edit]]:
    """Group the edits whose contexts touch."""
    group: list[Edit] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(one: Sequence[str], other: Sequence[str], group: list[Edit], sizes: tuple[int, int]) -> Iterator[str]:
    start, end = max(0, group[0][0] - CONTEXT), min(sizes[0], group[-1][1] + CONTEXT)
    shift_before, shift_after = group[0][2] - group[0][0], group[-1][3] - group[-1][1]
    yield f"@@ -{_range(start, end)} +{_range(start + shift_before, min(sizes[1], end + shift_after))} @@"
    for i1, i2, j1, j2 in group:
        yield from (f" {line}" for line in one[start:i1])
        yield from (f"-{line}" for line in one[i1:i2])
        yield from (f"+{line}" for line in other[j1:j2])
        start = i2
    yield from (f" {line}" for line in one[start:end])


def _range(start: int, end: int) -> str:
    """A range of lines in diff's notation: lines count from one, and an empty range follows a line."""
    size = end - start
    if size == 1:
        return str(start + 1)
    return f"{start + 1 if size else start},{size}"
