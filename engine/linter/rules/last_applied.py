"""Problems with last-applied: missing, stale, of another apiVersion, or with fields that others have taken over."""

from __future__ import annotations

from ...clientside.last_applied import read_last_applied
from ...directives import ANNOTATION
from ...errors import BadAnnotation
from ...paths import render
from ...values.plain import ABSENT
from ...values.secrets import data_of
from ..findings import WARNING
from ..rule import BOTH, LintRule, Problem
from ..values import covers, fields, is_scalar, is_there
from ..wording import listing
from .equivalents import equivalent
from .owners import REPLICAS, autoscaled
from .unwanted_fields import NEVER_ACCEPTED, REFUSED
from .whole_object import IDENTITY, is_a_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...tables.identity import Keys
    from ..context import LintContext
    from ..field_values import FieldValues

WHERE = ("metadata", "annotations", ANNOTATION)
NEVER_DRIFT = (
    (),
    ("apiVersion",),
    *IDENTITY,
    WHERE,
    *(("metadata", name) for name in (*REFUSED, *NEVER_ACCEPTED)),
)
"""Paths that count as unchanged: the object itself, its identity, and fields that only the server sets."""


def missing_last_applied(context: LintContext) -> Iterator[Problem]:
    """A live object without last-applied."""
    if context.live is not None and context.last is None and not context.unreadable:
        message = (
            "The live object does not record the last applied config, so fields that the config no longer has remain."
        )
        yield Problem(WHERE, message)


LAST_APPLIED_MISSING = LintRule(
    "KM007",
    "last-applied-missing",
    WARNING,
    meaning="The live object does not record the last applied config, so fields removed from the config remain.",
    advice="Run `kubectl apply set-last-applied` with the config that created the live object, then apply.",
    explanation="""
        The live object has no last-applied-configuration annotation, because it was not created by `kubectl apply`.
        Fields that were removed from the config remain in the live object.
        """,
    example="""
        # kind: v1 ConfigMap
        # config
        data: {a: "1"}
        ---
        # live
        data: {a: "1", dropped: "2"}
        """,
    needs_live=True,
    check=missing_last_applied,
)


def stale_last_applied(context: LintContext) -> Iterator[Problem]:
    """A live object that differs from last-applied."""
    scaled = REPLICAS if any(autoscaled(context)) else None  # which has a finding of its own
    drifted = [place for place in context.places if _has_drifted(place) and place.steps != scaled]
    if drifted and not any(other_version(context)):
        what = listing(render(place.steps) for place in drifted)
        message = (
            f"The live object differs from the last applied config in {what}. It was changed since, for "
            "example by an edit or a rollback. Apply restores the values in the config, but possibly keeps "
            "other changed fields."
        )
        yield Problem(WHERE, message)


def _has_drifted(place: FieldValues) -> bool:
    """True if live differs from last-applied here; maps and keyed lists are checked by their parts."""
    last, live = place.last, place.live
    if not is_there(last) or place.steps in NEVER_DRIFT or place.steps[:1] == ("stringData",):
        return False
    if live is ABSENT:
        return bool(last) and place.parent is not None and place.parent.live is not ABSENT and place.steps != WHERE[:2]
    if type(last) is dict and type(live) is dict:
        return place.config is ABSENT and not covers(live, last)
    if type(last) is list and type(live) is list:
        if place.keys is None:
            return not covers(live, last)
        return type(place.config) is not list and not _has_all(place.keys, live, last)
    return not equivalent(place.rule, last, live) and last != ""


def _has_all(keys: Keys, live: list[Any], last: list[Any]) -> bool:
    """True if live has every element of last-applied, unchanged."""
    by_identity = {keys.full(item): item for item in live}
    return all(covers(by_identity.get(keys.full(item), ABSENT), item) for item in last)


LAST_APPLIED_STALE = LintRule(
    "KM008",
    "last-applied-stale",
    WARNING,
    meaning="The live object differs from the last applied config because of another writer.",
    advice="Compare the live object with the config before applying. Set unwanted fields to null in the config.",
    explanation="""
        The live object was edited, scaled by an autoscaler, or rolled back with `kubectl rollout undo`, which does not
        restore the annotation. Apply restores the values in the config. Fields of the restored state remain if they are
        neither in the config nor in the last applied config.
        """,
    example="""
        # kind: apps/v1 Deployment
        # last-applied
        spec: {replicas: 2}
        ---
        # config
        spec: {replicas: 2}
        ---
        # live
        spec: {replicas: 5}
        """,
    needs_live=True,
    check=stale_last_applied,
)


