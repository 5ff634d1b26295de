"""Plans as text and JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ..apiserver.text.text import how_many
from ..apiserver.text.text import shown as in_one_line
from ..output.secrets import Shown
from .model import DELETE, NONE, UNCHANGED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine import Owner

    from .model import Advice, FieldChange, FieldConflict, Plan, PlannedObject, StuckField

_ORDER = ("created", "changed", "deleted", "refused", "kept", "skipped", "unchanged")
"""The order of actions in the summary."""
_MOST = 12
"""Maximum number of fields of one list printed as text."""
_LONGEST = 60


def summary(plan: Plan) -> str:
    """All objects in one line: `kubectl apply: 3 objects, 1 created, 2 unchanged, 1 conflict`."""
    counts = Counter(one.action for one in plan.objects)
    parts = [f"{counts[action]} {action}" for action in _ORDER if counts[action]]
    conflicts = sum(len(one.conflicts) for one in plan.objects)
    parts += [how_many(conflicts, "conflict")] if conflicts else []
    return f"{plan.title}: {', '.join([how_many(len(plan.objects), 'object'), *parts])}"


def lines(plan: Plan, *, secrets: bool = False, everything: bool = False) -> Iterator[str]:
    """The plan as text. Unchanged objects without a note are printed only with `everything`."""
    yield summary(plan)
    yield from (f"  note: {note}" for note in plan.notes)
    if plan.error:
        first, *rest = plan.error.splitlines()
        yield f"  {plan.title} fails: {first}"
        yield from (f"    {line}" for line in rest)
    yield from _advice_lines(plan.advice, "  ")
    for one in plan.objects:
        if everything or one.action != UNCHANGED or one.stuck or one.notes or one.problems:
            yield ""
            yield from object_lines(one, secrets=secrets)


def object_lines(one: PlannedObject, *, secrets: bool = False) -> Iterator[str]:
    """The plan of one object as text."""
    where = f" in namespace {one.namespace}" if one.namespace else ""
    how = "" if one.method in (NONE, DELETE) else f" ({one.method})"
    status = f", {one.status}" if one.status else ""
    yield in_one_line(f"{one.title}{where}: {one.action}{how}{status}")
    shown = Shown(one.before, one.after or one.config, secrets=secrets)
    yield from (in_one_line(f"  note: {note}") for note in one.notes)
    for problem in one.problems:
        yield in_one_line(f"  the API server rejects it: {problem}")
    if one.conflicts:
        yield "  conflicts: other managers own these fields, so the apply fails"
        for conflict in one.conflicts:
            yield in_one_line(f"    {_conflict_line(conflict, shown)}")
            yield from _advice_lines(conflict.advice, "      ")
    yield from section("changes", map(_change_line(shown), one.changes if one.before is not None else ()))
    if not one.conflicts:
        yield from section("takes over", [_conflict_line(taken, shown) for taken in one.overwritten])
    yield from section("stays", [_stuck_line(stuck, shown) for stuck in one.stuck])
    yield from _advice_lines(one.advice, "  ")


def section(title: str, found: Iterable[str]) -> Iterator[str]:
    """A title with its lines; nothing without lines."""
    every = [*found]
    if every:
        yield f"  {title}"
        yield from (in_one_line(f"    {line}") for line in every[:_MOST])
    if len(every) > _MOST:
        yield f"    and {how_many(len(every) - _MOST, 'more field')} (-o json lists them)"


def _advice_lines(advice: Iterable[Advice], margin: str) -> Iterator[str]:
    for at, one in enumerate(advice):
        head = "Fix: " if at == 0 else "  or "
        yield f"{margin}{head}{in_one_line(one.text)}{':' if one.command else ''}"
        if one.command:
            yield f"{margin}       {in_one_line(one.command)}"


def _change_line(shown: Shown) -> Any:
    def line(change: FieldChange) -> str:
        if not shown.may_print(change.steps):
            return f"{change.action} an element of a list of values"
        before, after = shown.at(change.steps, change.before, change.after)
        if change.action == "added":
            return f"+ {change.path}: {brief(after)}"
        if change.action == "removed":
            return f"- {change.path}: {brief(before)}"
        return f"~ {change.path}: {brief(before)} -> {brief(after)}"

    return line


def _conflict_line(conflict: FieldConflict, shown: Shown) -> str:
    live, config = live_and_config(conflict, shown)
    return f"{_path(conflict, shown)}: config {brief(config)}, live {brief(live)}, owned by {owner_text(conflict)}"


def _stuck_line(stuck: StuckField, shown: Shown) -> str:
    live, config = live_and_config(stuck, shown)
    wanted = "" if config is None else f"config {brief(config)}, "
    return f"{_path(stuck, shown)}: {wanted}live {brief(live)}: {stuck.reason}"


def _path(one: FieldConflict | StuckField, shown: Shown) -> str:
    return one.path if shown.may_print(one.steps) else "an element of a list of values"


def owner_text(one: FieldConflict | Owner) -> str:
    """A manager in words: `hpa (Update through scale, since 2026-01-01T00:00:00Z)`."""
    through = f" through {one.subresource}" if one.subresource else ""
    time = getattr(one, "since", None) or getattr(one, "time", None)
    since = f", since {time}" if time else ""
    version = f", {one.api_version}" if one.api_version else ""
    return f"{one.manager} ({one.operation}{through}{version}{since})"


def brief(value: Any) -> str:
    """A value as JSON, cut to the width of a report."""
    if value is None:
        return "none"
    text = encode(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


# ---- JSON -----------------------------------------------------------------------------------------------------------


def facts(plan: Plan, *, secrets: bool = False) -> dict[str, Any]:
    """The plan as JSON data."""
    return {
        "tool": plan.tool,
        "title": plan.title,
        "method": plan.method,
        "fails": plan.fails,
        "error": plan.error,
        "notes": list(plan.notes),
        "advice": [*map(_advice_facts, plan.advice)],
        "objects": [object_facts(one, secrets=secrets) for one in plan.objects],
        "removed": [*map(_identity, plan.removed)],
        "kept": [*map(_identity, plan.kept)],
    }


def _identity(one: PlannedObject) -> dict[str, Any]:
    return {"apiVersion": one.api_version, "kind": one.kind, "namespace": one.namespace, "name": one.name}


def object_facts(one: PlannedObject, *, secrets: bool = False) -> dict[str, Any]:
    """One object as JSON data."""
    shown = Shown(one.before, one.after or one.config, secrets=secrets)
    return {
        **_identity(one),
        "place": one.place,
        "method": one.method,
        "manager": one.manager,
        "action": one.action,
        "status": one.status,
        "changes": [_change_facts(change, shown) for change in one.changes],
        "conflicts": [_conflict_facts(conflict, shown) for conflict in one.conflicts],
        "overwritten": [_conflict_facts(taken, shown) for taken in one.overwritten],
        "stuck": [_stuck_facts(stuck, shown) for stuck in one.stuck],
        "removed": [change.path for change in one.changes if change.action == "removed" and _printable(change, shown)],
        "kept": [stuck.path for stuck in one.stuck if _printable(stuck, shown)],
        "problems": list(one.problems),
        "notes": list(one.notes),
        "advice": [*map(_advice_facts, one.advice)],
    }


def live_and_config(one: FieldConflict | StuckField, shown: Shown) -> tuple[Any, Any]:
    """Both values, masked if necessary."""
    return shown.at(one.steps, one.live, one.config) if shown.hides else (one.live, one.config)


def _printable(one: FieldChange | FieldConflict | StuckField, shown: Shown) -> bool:
    return shown.may_print(one.steps)


def _change_facts(change: FieldChange, shown: Shown) -> dict[str, Any]:
    before, after = shown.at(change.steps, change.before, change.after)
    path = change.path if _printable(change, shown) else ""
    owners = [*map(owner_facts, change.owners)] if path else []
    return {"path": path, "action": change.action, "before": before, "after": after, "owners": owners}


def _conflict_facts(conflict: FieldConflict, shown: Shown) -> dict[str, Any]:
    live, config = live_and_config(conflict, shown)
    return {
        "path": conflict.path if _printable(conflict, shown) else "",
        "manager": conflict.manager,
        "operation": conflict.operation,
        "subresource": conflict.subresource,
        "apiVersion": conflict.api_version,
        "since": conflict.since,
        "config": config,
        "live": live,
        "advice": [*map(_advice_facts, conflict.advice)],
    }


def _stuck_facts(stuck: StuckField, shown: Shown) -> dict[str, Any]:
    live, config = live_and_config(stuck, shown)
    path = stuck.path if _printable(stuck, shown) else ""
    owners = [*map(owner_facts, stuck.owners)] if path else []
    return {"path": path, "reason": stuck.reason, "config": config, "live": live, "owners": owners}


def owner_facts(owner: Owner) -> dict[str, Any]:
    """A manager as JSON data."""
    return {
        "manager": owner.manager,
        "operation": owner.operation,
        "subresource": owner.subresource,
        "apiVersion": owner.api_version,
        "since": owner.time,
    }


def _advice_facts(advice: Advice) -> dict[str, Any]:
    return {"text": advice.text, "command": advice.command}
