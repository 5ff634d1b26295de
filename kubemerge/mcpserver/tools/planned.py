"""Planned objects as results of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..results import Items, Value, Words, words
from ..shapes import CHANGE, CONFLICT, FLAG, IDENTITY, OURS, SENTENCE, TEXT, VALUE, about, items, output, record, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...plan import Plan, PlanOptions
    from ...plan.cluster_view import ClusterView
    from ..workspace import Workspace

    Facts = dict[str, Any]

STUCK = record(path=TEXT, reason=SENTENCE, config=VALUE, live=VALUE)
OBJECT = record(
    **IDENTITY,
    place=about(TEXT, "The file or argument, and the line."),
    action=word("created", "changed", "unchanged", "deleted", "refused", "kept", "skipped"),
    method=word("client-side", "server-side", "replace", "delete", "none"),
    manager=TEXT,
    status=about(TEXT, "The sync status of Argo CD, or empty."),
    **items("changes", CHANGE, "The fields that change. Empty for a new object."),
    **items("conflicts", CONFLICT, "Fields of other managers, for which the server rejects the apply."),
    **items("overwritten", CONFLICT, "Fields of other managers that the write takes over."),
    **items("stuck", STUCK, "Fields that still differ from the config after the write."),
    **items("problems", SENTENCE, "The reasons for which the API server rejects the write."),
    **items("notes", SENTENCE),
)
PLANNED = output(
    title=TEXT,
    fails=about(FLAG, "Whether the command fails."),
    error=SENTENCE,
    next_step=OURS,
    **items("objects", OBJECT),
    **items("notes", SENTENCE),
)
CREATED = "created"
NEXT_AFTER_CONFLICTS = (
    "Call the tool conflicts with the same objects. It returns the smallest change that needs no force. Do not delete "
    "and recreate an object because of a conflict."
)
NO_LIVE = "no live objects were passed, so every object counts as new, and conflicts are unknown"


def planned(workspace: Workspace, tool: str, options: PlanOptions, view: ClusterView) -> Facts:
    """The plan of a tool for the objects to apply."""
    from ...plan import plan
    from ...plan.tools import placed

    objects = [*workspace.inputs(placed(tool, workspace.config, view, options))]
    found = plan_result(plan(tool, objects, view, options))
    if workspace.cluster is None and not workspace.has("live"):
        found["notes"] = words([NO_LIVE, *found["notes"]])
    return found


def plan_result(found: Plan) -> Facts:
    """A plan as a result."""
    from ...plan.report import facts

    plain = facts(found)
    return {
        "title": plain["title"],
        "fails": found.has_conflicts or found.fails,
        "error": Words(plain["error"]),
        "next_step": NEXT_AFTER_CONFLICTS if found.has_conflicts else "",
        "objects": Items([object_result(one) for one in plain["objects"]]),
        "notes": words(plain["notes"]),
    }


def object_result(one: Facts) -> Facts:
    """A planned object as a result."""
    copied = ("apiVersion", "kind", "namespace", "name", "place", "action", "method", "manager", "status")
    return {
        **{name: one[name] for name in copied},
        "changes": Items([_change(change) for change in one["changes"] if one["action"] != CREATED]),
        "conflicts": _conflicts(one["conflicts"]),
        "overwritten": _conflicts(one["overwritten"]),
        "stuck": Items(
            [
                {
                    "path": stuck["path"],
                    "reason": Words(stuck["reason"]),
                    "config": Value(stuck["config"]),
                    "live": Value(stuck["live"]),
                }
                for stuck in one["stuck"]
            ]
        ),
        "problems": words(one["problems"]),
        "notes": words(one["notes"]),
    }


def _change(change: Facts) -> Facts:
    return {
        "path": change["path"],
        "action": change["action"],
        "before": Value(change["before"]),
        "after": Value(change["after"]),
        "owners": Items(change["owners"]),
    }


def _conflicts(found: Sequence[Facts]) -> Items:
    return Items([conflict_result(one) for one in found])


def conflict_result(one: Facts) -> Facts:
    """A conflict as a result."""
    owner = {name: one[name] for name in ("manager", "operation", "subresource", "apiVersion", "since")}
    return {"path": one["path"], "owner": owner, "config": Value(one["config"]), "live": Value(one["live"])}
