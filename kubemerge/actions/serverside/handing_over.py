"""What kubectl hands over from client-side to server-side apply, and what it sends for that."""

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
    """The config by which kubectl applies the annotation as its keeper; None if it does not, or somebody applied it."""
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
    """The JSON patch that replaces managedFields, if nobody has written to the object since, as far as live says."""
    operations: list[Object] = [{"op": "replace", "path": "/metadata/managedFields", "value": entries}]
    version = live["metadata"].get("resourceVersion")
    if version is not None:
        operations.append({"op": "replace", "path": "/metadata/resourceVersion", "value": version})
    return operations
