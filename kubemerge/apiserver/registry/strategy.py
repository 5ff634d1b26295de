"""What a write does to an object besides what was sent, by the record of its kind, and what the server warns of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import a_map
from .table import find

if TYPE_CHECKING:
    from ..unchecked import Object
    from .record import Part

STATUS = "status"
APPROVAL = "approval"
"""By which a request for a certificate is decided: a write of its status, but for the conditions that say so."""


def prepared(content: Object, live: Object | None, subresource: str | None = None) -> Object:
    """The object as it is checked and stored; `live` is the one that it replaces, or None at creation."""
    record = find(content.get("apiVersion"), content.get("kind"))
    if record is None:
        return content
    if live is None:
        return record.created(content) if record.created else content
    if part := record.parts.get(subresource or ""):
        content = part.written(content, live)
    change = record.status_updated if subresource in (STATUS, APPROVAL) else record.updated
    return change(content, live) if change else content


def part_of(api_version: str, kind: str, subresource: str | None) -> Part | None:
    """A subresource through which fields of the object itself are written; None for any other."""
    record = find(api_version, kind) if subresource else None
    return record.parts.get(subresource or "") if record else None


def keeps_status(api_version: str, kind: str) -> bool:
    """Whether a new object of the kind keeps the status that was sent."""
    record = find(api_version, kind)
    return record is not None and record.keeps_status


CLAIM = ("", "PersistentVolumeClaim")
"""The kind of which a server stores new objects without the phase, which it fills in whenever it reads one."""


def as_made(content: Object) -> Object:
    """A new claim as a server stores it."""
    return {**content, "status": {}}


def is_as_made(stored: Object) -> bool:
    """Whether a stored object is not as it is read, so that any write changes it, if only in that."""
    is_claim = stored["kind"] == CLAIM[1] and stored["apiVersion"] == "v1"
    return is_claim and not a_map(stored.get("status")).get("phase")


def as_read(stored: Object) -> Object:
    """The object with what a server fills in when it reads it."""
    if not is_as_made(stored):
        return stored
    return {**stored, "status": {"phase": "Pending", **a_map(stored.get("status"))}}


def storage_version(api_version: str, kind: str) -> str | None:
    """The apiVersion in which a server stores a kind whose versions have other fields; None for all others."""
    record = find(api_version, kind)
    return record.versions[0] if record is not None and record.converted is not None else None


def in_version(content: Object, api_version: str) -> Object:
    """The object as another apiVersion of its kind shows it."""
    if content.get("apiVersion") == api_version:
        return content
    record = find(api_version, content.get("kind"))
    if record is not None and record.converted is not None:
        return record.converted(content, api_version)
    return {**content, "apiVersion": api_version}


def warnings(content: Object, live: Object | None) -> list[str]:
    """What the server warns of, although it takes the object."""
    record = find(content.get("apiVersion"), content.get("kind"))
    return [] if record is None or record.warnings is None else list(record.warnings(content, live or {}))
