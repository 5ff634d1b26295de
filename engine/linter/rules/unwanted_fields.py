"""Fields that do not belong in a config: unknown fields, patch directives, and fields that only the API server sets."""

from __future__ import annotations

from ...directives import is_directive
from ...tables.patch_schema import fold
from ...values.plain import ABSENT, same
from ..findings import ERROR, INFO, WARNING
from ..rule import BOTH, LintRule, Problem
from ..values import covers, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...tables.rules import Type
    from ..context import LintContext
    from ..field_values import FieldValues

STALE = (
    "The resourceVersion goes stale after the next write, including this apply. The API server will then reject "
    "the manifest."
)
RECREATED = "A recreated object has a new uid, so the API server will then reject every apply."
DELETION = "Only a deletion sets this field, so the API server rejects every apply unless the object is being deleted."
OWNERS = "Every apply resets metadata.managedFields to this value, so the fields of other writers lose their owners."
NOT_NIL = "The API server rejects a server-side apply with managedFields: metadata.managedFields must be nil."

REFUSED = {
    "resourceVersion": STALE,
    "uid": RECREATED,
    "deletionTimestamp": DELETION,
    "deletionGracePeriodSeconds": DELETION,
    "managedFields": OWNERS,
}
"""Fields of metadata that make an apply fail or lose values of other writers, with the reason."""

NEVER_ACCEPTED = ("creationTimestamp", "generation", "selfLink")
"""Fields of metadata that the server always ignores."""
IGNORED = "Only the API server sets this field. The value in the config is sent on every apply and always ignored."


