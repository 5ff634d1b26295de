"""Metadata-only objects, and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...protocol import Object

INITIAL_EVENTS_END = "k8s.io/initial-events-end"
"""The annotation of a bookmark that must reach clients."""


def metadata_of(one: Object, api_version: str) -> Object:
    """Return a PartialObjectMetadata of an object."""
    return {"kind": "PartialObjectMetadata", "apiVersion": api_version, "metadata": one.get("metadata") or {}}


def list_of(items: list[Any], api_version: str, kind: str, metadata: Object) -> Object:
    """Return a list with its metadata."""
    return {"kind": kind, "apiVersion": api_version, "metadata": metadata, "items": items}
