"""The fast ordering functions do the same as the reference's single steps."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.strategic.order import _with_unplaced, deduplicate


def deduplicated_by_steps(items: list[Any]) -> int:
    """As in the reference: each scalar is compared with all later ones, and the last one moves into each gap."""
    end = len(items)
    at = 0
    while at < end:
        after = at + 1
        while after < end:
            if items[after] == items[at]:
                end -= 1
                items[after] = items[end]
            else:
                after += 1
        at += 1
    return end


def sorted_by_steps(items: list[Any], places: list[int]) -> list[Any]:
    """The insertion sort of the reference."""
    result: list[tuple[int, Any]] = []
    for place, item in zip(places, items, strict=True):
        at = len(result)
        while at and (place < 0 or result[at - 1][0] < 0 or place < result[at - 1][0]):
            at -= 1
        result.insert(at, (place, item))
    return [item for _, item in result]


def test_repeated_scalars_are_removed_as_in_the_reference() -> None:
    random = Random(1)
    for _ in range(3000):
        items = random.choices("abcdefgh"[: random.randrange(1, 9)], k=random.randrange(14))
        ours, theirs = list(items), list(items)
        assert deduplicate(ours) == deduplicated_by_steps(theirs)
        assert ours == theirs


def test_elements_without_a_position_are_placed_as_in_the_reference() -> None:
    random = Random(1)
    for _ in range(3000):
        places = [random.randrange(-2, 6) for _ in range(random.randrange(14))]
        items = list(range(len(places)))
        assert _with_unplaced(items, places) == sorted_by_steps(items, places)
