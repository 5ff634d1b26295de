"""Objects as a Table, of which kubectl prints the cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...printers.printer_columns import columns_for
from . import partial

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...cluster import Cluster, Object, Resource
    from ...printers.columns.shared import Column


def table(
    objects: Iterable[Object], metadata: Object, resource: Resource, cluster: Cluster, api_version: str, included: str
) -> Object:
    """The Table of objects; all columns are in it, those for `-o wide` too.

    `included` is what the rows have of their objects: "Metadata", "Object" or "None".
    """
    columns = columns_for(cluster, resource)
    rows = [
        {"cells": [column.cell(one) for column in columns], "object": _object(one, api_version, included)}
        for one in objects
    ]
    return {
        "kind": "Table",
        "apiVersion": api_version,
        "metadata": metadata,
        "columnDefinitions": [_definition(column) for column in columns],
        "rows": rows,
    }


def _definition(column: Column) -> Object:
    return {
        "name": column.title,
        "type": "string",
        "format": "name" if column.title == "NAME" else "",
        "description": "",
        "priority": 1 if column.wide else 0,
    }


def _object(one: Object, api_version: str, included: str) -> Any:
    if included == "None":
        return None
    return one if included == "Object" else partial.metadata_of(one, api_version)
