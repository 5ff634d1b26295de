"""The changes that a server makes in an apply, each with its reason: those of the patch, and those of the server."""

from __future__ import annotations

from engine import Change
from engine.tables.identity import ElementFinder, values_identity
from engine.values.plain import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
    from typing import Any

    from engine import Outcome
    from engine.paths import Step, Steps
    from engine.tables.identity import KeyStep

    Object = dict[str, Any]

CHANGING = frozenset({"added", "changed", "cleared", "reordered"})
"""Actions that change the live object."""
GENERATION = ("metadata", "generation")
"""The field that changes with every other change."""
SENT = "unchanged: sent on every apply, and the server stores the same"
RAISED = "changed: the server counts changes of the spec"
FILLED_IN = "added: filled in by the server"
FILLED_IN_AGAIN = ", then filled in again by the server"
BY_SERVER = "changed: by the server"
DROPPED = "cleared: dropped by the server"
_OF_SERVER = {"added": FILLED_IN, "changed": BY_SERVER, "cleared": DROPPED}


def stored_changes(outcome: Outcome, stored: Object) -> tuple[Change, ...]:
    """The changes from the live object to the stored one, and the fields that are sent without effect."""
    if outcome.patch_type == "apply":
        return outcome.changes  # by owners, not by values
    sent = {one.steps: one for one in outcome.changes if one.action in CHANGING}
    around_sent = around(sent)
    found = [_explained(one, sent, around_sent) for one in outcome.changes_to(stored)]
    found += _without_effect(sent, {one.steps for one in found})
    return tuple(found)


def of_server(change: Change, sent: FieldValues) -> Change:
    """The change, marked as a default if it adds a field that the sent object lacks."""
    if change.action != "added" or change.reason == FILLED_IN or sent.at(change.steps) is not ABSENT:
        return change
    return _with(change, change.action, FILLED_IN)


class FieldValues:
    """The values of an object by path. An element is found even if some of its keys have default values."""

    def __init__(self, content: Any) -> None:
        self._content, self._finder = content, ElementFinder()
        self._incomplete: dict[tuple[int, tuple[str, ...]], _Incomplete] = {}

    def at(self, steps: Steps) -> Any:
        """The value at a path, `ABSENT` if there is none."""
        value = self._content
        for step in steps:
            if isinstance(value, dict) and isinstance(step, str):
                value = value.get(step, ABSENT)
            elif isinstance(value, list):
                value = next(iter(self._elements(value, step)), ABSENT)
            else:
                return ABSENT
        return value

    def _elements(self, items: list[Any], step: Step) -> list[Any]:
        if not isinstance(step, tuple):
            return items[step : step + 1] if isinstance(step, int) else []
        place = next(self._finder.places(items, step), None)
        return self._may_be(items, step) if place is None else [items[place]]

    def _may_be(self, items: list[Any], step: KeyStep) -> list[Any]:
        """The elements that lack some of the keys, which may have these values by default."""
        names = tuple([name for name, _ in step])
        known = self._incomplete.get((id(items), names))
        if known is None:
            lacking = [one for one in items if type(one) is dict and any(name not in one for name in names)]
            known = self._incomplete[id(items), names] = _Incomplete(lacking, names)
        return known.matching(step)


class _Incomplete:
    """The elements of a list that lack some keys, by the keys that they have."""

    def __init__(self, items: list[Any], names: tuple[str, ...]) -> None:
        self._groups: dict[tuple[str, ...], dict[Hashable, tuple[int, Any]]] = {}
        for place, item in enumerate(items):
            there = tuple([name for name in names if name in item])
            group = self._groups.setdefault(there, {})
            group.setdefault(values_identity([item[name] for name in there]), (place, item))

    def matching(self, step: KeyStep) -> list[Any]:
        """The first elements that have no other values of the keys, in order."""
        wanted = dict(step)
        found = [group.get(values_identity([wanted[name] for name in there])) for there, group in self._groups.items()]
        return [item for _, item in sorted([one for one in found if one], key=lambda one: one[0])]


def around(places: Iterable[Steps]) -> set[Steps]:
    """The maps and lists around places."""
    return {steps[:depth] for steps in places for depth in range(len(steps))}


def _explained(change: Change, sent: dict[Steps, Change], around_sent: set[Steps]) -> Change:
    planned = sent.get(change.steps)
    if change.action in CHANGING and change.before is None and change.after is None:
        return _with(change, "unchanged", SENT)
    if change.action not in CHANGING:
        return _with(change, change.action, SENT) if planned is not None else change
    if change.steps == GENERATION:
        return _with(change, change.action, RAISED)
    if planned is not None and planned.action == change.action:
        return _with(change, change.action, planned.reason)
    if planned is not None and planned.action == "cleared":
        return _with(change, change.action, f"{planned.reason}{FILLED_IN_AGAIN}")
    inside_sent = any(change.steps[:depth] in sent for depth in range(1, len(change.steps)))
    if planned is not None or inside_sent or change.steps in around_sent:
        return change
    return _with(change, change.action, _OF_SERVER.get(change.action, change.reason))


def _without_effect(sent: dict[Steps, Change], known: set[Steps]) -> Iterator[Change]:
    """Values that the server drops, and that live does not have either."""
    around_known = around(known)
    for steps, change in sent.items():
        shown = steps in around_known or any(steps[:depth] in known for depth in range(len(steps) + 1))
        if change.action == "added" and not shown:
            yield Change(steps, "unchanged", None, None, SENT, change.rule)


def _with(change: Change, action: Any, reason: str) -> Change:
    return Change(change.steps, action, change.before, change.after, reason, change.rule)
