"""Config elements that are lost, because apply cannot distinguish them."""

from __future__ import annotations

from collections import Counter

from ...values.plain import ABSENT
from ..findings import ERROR
from ..rule import LintRule, Problem
from ..values import covers, is_scalar, items
from ..wording import element_name, short_step
from .duplicates import positions_by_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from typing import Any

    from ...paths import Step
    from ...tables.identity import Keys
    from ..context import LintContext
    from ..field_values import FieldValues


def removed_with_another(_: LintContext, place: FieldValues) -> Iterator[Problem]:
    """Elements that are removed because the config drops another element with the same merge key."""
    for _name, step, before, wanted, _after in _fewer(place):
        if before > wanted:
            message = (
                f"The config no longer has one of the elements with {element_name(step)}. Apply removes all of "
                "them, also the one that remains in the config."
            )
            yield Problem((*place.steps, step), message)


def _fewer(place: FieldValues) -> Iterator[tuple[Hashable, Step, int, int, int]]:
    """Merge keys with fewer elements in the result than in the config.

    For each: its name and path step, and the number of elements in last-applied, config and result.
    """
    keys = place.keys
    if keys is None or type(place.merged) is not list:
        return
    config = items(place.config)
    before = Counter(keys.merged_by(item) for item in items(place.last))
    after = Counter(keys.merged_by(item) for item in place.merged)
    for name, places in positions_by_identity(keys.merged_by, config).items():
        if after[name] < len(places):
            yield name, short_step(keys, config[places[0]]), before[name], len(places), after[name]


REMOVED_DUPLICATE_TAKES_BOTH = LintRule(
    "KM003",
    "removed-duplicate-takes-both",
    ERROR,
    meaning="Removing one of several elements with the same merge key also removes the others.",
    advice="Apply a second time, which restores the element, or use server-side apply.",
    explanation="""
        Several elements share a merge key, and the config no longer has one of them. The patch deletes by merge key, so
        the element that remains in the config is removed too.
        """,
    example="""
        # kind: v1 Service
        # last-applied
        spec: {ports: [{name: dns-tcp, port: 53, protocol: TCP}, {name: dns, port: 53, protocol: UDP}]}
        ---
        # config
        spec: {ports: [{name: dns-tcp, port: 53, protocol: TCP}]}
        ---
        # live
        spec: {ports: [{name: dns-tcp, port: 53, protocol: TCP}, {name: dns, port: 53, protocol: UDP}]}
        ---
        # result
        spec: {ports: []}
        """,
    needs_live=True,
    check_place=removed_with_another,
)


def lost_elements(_: LintContext, place: FieldValues) -> Iterator[Problem]:
    """Config elements that the exact merge does not keep unchanged."""
    reported: set[Hashable] = set()
    for name, step, before, wanted, after in _fewer(place):
        reported.add(name)
        if before <= wanted:
            elements = "element" if wanted == 1 else "elements"
            message = f"The config has {wanted} {elements} with {element_name(step)}, but the result has {after}."
            yield Problem((*place.steps, step), message)
    keys = place.keys
    if keys is not None and keys.names and type(place.merged) is list:
        others = [item for item in items(place.config) if keys.merged_by(item) not in reported]
        yield from _mixed_up(place, keys, others)


def _mixed_up(place: FieldValues, keys: Keys, config: list[Any]) -> Iterator[Problem]:
    merged = place.merged
    where = positions_by_identity(keys.full, merged)
    for name, places in positions_by_identity(keys.full, config).items():
        if len(places) > 1:
            continue
        found = where.get(name, [])
        if len(found) != 1:
            what = "is missing" if not found else f"occurs {len(found)} times"
        elif not _is_kept(merged[found[0]], config[places[0]]):
            what = "has values of another element"
        else:
            continue
        step = keys.step(config[places[0]]) or 0
        yield Problem((*place.steps, step), f"After the apply, {element_name(step)} {what}.")


def _is_kept(merged: Any, config: Any) -> bool:
    """True if an element has the config's scalars; maps and lists in it are checked separately."""
    return all(covers(merged.get(key, ABSENT), value) for key, value in config.items() if is_scalar(value))


ELEMENT_LOST = LintRule(
    "KM022",
    "element-lost",
    ERROR,
    meaning="After the apply, an element of the config is missing, occurs twice, or has values of another element.",
    advice="Use server-side apply for this object, or replace the whole object.",
    explanation="""
        After the apply, an element of the config is missing, occurs twice, or has values of another element. The
        finding is not a heuristic, but the result of the exact merge.
        """,
    example="""
        # kind: v1 Service
        # last-applied
        spec: {ports: [{name: dns, port: 53, protocol: UDP}]}
        ---
        # config
        spec: {ports: [{name: dns-tcp, port: 53, protocol: TCP}, {name: dns, port: 53, protocol: UDP}]}
        ---
        # live
        spec: {ports: [{name: dns, port: 53, protocol: UDP}]}
        ---
        # result
        spec: {ports: [{name: dns-tcp, port: 53, protocol: TCP}]}
        """,
    check_place=lost_elements,
)

RULES = (REMOVED_DUPLICATE_TAKES_BOTH, ELEMENT_LOST)
