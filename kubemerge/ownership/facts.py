"""Field owners as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .fields import IDENTITY, INSIDE, PARENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Owner

    from .fields import Owned, OwnedField

_SILENT = (IDENTITY, INSIDE, PARENT)
"""States of fields that are not listed: these cannot be owned, or the fields in or around them are listed."""


def facts(title: str, owned: Owned, fields: Iterable[OwnedField]) -> dict[str, Any]:
    """An object with its managers, and the given ones of its fields."""
    return {
        "object": title,
        "namespace": owned.live["metadata"].get("namespace"),
        "bytes": owned.bytes,
        "managers": [
            {**owner(one), "fields": owned.count(one), "bytes": length}
            for one, length in zip(owned.managers, owned.bytes_of, strict=True)
        ],
        "fields": [
            {
                "path": one.path,
                "state": one.state,
                **({} if one.inside and one.state == "owned" else {"value": one.value}),
                "owners": [owner(it) for it in one.owners],
            }
            for one in fields
            if one.state not in _SILENT
        ],
    }


def owner(one: Owner) -> dict[str, Any]:
    """A manager as JSON data."""
    return {
        "manager": one.manager,
        "operation": one.operation,
        "subresource": one.subresource,
        "apiVersion": one.api_version,
        "time": one.time,
    }
