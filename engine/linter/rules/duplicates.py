"""Elements that apply cannot tell apart, and those that are lost for it."""

from __future__ import annotations

from collections import Counter

from ...values.plain import ABSENT
from ..findings import WARNING, Finding
from ..values import covers, is_there, items
from ..wording import listing, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import Any

    from ...paths import Steps
    from ..context import Case
    from ..identities import Keys
    from ..places import Place

    Groups = dict[Hashable, list[int]]


def duplicate_keys(case: Case, place: Place) -> Iterator[Finding]:
    """KM001: elements of the config with one and the same full identity."""
    keys = place.keys
    if keys is None:
        return
    config = items(place.config)
    for places in _grouped(keys.full, config).values():
        if len(places) > 1:
            step = keys.step(config[places[0]])
            if step is not None:
                merging = case.merges(place.rule) and not place.replaced
                yield _duplicate((*place.steps, step), told(step), listing(map(str, places), 5), merging=merging)


def _duplicate(steps: Steps, name: str, places: str, *, merging: bool) -> Finding:
    if merging:
        message = f"The elements at {places} are all {name}, so apply mixes them up, reverses them, or loses one."
        return Finding("KM001", steps, message)
    message = f"The elements at {places} are all {name}, which server-side apply refuses."
    return Finding("KM001", steps, message, severity=WARNING)


def narrow_keys(case: Case, place: Place) -> Iterator[Finding]:
    """KM002: elements that differ, but not in the merge key."""
    keys = place.keys
    if keys is None or not keys.finer or place.replaced or not case.merges(place.rule):
        return
    config = items(place.config)
    last = {keys.full(item) for item in items(place.last)}
    mine = {keys.full(item) for item in config}
    others = [item for item in items(place.live) if keys.full(item) not in mine | last]
    for name, places in _grouped(keys.merged_by, config).items():
        item = config[places[0]]
        ours = _steps(keys, [config[at] for at in places])
        theirs = _steps(keys, [item for item in others if keys.merged_by(item) == name])
        if len(ours) + len(theirs) > 1 and ours:
            yield _narrow(place, keys, item, ours, theirs)


def _narrow(place: Place, keys: Keys, item: Any, ours: list[str], theirs: list[str]) -> Finding:
    step = keys.short_step(item) or 0
    shared = told(step)
    if theirs:
        message = (
            f"Live also has {listing(theirs)}, and apply tells elements apart by {shared} alone, "
            "so it overwrites one with the other."
        )
    else:
        message = (
            f"The elements {listing(ours)} share {shared}, and apply tells them apart by that alone: a change of one "
            "goes to the first, an added one replaces it, and a removed one takes the others along."
        )
    return Finding("KM002", (*place.steps, step), message)


def lost_elements(case: Case, place: Place) -> Iterator[Finding]:
    """KM003 and KM022: elements of the config that the exact merge does not keep as they are."""
    keys = place.keys
    if keys is None or place.replaced or type(place.merged) is not list or not case.merges(place.rule):
        return
    config, merged = items(place.config), items(place.merged)
    before = Counter(keys.merged_by(item) for item in items(place.last))
    after = Counter(keys.merged_by(item) for item in merged)
    reported = set()
    for name, places in _grouped(keys.merged_by, config).items():
        if after[name] < len(places):
            reported.add(name)
            counts = before[name], len(places), after[name]
            yield _lost(place, keys, config[places[0]], counts)
    if keys.names:
        yield from _mixed_up(place, keys, [item for item in config if keys.merged_by(item) not in reported])


def _lost(place: Place, keys: Keys, item: Any, counts: tuple[int, int, int]) -> Finding:
    """An element of which the result has fewer than the config; `counts` are those of last-applied and of these."""
    before, wanted, after = counts
    step = keys.short_step(item) or 0
    name = told(step)
    if before > wanted:
        message = f"The config drops one of the elements that are {name}, and apply removes the one it keeps as well."
        return Finding("KM003", (*place.steps, step), message)
    message = f"Of the elements that are {name}, the config has {wanted} and the result of the apply {after}."
    return Finding("KM022", (*place.steps, step), message)


def _mixed_up(place: Place, keys: Keys, config: list[Any]) -> Iterator[Finding]:
    merged = items(place.merged)
    where = _grouped(keys.full, merged)
    for name, places in _grouped(keys.full, config).items():
        step = keys.step(config[places[0]])
        if len(places) > 1 or step is None:
            continue
        found = where.get(name, [])
        if len(found) != 1:
            what = "is missing" if not found else f"is there {len(found)} times"
        elif not _arrived(merged[found[0]], config[places[0]]):
            what = "has values of another element"
        else:
            continue
        yield Finding("KM022", (*place.steps, step), f"After the apply, {told(step)} {what}.")


def _arrived(merged: Any, config: Any) -> bool:
    """Whether an element has the scalars that the config gives it; what it holds deeper has places of its own."""
    return all(
        covers(merged.get(key, ABSENT), value)
        for key, value in config.items()
        if is_there(value) and type(value) not in (dict, list)
    )


def _steps(keys: Keys, found: list[Any]) -> list[str]:
    """The different identities of elements, in words."""
    return list(dict.fromkeys(told(step) for item in found if (step := keys.step(item)) is not None))


def _grouped(key: Callable[[Any], Hashable], values: list[Any]) -> Groups:
    """The places of the elements that share an identity."""
    found: Groups = {}
    for at, item in enumerate(values):
        name = key(item)
        if name is not None:
            found.setdefault(name, []).append(at)
    return found
