"""`explain_field`: the merge rule of a field, and the fields below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..results import Items
from ..shapes import NULLABLE, RULE, about, items, output, record
from ..shapes import TEXT as FIELD
from ..tool import CRDS, LIMIT, RELEASE, Argument, Tool

if TYPE_CHECKING:
    from ..workspace import Workspace

    Facts = dict[str, Any]

TEXT = """Return how a field merges: in `kubectl apply` and in server-side apply, by which key list elements are
identified, since which releases, and whether a feature gate drops it. It also lists the fields below. Call it before
you write a patch for a list, or to check that a field exists in a release. It needs no manifest."""
OUTPUT = output(
    apiVersion=FIELD,
    kind=FIELD,
    release=NULLABLE,
    path=FIELD,
    rule=RULE,
    feature_gate=about(NULLABLE, "The feature gate of the field, or null."),
    stored_since=about(NULLABLE, "The release that stores a gated field by default, or null."),
    **items("fields", record(path=FIELD, rule=RULE), "The fields below."),
    **items(
        "history",
        record(releases=FIELD, rule={"anyOf": [RULE, {"type": "null"}]}),
        "The rule in other releases. Null where the field does not exist.",
    ),
)


def explain_field(workspace: Workspace) -> Facts:
    """The rule of the field."""
    import engine

    from ...kinds.explain import below, eras, facts, field_at, gate_of
    from ...kinds.find import find_field
    from ...offline.tables import laid_over

    explicit = workspace.get("release")
    release = workspace.release if explicit or workspace.cluster is None else workspace.cluster.release
    tables = engine.load(release)
    if workspace.definitions:
        import codegen  # slow to import

        tables = laid_over(tables, [codegen.read(one.content) for one in workspace.definitions])
    schema, path = find_field(tables, workspace.text("field"), workspace.get("api_version"))
    rule = field_at(schema, path)
    past = [*eras(schema, path)] if workspace.get("history") else []
    found = facts(schema, path, rule, past, [*below(schema, rule)])
    gate = gate_of(schema, path).get("featureGate") or {}
    return {
        **{name: found[name] for name in ("apiVersion", "kind", "release", "path")},
        "rule": _rule(found["rule"]),
        "feature_gate": gate.get("name"),
        "stored_since": gate.get("storedSince"),
        "fields": Items([{"path": one["path"], "rule": _rule(one["rule"])} for one in found["fields"]]),
        "history": Items(
            [{"releases": one["releases"], "rule": _rule(one["rule"])} for one in found.get("history", ())]
        ),
    }


def _rule(rule: Facts | None) -> Facts | None:
    if rule is None:
        return None
    return {
        "type": rule["kind"] if rule["of"] is None else f"{rule['kind']} of {rule['of']}",
        "client_side": rule["clientSide"],
        "server_side": rule["serverSide"],
        "merge_key": rule["mergeKey"],
        "map_keys": rule["mapKeys"],
    }


EXPLAIN_FIELD = Tool(
    "explain_field",
    "Explain a field",
    TEXT,
    (
        Argument(
            "field",
            "The kind and the path, without list elements: deployment.spec.template.spec.containers. The kind may be a "
            "short name, a plural, or with its version: apps/v1/Deployment.spec.",
            required=True,
        ),
        Argument("api_version", "The apiVersion, for kinds with several. Default: the stable one."),
        Argument("history", "Also return the rule in other releases.", "flag"),
        *CRDS,
        RELEASE,
        LIMIT,
    ),
    OUTPUT,
    explain_field,
)