def other_version(context: LintContext) -> Iterator[Problem]:
    """Last-applied of another apiVersion, in which fields may have other paths."""
    before, now = fields(context.last).get("apiVersion"), context.config.get("apiVersion")
    if type(before) is str and type(now) is str and before != now:
        message = (
            f"The last applied config is {before} and the config is {now}. If the config drops "
            f"a field that was renamed or moved since {before}, the field remains in the live object."
        )
        yield Problem(("apiVersion",), message)


LAST_APPLIED_OTHER_VERSION = LintRule(
    "KM009",
    "last-applied-other-version",
    WARNING,
    meaning="The last applied config has another apiVersion, so apply may not clear renamed and moved fields.",
    advice="Apply the previous config with the new apiVersion once before any other change.",
    explanation="""
        Apply compares the config field by field with the last applied config, which has another apiVersion. Some fields
        are renamed or moved between versions. If the config drops such a field, apply clears the old path, which has no
        effect in the new version. The value remains in the live object at its new path.
        """,
    example="""
        # kind: apps/v1 Deployment
        # last-applied
        apiVersion: extensions/v1beta1
        spec: {replicas: 1}
        ---
        # config
        spec: {replicas: 1}
        ---
        # live
        spec: {replicas: 1}
        """,
    needs_live=True,
    check=other_version,
)


def taken_over(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A field that another writer has changed, and that apply clears because the config drops it."""
    if place.config is not ABSENT or context.merged is None or place.merged is not ABSENT or place.replaced:
        return
    if not (is_scalar(place.last) and is_scalar(place.live)) or place.steps[:1] == ("metadata",):
        return
    if place.steps == ("spec", "replicas"):
        message = (
            "The config no longer has the number of replicas, so apply clears it and the API server defaults it to 1."
        )
    elif not equivalent(place.rule, place.last, place.live):
        message = "The config no longer has this field. Apply clears it although another writer has changed it since."
    else:
        return
    yield Problem(place.steps, message)


TAKEN_OVER_CLEARED = LintRule(
    "KM023",
    "taken-over-cleared",
    WARNING,
    meaning="Apply clears a field that was removed from the config, although another writer has changed it since.",
    advice=("Remove the field with `kubectl apply edit-last-applied` before removing it from the config."),
    explanation="""
        The field was removed from the config, usually to leave it to another writer. It is still in the last applied
        config, so apply clears it. A Deployment whose `replicas` are handed over to an autoscaler in this way is scaled
        to one Pod. `spec.replicas` is always reported, and any other field only if its live value differs from the
        last applied one.
        """,
    example="""
        # kind: apps/v1 Deployment
        # last-applied
        spec: {replicas: 2, paused: true}
        ---
        # config
        spec: {paused: true}
        ---
        # live
        spec: {replicas: 2, paused: true}
        ---
        # result
        spec: {paused: true}
        """,
    needs_live=True,
    check_place=taken_over,
)


def former_secrets(context: LintContext) -> Iterator[Problem]:
    """Values of a Secret that stay in the annotation although the Secret has other ones now."""
    if not is_a_secret(context) or context.merged is None:
        return
    try:
        kept = read_last_applied(context.merged)
    except BadAnnotation:
        return
    data = fields(context.merged.get("data"))
    names = [name for name, value in data_of(fields(kept)).items() if data.get(name) != value]
    if names:
        message = (
            f"After this apply, the last-applied annotation still contains a value of {listing(names)} that "
            "differs from the Secret, such as the value before a rotation."
        )
        yield Problem(WHERE, message)


FORMER_SECRET = LintRule(
    "KM033",
    "former-secret-in-last-applied",
    WARNING,
    meaning="The last-applied annotation keeps a former value of the Secret, and no apply removes it.",
    advice="Remove the annotation with "
    "`kubectl annotate secret NAME kubectl.kubernetes.io/last-applied-configuration-`.",
    explanation="""
        The Secret was once applied client-side, so its values are in the annotation. Updates, and server-side applies
        by managers other than kubectl, change the values but not the annotation. After a rotation, the annotation still
        has the former values. Tools that mask `data` may print them unmasked.
        """,
    example="""
        # kind: v1 Secret
        # server-side: argocd-controller
        # config
        data: {password: bmV3}
        ---
        # live
        metadata:
          annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"data": {"password": "b2xk"}}'}
        data: {password: bmV3}
        ---
        # result
        data: {password: bmV3}
        """,
    about=BOTH,
    needs_live=True,
    check=former_secrets,
)

RULES = (FORMER_SECRET, LAST_APPLIED_MISSING, LAST_APPLIED_STALE, LAST_APPLIED_OTHER_VERSION, TAKEN_OVER_CLEARED)
