"""`conflicts`: the conflicts of a server-side apply, and the smallest change that needs no force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import encode

from ..results import Document, Items, Value, words
from ..shapes import CONFLICT, FLAG, IDENTITY, NULLABLE, OURS, SENTENCE, VALUE, about, items, output, record, word
from ..shapes import TEXT as FIELD
from ..tool import LIMIT, MANAGER, OBJECTS, Tool
from .planned import conflict_result

if TYPE_CHECKING:
    from ...offline.pairs import Inputs
    from ...plan import PlannedObject
    from ...plan.requests import Requests
    from ...plan.without_force import WithoutForce
    from ..workspace import Workspace

    Facts = dict[str, Any]

TEXT = """Return the conflicts of a server-side apply ("Apply failed with 1 conflict"), each with the manager that
owns the field, and the smallest change with which the apply needs no force. The change is checked: with it, the
server accepts the apply. Call it when an apply fails with a conflict, or is predicted to. Do not delete and recreate
the object, and do not force conflicts without asking the user: the other manager may be an autoscaler, an operator or
a person."""

HAND_OVER, EDIT_CONFIG, BOTH, NONE_FOUND = "hand_over", "edit_config", "both", "none_found"
NOT_NEEDED, REJECTED = "not_needed", "rejected"
STEPS = {
    HAND_OVER: "The conflicts are with an earlier field manager of kubectl. Send hand_over as a JSON patch of the live "
    "object, then apply the unchanged config. The patch changes no value.",
    EDIT_CONFIG: "Make the edits in the config, then apply it without force. Call predict_apply to check it first. The "
    "fields keep their live values. If the user wants other values, change them where their managers get them from.",
    BOTH: "Send hand_over as a JSON patch of the live object, make the edits in the config, then apply it without "
    "force.",
    NONE_FOUND: "No change of the config was found with which the apply needs no force. Ask the user whether to take "
    "the fields over with force, and tell which managers own them.",
    NOT_NEEDED: "The apply has no conflict. It needs no force.",
    REJECTED: "The API server rejects the apply for another reason than a conflict. Correct what problems lists first.",
}
EDIT = record(
    path=FIELD,
    edit={
        **word("remove", "set_live_value"),
        "description": "remove: remove the field from the config, and its manager keeps it. set_live_value: write the "
        "live value into the config, and both managers own the field.",
    },
    value=about(VALUE, "The live value."),
)
CHANGE = record(
    kind=word(HAND_OVER, EDIT_CONFIG, BOTH, NONE_FOUND, NOT_NEEDED, REJECTED),
    next_step=OURS,
    **items("edits", EDIT, "The changes of the config."),
    config=about(NULLABLE, "The changed config as YAML, without comments. Null if it is a Secret or too large."),
    hand_over=about(
        NULLABLE,
        "The JSON patch (RFC 6902) of the live object, as text. Null if it is not needed or too "
        "large; then `kubemerge migrate -o patch` prints it.",
    ),
)
OUTPUT = output(
    has_conflicts=FLAG,
    **items(
        "objects",
        record(
            **IDENTITY,
            place=FIELD,
            **items("conflicts", CONFLICT),
            smallest_change=CHANGE,
            **items("problems", SENTENCE, "The reasons for which the API server rejects the apply, besides conflicts."),
            **items("notes", SENTENCE),
        ),
    ),
)


def conflicts(workspace: Workspace) -> Facts:
    """The conflicts of a server-side apply of all objects."""
    from ...plan import PlanOptions, plan

    if workspace.cluster is None and not workspace.has("live"):
        raise MergeError("no live object, so conflicts are unknown. Pass live objects in live, or paths in live_files")
    view = workspace.view()
    objects = [*workspace.inputs()]
    options = PlanOptions(server_side="true", manager=workspace.get("manager"), namespace=workspace.namespace)
    found = plan("kubectl", objects, view, options)
    results = [_object(one, inputs, view.requests) for one, inputs in zip(found.objects, objects, strict=True)]
    return {"has_conflicts": found.has_conflicts, "objects": Items(results)}


def _object(one: PlannedObject, inputs: Inputs, requests: Requests) -> Facts:
    from ...plan.report import object_facts

    facts = object_facts(one)
    return {
        **{name: facts[name] for name in ("apiVersion", "kind", "namespace", "name", "place")},
        "conflicts": Items([conflict_result(conflict) for conflict in facts["conflicts"]]),
        "smallest_change": _change(one, inputs, requests),
        "problems": words(facts["problems"]),
        "notes": words(facts["notes"]),
    }


def _change(one: PlannedObject, inputs: Inputs, requests: Requests) -> Facts:
    from ...output.secrets import Shown, is_secret
    from ...plan.without_force import WithoutForce, without_force

    found = without_force(one, inputs, requests) if one.conflicts else WithoutForce(is_found=True)
    shown = Shown(one.before, one.config)
    hides = is_secret(one.config) or is_secret(one.before)
    edits = [
        {
            "path": edit.path if shown.may_print(edit.steps) else "",
            "edit": edit.action,
            "value": Value(shown.at(edit.steps, edit.value, edit.value)[0] if shown.hides else edit.value),
        }
        for edit in found.edits
    ]
    if hides and found.patch and _has_values(found.patch):
        found, edits = WithoutForce(is_found=False), []
    kind = _kind(found, has_conflicts=bool(one.conflicts)) if not one.problems else REJECTED
    is_edited = found.config is not None and bool(edits) and not hides
    return {
        "kind": kind,
        "next_step": STEPS[kind],
        "edits": Items(edits),
        "config": _text(found) if is_edited else None,
        "hand_over": Document(encode([*found.patch])) if found.patch else None,
    }


def _has_values(patch: Any) -> bool:
    """Whether field sets in a patch name elements by their values, which could be those of a Secret."""
    text = encode([*patch])
    return '"k:' in text or '"v:' in text


def _kind(found: WithoutForce, *, has_conflicts: bool) -> str:
    if not has_conflicts:
        return NOT_NEEDED
    if not found.is_found:
        return NONE_FOUND
    if found.patch:
        return BOTH if found.edits else HAND_OVER
    return EDIT_CONFIG


def _text(found: WithoutForce) -> Document:
    from ...output.object_text import object_text

    return Document(object_text(found.config, "yaml"))


CONFLICTS = Tool("conflicts", "Resolve apply conflicts", TEXT, (*OBJECTS, MANAGER, LIMIT), OUTPUT, conflicts)
