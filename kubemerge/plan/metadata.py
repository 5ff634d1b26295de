"""Labels, annotations and managedFields of objects from files, which may have any type there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import Owner

if TYPE_CHECKING:
    Object = dict[str, Any]


def texts_of(content: Object, field: str) -> Object:
    """The labels or the annotations of an object; empty if they are no mapping."""
    found = content["metadata"].get(field)
    return found if isinstance(found, dict) else {}


def entries_of(content: Object) -> list[Object]:
    """The entries of managedFields that are mappings."""
    found = content["metadata"].get("managedFields")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def owner_of(entry: Object) -> Owner:
    """The manager of an entry of managedFields, without a path."""
    return Owner(
        *(".", str(entry.get("manager") or ""), str(entry.get("operation"))),
        *(entry.get("subresource") or None, str(entry.get("apiVersion")), entry.get("time")),
    )
