"""Table responses, whose cells kubectl prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...kinds.builtin_kinds import facts_of
from ...printers.cells.shared import aged
from ...printers.printer_columns import columns_for
from ...unchecked import as_map, get_path
from . import partial

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...printers.columns.shared import Column
    from ...protocol import Cluster, Object, Resource

UNNAMED = {("networking.k8s.io", "IPAddress"): (aged(),)}
"""Cells without a column, which servers send by mistake."""
ENDED = {
    "Failed": "The pod failed.",
    "Succeeded": "The pod has completed successfully.",
}
"""The phases of finished Pods, with the condition of their rows."""


def table(
    objects: Iterable[Object],
    metadata: Object,
    resource: Resource,
    cluster: Cluster,
    api_version: str,
    included: str,
    subresource: str = "",
) -> Object:
    """Return the Table of objects, with all columns, including those of `-o wide`.

    `included` is the part of objects in their rows: "Metadata", "Object" or "None". The objects may be those of a
    subresource with columns of its own, which is "scale".
    """
    columns = columns_for(cluster, resource, subresource)
    cells = [*(column.cell for column in columns), *UNNAMED.get((resource.group, resource.kind), ())]
    rows = [
        {
            "cells": [cell(one) for cell in cells],
            **_conditions(one, resource),
            "object": _object(one, api_version, included),
        }
        for one in _ordered(objects, columns, resource)
    ]
    return {
        "kind": "Table",
        "apiVersion": api_version,
        "metadata": metadata,
        "columnDefinitions": [_definition(column) for column in columns],
        "rows": rows,
    }


def _ordered(objects: Iterable[Object], columns: Sequence[Column], resource: Resource) -> Iterable[Object]:
    """The objects in the order of an integer column, then by name, if their kind is listed in this way."""
    by = facts_of(resource.group, resource.kind).listed_by if resource.built_in else ""
    if not by:
        return objects
    cell = next(column.cell for column in columns if column.title == by)
    return sorted(objects, key=lambda one: (cell(one), one["metadata"]["name"]))


def _definition(column: Column) -> Object:
    return {
        "name": column.name,
        "type": column.type,
        "format": column.format,
        "description": column.description,
        "priority": column.priority,
    }


def _conditions(one: Object, resource: Resource) -> Object:
    phase = get_path(one, "status.phase") if (resource.group, resource.kind) == ("", "Pod") else None
    if phase not in ENDED:
        return {}
    said = {"type": "Completed", "status": "True", "reason": phase, "message": ENDED[phase]}
    return {"conditions": [said]}


def _object(one: Object, api_version: str, included: str) -> Any:
    if included == "None" and partial.INITIAL_EVENTS_END not in as_map(get_path(one, "metadata.annotations")):
        return None
    return one if included == "Object" else partial.metadata_of(one, api_version)
