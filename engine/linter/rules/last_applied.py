"""Last-applied: missing, stale, of another apiVersion, too large, or with secrets in it; and the wrong object."""

from __future__ import annotations

from ...clientside.last_applied import LARGEST, annotated, annotations_of
from ...directives import ANNOTATION
from ...errors import MergeError
from ...paths import render
from ...values.plain import ABSENT
from ..findings import WARNING, Finding
from ..values import covers, fields, is_scalar, is_there
from ..wording import listing
from .equivalents import equivalent
from .owned import REFUSED, TAKEN_FROM_NOBODY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...values.plain import Object
    from ..context import Case
    from ..identities import Keys
    from ..places import Place

WHERE = ("metadata", "annotations", ANNOTATION)
MUCH = LARGEST * 8 // 10
"""Bytes of annotations from which on there is a warning."""
IDENTITY = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
"""The fields that say which object it is."""
NEVER_DRIFT = ((), *IDENTITY, WHERE, *(("metadata", name) for name in (*REFUSED, *TAKEN_FROM_NOBODY)))
"""What nobody changes by hand: the whole object, what says which it is, and what only the server sets."""


def missing(case: Case) -> Iterator[Finding]:
    """KM007: nothing is known of what was applied last."""
    if case.live is not None and case.last is None and not case.unreadable:
        message = "Nothing says what was applied last, so what the config has dropped since stays in live."
        yield Finding("KM007", WHERE, message)


def stale(case: Case) -> Iterator[Finding]:
    """KM008: live no longer has what was applied last."""
    drifted = [place for place in case.places if _has_drifted(place)]
    if drifted and not any(other_version(case)):
        what = listing(render(place.steps) for place in drifted)
        message = (
            f"Live differs from last-applied in {what}: something else wrote there, such as an edit or a rollback, "
            "so apply sets back what the config has and may not know what to clear."
        )
        yield Finding("KM008", WHERE, message)


def _has_drifted(place: Place) -> bool:
    """Whether live has another value than last-applied; where both are maps or keyed lists, their parts tell."""
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
    """Whether live has every element of last-applied, and that unchanged."""
    there = {keys.full(item): item for item in live}
    return all(covers(there.get(keys.full(item), ABSENT), item) for item in last)


def taken_over(case: Case, place: Place) -> Iterator[Finding]:
    """KM023: a field that somebody else has changed since, and that is cleared with its removal from the config."""
    if place.config is not ABSENT or case.merged is None or place.merged is not ABSENT or place.replaced:
        return
    if not (is_scalar(place.last) and is_scalar(place.live)) or place.steps[:1] == ("metadata",):
        return
    if place.steps == ("spec", "replicas"):
        message = "The config drops the number of replicas, so apply clears it, and the server sets it back to 1."
    elif not equivalent(place.rule, place.last, place.live):
        message = "The config drops a field that something else has set since; apply clears it all the same."
    else:
        return
    yield Finding("KM023", place.steps, message)


def other_version(case: Case) -> Iterator[Finding]:
    """KM009: what was applied last is compared field by field, though its fields may be called otherwise."""
    before, now = fields(case.last).get("apiVersion"), case.config.get("apiVersion")
    if type(before) is str and type(now) is str and before != now:
        message = f"Last-applied is {before} and the config {now}: fields that are called otherwise there are cleared."
        yield Finding("KM009", ("apiVersion",), message)


def too_large(case: Case) -> Iterator[Finding]:
    """KM010: the annotations together are near the limit of the API server, or above."""
    size = _size(case)
    if size > LARGEST:
        message = f"The annotations come to {size:,} bytes, and the API server refuses more than {LARGEST:,}."
        yield Finding("KM010", WHERE[:2], message)
    elif size >= MUCH:
        message = f"The annotations come to {size:,} of the {LARGEST:,} bytes that the API server accepts."
        yield Finding("KM010", WHERE[:2], message, severity=WARNING)


def _size(case: Case) -> int:
    """The bytes of all annotations after the apply, keys and values, as the API server counts them."""
    try:
        found: Object = case.merged if case.merged is not None else annotated(case.config)
    except MergeError:
        return 0
    texts = [text for pair in annotations_of(found).items() for text in pair if type(text) is str]
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


def secrets(case: Case) -> Iterator[Finding]:
    """KM011: apply copies the data of a Secret into an annotation."""
    type_ = case.schema.type.name if case.schema else None
    if type_ != "core_v1.Secret" and (
        type_ or (case.config.get("apiVersion"), case.config.get("kind")) != ("v1", "Secret")
    ):
        return
    for field in ("data", "stringData"):
        if fields(case.config.get(field)):
            form = "in plain text" if field == "stringData" else "in base64"
            message = f"Apply copies the secret values {form} into an annotation, which whoever reads metadata can see."
            yield Finding("KM011", (field,), message)


def other_object(case: Case) -> Iterator[Finding]:
    """KM024: the config and live are not the same object."""
    if case.live is None:
        return
    for steps in IDENTITY[1:]:
        ours, theirs = _at(case.config, steps), _at(case.live, steps)
        if type(ours) is str and type(theirs) is str and ours != theirs:
            message = f"The config is {ours!r} and live is {theirs!r}: these are two objects."
            yield Finding("KM024", steps, message)


def _at(document: Object, steps: tuple[str, ...]) -> object:
    value: object = document
    for step in steps:
        value = fields(value).get(step)
    return value


def failure(case: Case) -> Iterator[Finding]:
    """KM021: kubectl would report an error."""
    if case.error is not None:
        which = "This apply fails" if case.first is None else "The next apply of the same config fails"
        yield Finding("KM021", case.error.steps, f"{which}: {case.error.message}.")
