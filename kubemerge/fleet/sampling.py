"""Selection of the rows on a fleet's page: a limited number, with samples of every finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .results import Key


def quotas(
    counts: Mapping[Key, int], pairs: Sequence[tuple[str, str]], clusters: Iterable[str], most: int
) -> dict[Key, int]:
    """The number of rows to take for each key: `most` in all, limited to these pairs of finding and severity.

    The pairs get equal shares, and unused shares pass to the others. Within a pair, each cluster gets its first row
    before any cluster gets its second.
    """
    order = {name: at for at, name in enumerate(clusters)}
    of: dict[tuple[str, str], list[Key]] = {pair: [] for pair in pairs}
    for key in counts:
        if key[2:] in of:
            of[key[2:]].append(key)
    total = {pair: sum(counts[key] for key in keys) for pair, keys in of.items()}
    taken: dict[Key, int] = {}
    for number, pair in enumerate(sorted(pairs, key=lambda one: (total[one], one))):
        share = min(total[pair], most // (len(pairs) - number))
        most -= share
        _spread(_in_turn(of[pair], order), counts, share, taken)
    return taken


def _in_turn(keys: Iterable[Key], order: Mapping[str, int]) -> list[Key]:
    """The keys, ordered so that the first key of each cluster precedes the second key of any cluster."""
    turns: dict[str, int] = {}
    found = []
    for key in sorted(keys, key=lambda one: (order[one[0]], one)):
        turn = turns[key[0]] = turns.get(key[0], -1) + 1
        found.append((turn, key))
    return [key for _, key in sorted(found, key=lambda one: one[0])]


def _spread(keys: Sequence[Key], counts: Mapping[Key, int], share: int, taken: dict[Key, int]) -> None:
    """Take one row of each key in turn until the share is used up."""
    while share:
        for key in keys:
            if share and taken.get(key, 0) < counts[key]:
                taken[key] = taken.get(key, 0) + 1
                share -= 1
