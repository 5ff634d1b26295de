"""`why`: the reason for each field's value after an apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import FieldConflict

from ..results import Items, Value, Words, words
from ..shapes import NULLABLE, SENTENCE, VALUE, about, items, output, record
from ..shapes import TEXT as FIELD
from ..tool import LIMIT, MANAGER, METHODS, OBJECTS, SERVER_SIDE, Argument, Tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.paths import Steps

    from ...offline.pairs import Merged
    from ...offline.prediction import Prediction
    from ..workspace import Workspace

    Facts = dict[str, Any]

TEXT = """Return the reason for the value of each field after an apply. A value may be set by the config, kept because
only live has it, removed because the last apply had it, or a default of the server. Call it when a value after an
apply is unexpected: "why does this field stay?". Pass `path` to keep the result small."""
OUTPUT = output(
    **items(
        "fields",
        record(
            object=FIELD,
            path=FIELD,
            action=FIELD,
            before=VALUE,
            after=VALUE,
            reason=SENTENCE,
            set_by=about(NULLABLE, "server, person, controller, apply or unknown; null without a writer."),
            **items("owners", record(manager=FIELD, operation=FIELD, subresource=NULLABLE, since=NULLABLE)),
        ),
    ),
    **items("notes", SENTENCE),
)
CONFLICT = "the server-side apply has a conflict, so it changes nothing. Call conflicts with the same object"


def why(workspace: Workspace) -> Facts:
    """The reasons for all fields, for those at a path, or for those that change."""
    from ...output.secrets import Shown
    from ...ownership.reasons import facts, is_changed, with_reasons

    path = workspace.get("path")
    found: list[Facts] = []
    notes: list[str] = []
    for merged, changes in with_reasons(_merged(workspace, notes), path):
        shown = Shown(merged.before, merged.after)
        printed = [one for one in changes if _is_listed(one.change.steps) and shown.may_print(one.change.steps)]
        if workspace.get("only_changes"):
            printed = [one for one in printed if is_changed(one.change, path)]
        found += map(_result, facts(merged, printed, shown))
    return {"fields": Items(found), "notes": words(notes)}


def _is_listed(steps: Steps) -> bool:
    """Whether a field is listed. The tool field_owners has the contents of managedFields."""
    return steps[:2] != ("metadata", "managedFields")


def _merged(workspace: Workspace, notes: list[str]) -> Iterator[Merged]:
    from ...actions.serverside.managers import KUBECTL
    from ...offline.pairs import MergeOptions, OnServer, apply_on_server, merge

    how = MergeOptions()
    is_server_side = workspace.get("method") == SERVER_SIDE
    by = OnServer(workspace.get("manager") or KUBECTL) if is_server_side else None
    prediction = _prediction(workspace, notes)
    for inputs in workspace.inputs():
        try:
            merged = apply_on_server(inputs, by) if by else merge(inputs, how)
        except FieldConflict:
            notes.append(f"{inputs.title}: {CONFLICT}")
        else:
            yield prediction.of(merged, how, by)


def _prediction(workspace: Workspace, notes: list[str]) -> Prediction:
    """The server that adds default values. Its rejections become notes."""
    from ...offline.live_cluster import LiveCluster
    from ...offline.prediction import Prediction

    definitions = [one.content for one in workspace.definitions]
    others = workspace.others
    if isinstance(others, LiveCluster):
        definitions += others.definitions_of(workspace.config)
        live = [*others.neighbours(workspace.config)]
    else:
        live = others.live_objects
    release = others.release if isinstance(others, LiveCluster) else workspace.schemas.patch_release

    def report(merged: Merged, text: str) -> None:
        notes.append(f"{merged.inputs.title}: the API server would reject this: {text}")

    return Prediction(release, definitions, live, report=report)


def _result(one: Facts) -> Facts:
    return {
        **{name: one[name] for name in ("object", "path", "action")},
        "before": Value(one["before"]),
        "after": Value(one["after"]),
        "reason": Words(one["reason"]),
        "set_by": one.get("setBy"),
        "owners": Items(
            [
                {
                    **{name: owner[name] for name in ("manager", "operation", "subresource")},
                    "since": owner["time"],
                }
                for owner in one.get("owners", ())
            ]
        ),
    }


WHY = Tool(
    "why",
    "Explain values after an apply",
    TEXT,
    (
        *OBJECTS,
        Argument("path", "Only this field, such as spec.replicas."),
        Argument("only_changes", "Only fields that change.", "flag"),
        Argument("method", "How kubectl applies. Default: client-side.", choices=METHODS),
        MANAGER,
        LIMIT,
    ),
    OUTPUT,
    why,
)
