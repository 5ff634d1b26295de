"""The status of a definition after controllers have processed it: accepted names, established."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ...unchecked import as_map, as_text, find_condition
from . import approval
from .names import names_of

if TYPE_CHECKING:
    from .used_names import UsedNames

Raw = dict[str, Any]
WORDS = {
    "plural": "Plural",
    "singular": "Singular",
    "shortNames": "ShortNames",
    "kind": "Kind",
    "listKind": "ListKind",
}
KINDS = ("kind", "listKind")
NEW: Raw = {"acceptedNames": {"kind": "", "plural": ""}, "conditions": None}
"""The initial status of a definition."""
APPROVAL = "KubernetesAPIApprovalPolicyConformant"
REASONS = {
    approval.APPROVED: ("ApprovedAnnotation", "True"),
    approval.BYPASSED: ("UnapprovedAnnotation", "False"),
    approval.MISSING: ("MissingAnnotation", "False"),
    approval.INVALID: ("InvalidAnnotation", "False"),
}


def listed_versions(spec: Raw) -> list[Raw]:
    """Return the versions of a definition. A v1beta1 one may only have one name."""
    found = spec.get("versions")
    if isinstance(found, list) and found:
        return [*map(as_map, found)]
    return [{"name": spec["version"], "served": True, "storage": True}] if spec.get("version") else []


def stored_versions(definition: Raw, before: Raw | None) -> list[str]:
    """Return all versions that objects were ever stored in, with the current storage version."""
    listed = listed_versions(as_map(definition.get("spec")))
    kept = list(as_map((before or {}).get("status")).get("storedVersions") or ())
    now = next((one.get("name") for one in listed if one.get("storage") is True), None)
    return kept if now is None or now in kept else [*kept, as_text(now)]


def with_controller_status(definition: Raw, used: UsedNames, time: str) -> Raw:
    """Return the definition with the conditions and names that the server's controllers set."""
    names = names_of(definition)
    status = as_map(definition.get("status"))
    accepted, problem = _accepted(definition, names, used)
    conditions = [dict(as_map(one)) for one in status.get("conditions") or ()]
    if names != as_map(status.get("acceptedNames")):
        status_word, reason, message = problem or ("True", "NoConflicts", "no conflicts found")
        _note(conditions, "NamesAccepted", status_word, reason, message, time)
        if problem is None:
            said = "the initial names have been accepted"
            if _value(conditions, "Established") != "True":
                _note(conditions, "Established", "True", "InitialNamesAccepted", said, time)
        elif not _value(conditions, "Established"):
            _note(conditions, "Established", "False", "NotAccepted", "not all names are accepted", time)
    if approval.is_protected(as_text(as_map(definition.get("spec")).get("group"))):
        found, why = approval.state(definition)
        reason, word = REASONS[found]
        _note(conditions, APPROVAL, word, reason, why, time)
    return {**definition, "status": {**status, "acceptedNames": accepted, "conditions": conditions}}


def _accepted(definition: Raw, wanted: Raw, used: UsedNames) -> tuple[Raw, tuple[str, str, str] | None]:
    """The accepted names, and the reason why others are not."""
    before = as_map(as_map(definition.get("status")).get("acceptedNames"))
    found = dict(before)
    problem: tuple[str, str, str] | None = None
    for word, called in WORDS.items():
        asked, kept = wanted.get(word), before.get(word)
        listed = asked if isinstance(asked, list) else [asked]
        known = kept if isinstance(kept, list) else [kept]
        clashes = [
            f"{encode(one)} is already in use"
            for one in listed
            if one not in known and used.has(definition, one, is_kind=word in KINDS)
        ]
        if clashes:
            said = clashes[0] if len(clashes) == 1 else f"[{', '.join(clashes)}]"
            problem = ("False", f"{called}Conflict", said)
        elif asked is not None:
            found[word] = asked
        else:
            found.pop(word, None)
    found.pop("categories", None)
    if wanted.get("categories"):
        found["categories"] = wanted["categories"]
    return found, problem


def _value(conditions: list[Raw], kind: str) -> str:
    return as_text(find_condition(conditions, kind).get("status"))


def _note(conditions: list[Raw], kind: str, status: str, reason: str, message: str, time: str) -> None:
    """Set a condition with the time of its last transition."""
    before = find_condition(conditions, kind)
    since = before.get("lastTransitionTime") if before.get("status") == status else time
    now = {"lastTransitionTime": since, "message": message, "reason": reason, "status": status, "type": kind}
    if before:
        conditions[conditions.index(before)] = now
    else:
        conditions.append(now)
