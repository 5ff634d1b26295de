"""The origin of each field as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.plain import ABSENT

from ..offline.stored_changes import FieldValues
from ..output.secrets import Shown
from ..ownership.facts import owner
from ..ownership.writers import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Owner

    from .fields import BlamedField, BlamedObject
    from .sources import Source


class Values:
    """The values of an object's fields, masked if it is a Secret."""

    def __init__(self, found: BlamedObject, *, secrets: bool) -> None:
        merged = found.merged
        self._shown = Shown(merged.before, merged.after, secrets=secrets)
        self._config = FieldValues(self._shown.other(merged.inputs.config))

    def may_print(self, field: BlamedField) -> bool:
        """Whether the path of a field may be printed."""
        return self._shown.may_print(field.change.steps)

    def of(self, field: BlamedField) -> tuple[Any, Any, Any]:
        """The values in the config, in live, and after the apply. A missing one is None."""
        before, after = self._shown.values(field.change)
        if field.config is ABSENT:
            return None, before, after
        config = self._config.at(field.change.steps) if self._shown.hides else field.config
        return (None if config is ABSENT else config), before, after


def facts(found: BlamedObject, *, secrets: bool = False) -> Iterator[dict[str, Any]]:
    """The fields of an object."""
    values = Values(found, secrets=secrets)
    for field in found.fields:
        if not values.may_print(field):
            continue
        config, before, after = values.of(field)
        yield {
            "object": found.merged.inputs.title,
            "namespace": found.merged.inputs.config["metadata"].get("namespace"),
            "path": field.change.path,
            "action": field.change.action,
            "reason": field.change.reason,
            "config": None if field.config is ABSENT else {"value": config, **_source(field.source)},
            "before": before,
            "after": after,
            "owners": [_owner(one) for one in field.owners],
            "setBy": field.set_by,
            "conflicts": [_owner(one) for one in field.conflicts],
            "default": field.default_of and {"release": field.default_of, "since": field.default_since},
        }


def _owner(one: Owner) -> dict[str, Any]:
    return {**owner(one), "kind": kind_of(one)}


def _source(source: Source | None) -> dict[str, Any]:
    """The lines of a value, and the commit that changed them last."""
    if source is None or source.place is None:
        file = source and source.file
        return {"file": file, "line": None, "lastLine": None, "aliasLine": None, "state": "unknown", "commit": None}
    lines, origin = source.place.lines, source.origin
    state = "committed" if origin is not None else "uncommitted" if source.is_known else "unknown"
    return {
        "file": source.file,
        "line": lines[0],
        "lastLine": lines[-1],
        "aliasLine": source.place.alias,
        "state": state,
        "commit": origin
        and {
            "id": origin.commit.id,
            "author": origin.commit.author,
            "email": origin.commit.email,
            "date": origin.commit.date or None,
            "summary": origin.commit.summary,
            "file": origin.file,
            "line": origin.line,
            "boundary": origin.commit.boundary,
        },
    }
