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
                shared = f"{'key' if keys.names else 'value'}: {element_name(step)}"
                yield _duplicate((*place.steps, step), shared, listing(map(str, places), 5), merging=merging)


def _duplicate(steps: Steps, shared: str, positions: str, *, merging: bool) -> Problem:
    fact = f"Elements {positions} have the same {shared}."
    if merging:
        return Problem(steps, f"{fact} Apply mixes them up, reverses them, or loses one.")
    return Problem(steps, f"{fact} A server-side apply rejects them.", severity=WARNING)


DUPLICATE_MERGE_KEY = LintRule(
    "KM001",
    "duplicate-merge-key",
    ERROR,
    meaning="List elements share their identity, so apply mixes them up or loses one.",
    advice="Give each element its own key, or remove the duplicates.",
    explanation="""
        The elements share the merge key and all other keys of the list. A missing key counts as its default value.
        kubectl pairs such elements by position and sort order. The next change loses one, swaps them, or makes the
        patch fail. For a list that apply replaces, this is a warning, because only server-side apply rejects it. """,
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
            f"The live object also has {listing(theirs)}. Apply identifies elements only by {shared}, so "
            "it overwrites one with the other."
        )
    else:
        message = (
            f"The elements {listing(ours)} share {shared}, the only key that apply uses to identify them. "
            "A change goes to the first one, an added element replaces it, and removing one removes all."
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
    meaning="List elements differ, but not in the field by which client-side apply identifies them.",
    advice="Use server-side apply for this object, or replace the whole object when one of these elements changes.",
    explanation="""
        The elements share the merge key of client-side apply but differ in another field. The merge key of ports is the
        number, and that of topology spread constraints is the topology key. Server-side apply also uses the protocol
        and `whenUnsatisfiable`. Creating such an object works, but adding, changing or removing one of the elements
        later does not.
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
