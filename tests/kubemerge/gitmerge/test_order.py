"""Alignment of lists whose elements repeat."""

from __future__ import annotations

from kubemerge.gitmerge.order import MOST_PAIRS, aligned

REPEATED = ["x"] * 2000


def test_common_starts_and_ends_are_not_compared_pair_by_pair() -> None:
    base = [*REPEATED, "a", "b", "c", *REPEATED]
    ours, theirs = ([new if line == old else line for line in base] for old, new in (("a", "A"), ("c", "C")))
    found = aligned(base, ours, theirs)
    assert found is not None
    assert [region[0] for region in found if base[slice(*region[0])] != ours[slice(*region[1])]] == [(2000, 2001)]
    assert [region[0] for region in found if base[slice(*region[0])] != theirs[slice(*region[2])]] == [(2002, 2003)]


def test_an_element_fewer_among_equal_ones() -> None:
    found = aligned(REPEATED, REPEATED[1:], [*REPEATED, "y"])
    assert found is not None
    assert sum(end - start for _, (start, end), _ in found) == len(REPEATED) - 1
    assert found[-1][2][1] == len(REPEATED) + 1


def test_lists_with_many_equal_elements_in_the_middle_are_not_compared() -> None:
    """The time grows with the third power of the repeats."""
    side = ["x"] * 300
    assert len(side) ** 2 > MOST_PAIRS
    assert aligned(["a", *side, "b"], ["c", *side, "d"], ["a", *side, "b"]) is None
    few = ["x"] * 100
    assert aligned(["a", *few, "b"], ["c", *few, "d"], ["a", *few, "b"]) is not None
