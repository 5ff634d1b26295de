"""The page of a plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..output.secrets import Shown
from ..plan.model import CHANGED, CREATED, DELETED, KEPT, REFUSED, SKIPPED, UNCHANGED
from ..plan.report import owner_text, summary
from .rendering import page
from .values import shown

if TYPE_CHECKING:
    from engine.paths import Steps

    from ..plan.model import Advice, Plan, PlannedObject
    from .values import Value

STYLES = {
    REFUSED: ("✕", "b"),
    DELETED: ("−", "b"),  # noqa: RUF001 - a minus sign
    SKIPPED: ("?", "t"),
    CHANGED: ("±", "n"),
    KEPT: ("~", "n"),
    CREATED: ("+", "g"),
    UNCHANGED: ("=", "g"),
}
"""An action -> its sign and colour."""
LISTS = {
    "conflict": ("conflict", "!", "b"),
    "overwritten": ("taken over", "~", "n"),
    "removed": ("removed", "−", "b"),  # noqa: RUF001 - a minus sign
    "changed": ("changed", "±", "n"),
    "added": ("added", "+", "g"),
    "stuck": ("stays", "≈", "p"),
}
"""The kinds of fields, each with its name, sign and colour."""


@dataclass(frozen=True)
class PlanRow:
    """One field."""

    path: str
    kind: str
    meaning: str
    before: Value | None
    after: Value | None
    owners: tuple[str, ...]
    advice: tuple[Advice, ...] = ()

    @property
    def look(self) -> tuple[str, str, str]:
        """The title, the sign and the colour."""
        return LISTS[self.kind]


@dataclass(frozen=True)
class PlannedSection:
    """One object of the page."""

    number: int
    planned: PlannedObject
    rows: tuple[PlanRow, ...]

    @property
    def look(self) -> tuple[str, str]:
        """The sign and the colour of its action."""
        return STYLES[self.planned.action]


def plan_page(plan: Plan, *, secrets: bool = False) -> str:
    """The page of a plan. Objects with conflicts and other rejected ones come first."""
    order = [*STYLES]
    objects = sorted(plan.objects, key=lambda one: order.index(one.action))
    sections = [PlannedSection(number, one, tuple(_rows(one, secrets))) for number, one in enumerate(objects)]
    actions = Counter(one.action for one in objects)
    kinds = Counter(row.kind for one in sections for row in one.rows)
    return page(
        "plan.html.j2",
        title=plan.title,
        lead=summary(plan),
        plan=plan,
        objects=sections,
        tiles=[(action, actions[action], *STYLES[action]) for action in STYLES if actions[action]],
        kinds=[(kind, kinds[kind], *LISTS[kind]) for kind in LISTS if kinds[kind]],
    )


def _rows(one: PlannedObject, secrets: bool) -> list[PlanRow]:
    documents = Shown(one.before, one.after or one.config, secrets=secrets)
    rows = []
    for kind, conflicts in (("conflict", one.conflicts), ("overwritten", one.overwritten)):
        for each in conflicts if kind == "conflict" or not one.conflicts else ():
            live, config = documents.at(each.steps, each.live, each.config)
            meaning = "another manager owns the field"
            rows.append(PlanRow(each.path, kind, meaning, shown(live), shown(config), (owner_text(each),), each.advice))
    for change in one.changes if one.before is not None else ():
        before, after = documents.at(change.steps, change.before, change.after)
        owners = tuple(map(owner_text, change.owners))
        rows.append(PlanRow(change.path, change.action, "by this write", shown(before), shown(after), owners))
    for stuck in one.stuck:
        live, config = documents.at(stuck.steps, stuck.live, stuck.config)
        owners = tuple(map(owner_text, stuck.owners))
        rows.append(PlanRow(stuck.path, "stuck", stuck.reason, shown(live), shown(config), owners))
    return [row for row, steps in zip(rows, _all_steps(one), strict=True) if documents.may_print(steps)]


def _all_steps(one: PlannedObject) -> list[Steps]:
    taken = () if one.conflicts else one.overwritten
    changes = one.changes if one.before is not None else ()
    conflicts = [each.steps for each in (*one.conflicts, *taken)]
    return [*conflicts, *(each.steps for each in changes), *(each.steps for each in one.stuck)]
