"""Elements that apply cannot distinguish."""

from __future__ import annotations

from ..findings import ERROR, WARNING
from ..rule import LintRule, Problem
from ..values import items
from ..wording import element_name, listing, short_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import Any

    from ...paths import Steps
    from ...tables.identity import Keys
    from ..context import LintContext
    from ..field_values import FieldValues

    Groups = dict[Hashable, list[int]]


def duplicate_keys(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """Elements of the config with the same full identity."""
    keys = place.keys
    if keys is None:
        return
    config = items(place.config)
    for places in positions_by_identity(keys.full, config).values():
        if len(places) > 1:
            step = keys.step(config[places[0]])
            if step is not None:
                merging = context.merges(place.rule) and not place.replaced
                yield _duplicate(
                    (*place.steps, step), element_name(step), listing(map(str, places), 5), merging=merging
                )


def _duplicate(steps: Steps, name: str, places: str, *, merging: bool) -> Problem:
    if merging:
        message = f"The elements at {places} are all {name}, so apply mixes them up, reverses them, or loses one."
        return Problem(steps, message)
    message = f"The elements at {places} are all {name}, which server-side apply refuses."
    return Problem(steps, message, severity=WARNING)


DUPLICATE_MERGE_KEY = LintRule(
    "KM001",
    "duplicate-merge-key",
    ERROR,
    meaning="Elements of one list have the same identity, so apply mixes them up or loses one.",
    way_out="Give each element a key of its own, or remove all but one.",
    explanation="""
        Elements of one list have the same identity: the merge key and all other keys, where a missing key has its
        default. The reference pairs them by position and by sorting, so with the next change one is lost, they trade
        places, or the patch is refused. For a list that apply replaces, this is a warning: only server-side apply
        refuses it.
        """,
    example="""
        # kind: v1 Pod
        # config
        spec: {containers: [{name: web, env: [{name: A, value: "1"}, {name: A, value: "2"}]}]}
        """,
    check_place=duplicate_keys,
)


def narrow_keys(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """Elements that differ, but not in the merge key."""
    keys = place.keys
    if keys is None or not keys.extra or place.replaced or not context.merges(place.rule):
        return
    config = items(place.config)
    known = {keys.full(item) for value in (place.config, place.last) for item in items(value)}
    others = [item for item in items(place.live) if keys.full(item) not in known]
    at_others = positions_by_identity(keys.merged_by, others)
    for name, places in positions_by_identity(keys.merged_by, config).items():
        ours = _steps(keys, [config[at] for at in places])
        theirs = _steps(keys, [others[at] for at in at_others.get(name, ())])
        if len(ours) + len(theirs) > 1 and ours:
            yield _narrow(place, keys, config[places[0]], ours, theirs)


def _narrow(place: FieldValues, keys: Keys, item: Any, ours: list[str], theirs: list[str]) -> Problem:
    step = short_step(keys, item)
    shared = element_name(step)
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
    return Problem((*place.steps, step), message)


def _steps(keys: Keys, found: list[Any]) -> list[str]:
    return list(dict.fromkeys(element_name(step) for item in found if (step := keys.step(item)) is not None))


def positions_by_identity(key: Callable[[Any], Hashable], values: list[Any]) -> Groups:
    found: Groups = {}
    for at, item in enumerate(values):
        name = key(item)
        if name is not None:
            found.setdefault(name, []).append(at)
    return found


NARROW_MERGE_KEY = LintRule(
    "KM002",
    "narrow-merge-key",
    WARNING,
    meaning="Elements of a list differ, but not in the field by which apply tells them apart.",
    way_out="Use server-side apply for this object, or replace it whole when one of these elements changes.",
    explanation="""
        Elements differ, but not in the merge key of client-side apply. Ports have the number alone, and
        topology spread constraints the topology key; server-side apply also looks at the protocol, and at
        `whenUnsatisfiable`. Creating such an object works. Adding, changing or removing one of the elements later does
        not.
        """,
    example="""
        # kind: v1 Service
        # config
        spec:
          ports:
            - {name: dns-tcp, port: 53, protocol: TCP}
            - {name: dns, port: 53, protocol: UDP}
        """,
    check_place=narrow_keys,
)

RULES = (DUPLICATE_MERGE_KEY, NARROW_MERGE_KEY)