def unknown_fields(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A config field that its type does not have, with a suggestion."""
    rule, holder = place.rule, place.holder
    if rule is None or holder is None or type(place.config) is not dict:
        return
    if rule.open or holder.rule.open or not holder.fields:
        return
    for name in place.config:
        if name not in holder.fields and not is_directive(name) and not _is_status(context, place, name):
            yield Problem((*place.steps, name), *_sentences(context, holder, name))


def _is_status(context: LintContext, place: FieldValues, name: str) -> bool:
    """True for the status of a custom resource, which a definition need not describe."""
    return name == "status" and not place.steps and not context.built_in


def _sentences(context: LintContext, holder: Type, name: str) -> tuple[str, str]:
    where = f" of {context.release}" if context.built_in else ""
    kind = holder.name.rpartition(".")[2] or "the object"
    message = f"Field {name!r} does not exist in {kind}{where}, so the API server rejects the object"
    exact = [known for known in holder.fields if fold(known) == fold(name)]
    if exact:
        return f"{message}: use {exact[0]!r} (case matters).", f"Write {exact[0]!r}."
    from difflib import get_close_matches  # rarely needed

    near = get_close_matches(name, list(holder.fields), n=2, cutoff=0.7)
    if near:
        meant = " or ".join(map(repr, near))
        return f"{message}. Did you mean {meant}?", f"Write {meant}, or remove the field."
    return f"{message}.", ""


UNKNOWN_FIELD = LintRule(
    "KM015",
    "unknown-field",
    ERROR,
    meaning="The release has no such field, so the API server rejects the object.",
    advice="Correct the field name, or remove the field.",
    explanation="""
        The type has no such field in this release. The API server rejects the object, or drops the field with
        `--validate=warn` and `--validate=false`. Similar names are suggested, and case matters. Labels, data and the
        open parts of custom resources are not checked.
        """,
    example="""
        # kind: apps/v1 Deployment
        # config
        spec: {replica: 2}
        """,
    check_place=unknown_fields,
)


def leaked_directives(_: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A directive in the config, or a directive or null that the exact merge leaves in the object."""
    name = place.steps[-1] if place.steps else ""
    if is_directive(name):
        if place.config is not ABSENT:
            message = f"{name} is a patch directive. In a config, it is misread or rejected as an unknown field."
            yield Problem(place.steps, message)
        elif place.merged is not ABSENT and place.live is ABSENT:
            message = (
                f"The patch of this apply leaves its directive {name} in the object, and the API server "
                "rejects the object."
            )
            yield Problem(place.steps, message, _NOT_VALIDATED)
    elif place.merged is None and place.live is not None:
        if place.config is None:
            yield Problem(place.steps, "This null does not clear a field. It is stored as data.")
        else:
            message = "The patch of this apply leaves a null in the object, because the live element no longer exists."
            yield Problem(place.steps, message, _APPLY_TWICE)


_NOT_VALIDATED = "Apply the config once with --validate=false, which drops the directive."
_APPLY_TWICE = "Apply a second time if the null remains. The server usually drops it."


LEAKS_INTO_DATA = LintRule(
    "KM018",
    "leaks-into-data",
    WARNING,
    meaning="A patch directive or a null in the config is stored in the object as data.",
    advice="Remove it from the config.",
    explanation="""
        `$patch`, `$retainKeys` and other patch directives do not belong in a config. They are misread, or the API
        server rejects them as unknown fields. A null clears a field, but in a replaced list or an appended element it
        remains as a null. Sometimes kubectl's own patch leaves a directive or a null behind.
        """,
    example="""
        # kind: v1 Pod
        # last-applied
        {}
        ---
        # config
        spec: {tolerations: [{key: null, operator: Exists}]}
        ---
        # live
        spec: {tolerations: []}
        ---
        # result
        spec: {tolerations: [{key: null, operator: Exists}]}
        """,
    check_place=leaked_directives,
)


def rejected_metadata(context: LintContext) -> Iterator[Problem]:
    """Server-set fields in the config that make an apply fail or lose something."""
    ours, theirs = (fields(fields(one).get("metadata")) for one in (context.config, context.live))
    for name, message in REFUSED.items():
        value = ours.get(name)
        if value in (None, "", 0):
            continue
        if name == "managedFields" and context.manager is not None:
            yield Problem(("metadata", name), NOT_NIL)
            continue
        tolerated = name == "managedFields" or (name != "resourceVersion" and same(value, theirs.get(name)))
        yield Problem(("metadata", name), message, severity=WARNING if tolerated else None)


SERVER_OWNED_FIELD = LintRule(
    "KM025",
    "server-owned-field",
    ERROR,
    meaning="The config has fields that only the API server sets, so an apply is rejected, or data of other "
    "writers is lost.",
    advice="Remove the field from the config. The API server sets it.",
    explanation="""
        The config was copied from a live object and contains fields that only the API server sets. A `resourceVersion`
        goes stale after the next write, including the apply itself, and every later apply is rejected with a conflict.
        The `uid`, `deletionTimestamp` and `deletionGracePeriodSeconds` are immutable. If the object is deleted and
        recreated, every apply is rejected. For `managedFields`, lint reports a warning with client-side apply: each
        apply resets them, and the ownership of other writers is lost. A server-side apply with `managedFields` is
        rejected. """,
    example="""
        # kind: v1 ConfigMap
        # last-applied
        {}
        ---
        # config
        metadata: {resourceVersion: "100"}
        ---
        # live
        metadata: {resourceVersion: "200"}
        """,
    about=BOTH,
    check=rejected_metadata,
)


def ignored_metadata(context: LintContext) -> Iterator[Problem]:
    """Fields in the config that the server ignores, so every apply sends them again."""
    ours, theirs = (fields(fields(one).get("metadata")) for one in (context.config, context.live))
    for name in NEVER_ACCEPTED:
        value, live = ours.get(name), theirs.get(name)
        known = live is not None or name != "generation"  # not all kinds have generations
        if value not in (None, "") and known and not same(value, live):
            yield Problem(("metadata", name), IGNORED)
    status = context.config.get("status")
    if _has_status(context) and _has_content(status) and not covers(fields(context.live).get("status"), status):
        yield Problem(("status",), IGNORED)


def _has_status(context: LintContext) -> bool:
    """True if the kind has a status subresource; for custom resources this is unknown."""
    schema = context.schema
    return schema is not None and schema.built_in and schema.kind is not None and "status" in schema.type.fields


def _has_content(value: Any) -> bool:
    """True if a value is not empty at any depth; generators write `status: {}` and `loadBalancer: {}`."""
    if type(value) is dict:
        return any(map(_has_content, value.values()))
    return value not in (None, "") and value != []


IGNORED_BY_SERVER = LintRule(
    "KM026",
    "ignored-by-server",
    INFO,
    meaning="The config has fields whose values the API server ignores, so every apply reports `configured`.",
    advice="Remove the field from the config.",
    explanation="""
        The config has another `creationTimestamp`, `generation` or `selfLink` than the live object, or another `status`
        in a built-in kind. The API server keeps its own values and ignores those in the config, so every apply reports
        `configured`. The empty `status` and the `creationTimestamp: null` that generators write are not reported.
        """,
    example="""
        # kind: apps/v1 Deployment
        # config
        status: {replicas: 3}
        """,
    check=ignored_metadata,
)

RULES = (UNKNOWN_FIELD, LEAKS_INTO_DATA, SERVER_OWNED_FIELD, IGNORED_BY_SERVER)
