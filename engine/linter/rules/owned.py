"""What only the API server sets, and a config that was copied from a live object has all the same."""

from __future__ import annotations

from ...values.plain import same
from ..findings import WARNING, Finding
from ..values import covers, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..context import Case

STALE = "The config asks for one state of the object: after the next write, that of this apply included, it is refused."
ANEW = "The uid is that of one object; once it is created anew, it has another, and every apply is refused."
DYING = "Only a deletion sets this, so every apply to an object that is not being deleted is refused."
OWNERS = "Every apply sets the record of who owns which field back to this, and what other writers own is forgotten."

REFUSED = {
    "resourceVersion": STALE,
    "uid": ANEW,
    "deletionTimestamp": DYING,
    "deletionGracePeriodSeconds": DYING,
    "managedFields": OWNERS,
}
"""Fields of metadata that make an apply fail, or lose what others have written, and why."""

TAKEN_FROM_NOBODY = ("creationTimestamp", "generation", "selfLink")
"""Fields of metadata that the server leaves as it has them, whatever is sent."""
IGNORED = "Only the API server sets this: what the config says is sent on every apply, and never taken."


def refused(case: Case) -> Iterator[Finding]:
    """KM025: fields of the server in the config, for which it refuses an apply or loses something."""
    ours, theirs = (fields(fields(one).get("metadata")) for one in (case.config, case.live))
    for name, message in REFUSED.items():
        value = ours.get(name)
        if value not in (None, "", 0):
            tolerated = name == "managedFields" or (name != "resourceVersion" and same(value, theirs.get(name)))
            yield Finding("KM025", ("metadata", name), message, severity=WARNING if tolerated else "")


def ignored(case: Case) -> Iterator[Finding]:
    """KM026: fields of the server in the config that it never takes, so that they are sent for ever."""
    ours, theirs = (fields(fields(one).get("metadata")) for one in (case.config, case.live))
    for name in TAKEN_FROM_NOBODY:
        value, there = ours.get(name), theirs.get(name)
        known = there is not None or name != "generation"  # not all kinds count generations
        if value not in (None, "") and known and not same(value, there):
            yield Finding("KM026", ("metadata", name), IGNORED)
    status = case.config.get("status")
    if _has_status(case) and _says(status) and not covers(fields(case.live).get("status"), status):
        yield Finding("KM026", ("status",), IGNORED)


def _has_status(case: Case) -> bool:
    """Whether the status is written apart; of custom resources only their definition knows."""
    schema = case.schema
    return schema is not None and schema.built_in and schema.kind is not None and "status" in schema.type.fields


def _says(value: Any) -> bool:
    """Whether there is anything in a value; generators write `status: {}` and `loadBalancer: {}`."""
    if type(value) is dict:
        return any(map(_says, value.values()))
    return value is not None and value != []
