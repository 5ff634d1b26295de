"""What a write does to an object besides what was sent, by the record of its kind, and what the server warns of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .table import find

if TYPE_CHECKING:
    from engine.values.unchecked import Object

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
    change = record.status_updated if subresource in (STATUS, APPROVAL) else record.updated
    return change(content, live) if change else content


def keeps_status(api_version: str, kind: str) -> bool:
    """Whether a new object of the kind keeps the status that was sent."""
    record = find(api_version, kind)
    return record is not None and record.keeps_status


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
