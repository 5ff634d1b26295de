"""The pages of merged objects: three inputs, the result, and the reason for every field."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..apiserver.text.yaml_out import dump
from ..diff.difference import Difference, Show
from ..output.secrets import Shown
from ..output.words import client_side
from .rendering import page
from .tables import Head, against_the_last, before_and_after, shortened
from .values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.clientside.change import Change

    from ..offline.pairs import Inputs, Merged
    from .tables import Table
    from .values import Value

ACTIONS = {
    "added": ("+", "g"),
    "changed": ("~", "n"),
    "cleared": ("−", "b"),  # noqa: RUF001 - a minus sign
    "reordered": ("↕", "p"),
    "matched": ("≈", ""),
    "kept": ("·", "t"),
    "unchanged": ("=", ""),
}
"""Action on a field -> its sign and colour."""

QUIET = ("matched", "kept", "unchanged")
"""Results that a page of differences leaves out."""

RESULTS = {"created": ("+", "g"), "configured": ("~", "n"), "unchanged": ("=", "")}
"""The result for an object -> its sign and colour."""


@dataclass(frozen=True)
class Reason:
    """The reason for one field's value."""

    path: str
    action: str
    sign: str
    style: str
    before: Value | None
    after: Value | None
    reason: str
    rule: str


@dataclass(frozen=True)
class MergedObject:
    """One object of the page."""

    merged: Merged
    number: int
    table: Table
    difference: Table | None
    """Live object and result, reduced to the differences."""
    differs: bool
    reasons: tuple[Reason, ...]
    patch: str

    @property
    def title(self) -> str:
        """The object as kubectl calls it."""
        return self.merged.inputs.title

    @property
    def namespace(self) -> str:
        """The namespace of the object, if it has one."""
        return str(self.merged.inputs.config["metadata"].get("namespace") or "")


def merge_page(merged: Sequence[Merged], *, show_secrets: bool = False) -> str:
    """The page of merged objects, in their order."""
    objects = [_object(number, one, show_secrets) for number, one in enumerate(merged)]
    counts = Counter[str](one.outcome.result for one in merged)
    tiles = [(result, counts[result], *RESULTS[result]) for result in RESULTS]
    return _page(objects, "merge", tiles, ticked=tuple(ACTIONS))


def diff_page(merged: Sequence[Merged], *, show_secrets: bool = False) -> str:
    """The page of the changes that an apply would make. Differing objects come first, the others are folded."""
    objects = [_object(number, one, show_secrets) for number, one in enumerate(merged)]
    objects.sort(key=lambda one: not one.differs)
    differing = sum(one.differs for one in objects)
    tiles = [("differing", differing, "~", "n"), ("alike", len(objects) - differing, "=", "")]
    return _page(objects, "diff", tiles, ticked=tuple(action for action in ACTIONS if action not in QUIET))


def _page(
    objects: Sequence[MergedObject], command: str, tiles: Sequence[tuple[str, int, str, str]], ticked: tuple[str, ...]
) -> str:
    counts = Counter(reason.action for one in objects for reason in one.reasons)
    return page(
        "merge.html.j2",
        title=objects[0].title if len(objects) == 1 else f"{len(objects)} objects",
        command=command,
        objects=objects,
        tiles=tiles,
        actions=[(action, counts[action], *ACTIONS[action]) for action in ACTIONS if counts[action]],
        ticked=ticked,
        results=RESULTS,
    )


def _object(number: int, merged: Merged, show_secrets: bool) -> MergedObject:
    documents = Shown(merged.before, merged.after, secrets=show_secrets)
    outcome = merged.outcome
    difference = Difference(merged, Show(secrets=show_secrets))
    sides = [(Head("live"), difference.before), (Head("result"), difference.after)]
    return MergedObject(
        merged,
        number,
        _table(merged.inputs, documents),
        shortened(before_and_after(sides)) if difference.differs and merged.before is not None else None,
        difference.differs,
        tuple(_reason(change, documents) for change in outcome.changes if documents.may_print(change.steps)),
        dump(documents.patch(outcome.patch)) if outcome.patch else "",
    )


def _table(inputs: Inputs, documents: Shown) -> Table:
    columns = [
        (Head("last applied"), documents.other(inputs.last_applied)),
        (Head("config"), documents.other(inputs.config)),
        (Head("live"), documents.before),
        (Head("result", "after the apply"), documents.after),
    ]
    there = [(head, document) for head, document in columns if document is not None]
    return before_and_after(there) if documents.before is not None else against_the_last(there)


def _reason(change: Change, documents: Shown) -> Reason:
    before, after = documents.values(change)
    sign, style = ACTIONS[change.action]
    rule = client_side(change.rule) if change.rule and change.rule.kind != "primitive" else ""
    if change.action == "matched":  # its fields follow one by one
        before = after = None
    return Reason(change.path, change.action, sign, style, shown(before), shown(after), change.reason, rule)
