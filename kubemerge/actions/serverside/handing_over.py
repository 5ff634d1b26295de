"""The handover from client-side to server-side apply, and the requests that kubectl sends for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.clientside.last_applied import annotations_of
from engine.directives import ANNOTATION

from ...apiserver.unchecked import as_map
from .managers import KUBECTL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...cluster import Object


def owners_of_annotation(live: Object, operation: str) -> Iterator[str]:
    """The managers that own the annotation of client-side apply by this operation."""
    for entry in live["metadata"].get("managedFields") or ():
        annotations = as_map(as_map(as_map(entry.get("fieldsV1")).get("f:metadata")).get("f:annotations"))
        if entry.get("operation") == operation and f"f:{ANNOTATION}" in annotations:
            yield entry.get("manager") or ""


def annotation_to_keep(live: Object, manager: str) -> Object | None:
    """The config with which kubectl applies the annotation as its keeper.

    None if kubectl sends none, or if a manager has already applied the annotation.
    """
    text = annotations_of(live).get(ANNOTATION)
    if manager != KUBECTL or text is None or any(owners_of_annotation(live, "Apply")):
        return None
    names = {name: live["metadata"][name] for name in ("name", "namespace") if name in live["metadata"]}
    return {
        "apiVersion": live["apiVersion"],
        "kind": live["kind"],
        "metadata": {**names, "annotations": {ANNOTATION: text}},
    }


def replacing_entries(live: Object, entries: Any) -> list[Object]:
    """The JSON patch that replaces managedFields, unless the object has changed since it was read.

    Without a resourceVersion in the live object, changes go unnoticed.
    """
    operations: list[Object] = [{"op": "replace", "path": "/metadata/managedFields", "value": entries}]
    version = live["metadata"].get("resourceVersion")
    if version is not None:
        operations.append({"op": "replace", "path": "/metadata/resourceVersion", "value": version})
    return operations
