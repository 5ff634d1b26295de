"""Objects before and after a write: apiVersions, managedFields and reset fields."""

from __future__ import annotations

from ..tables.behaviour import NEWEST, TIMES_BY_FIELDS, TIMES_CUSTOM_RESOURCES
from ..values.plain import copied
from . import managers
from .fields.reset_fields import reset_values, restore_reset_fields
from .typed.compare import equal
from .typed.schema import atom_of, versions_of
from .updater import Updater

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..aliases import Converter
    from ..tables.behaviour import Behaviour
    from ..tables.schema import Schema
    from ..values.plain import Object
    from .fields.trees import Tree
    from .managers import Managed


def is_typed(schema: Schema | None) -> bool:
    """True if the API server stores objects of the kind as Go types, which have no nulls."""
    return schema is not None and schema.built_in


def updater_for(
    schema: Schema | None, version: str, reset: Tree, subresource: str | None, convert: Converter | None = None
) -> Updater:
    """The updater for a write in an apiVersion to an object of a kind."""
    typed = is_typed(schema)
    # As in the reference: for the main resource of a custom resource, the status is reset only in the apiVersion of the
    # write.
    alike = typed or bool(subresource)
    return Updater(
        atom_of(schema),
        version,
        reset,
        typed=typed,
        served=versions_of(schema),
        alike=alike,
        convert=convert,
        behaviour=behaviour_for(schema),
    )


def behaviour_for(schema: Schema | None) -> Behaviour:
    """The differences of a schema's release from the newest one."""
    return NEWEST if schema is None else schema.types.behaviour


def without_managed_fields(document: Object) -> Object:
    """An object without its managedFields; comparisons ignore them."""
    metadata = document.get("metadata")
    if type(metadata) is not dict or "managedFields" not in metadata:
        return document
    return {
        **document,
        "metadata": {key: value for key, value in metadata.items() if key != "managedFields"},
    }


def in_version(document: Object, updater: Updater) -> Object:
    """An object in the apiVersion of the write. Without a converter, versions are assumed to have the same fields."""
    if document.get("apiVersion") == updater.version:
        return document
    if updater.convert is not None and "apiVersion" in document:
        return updater.convert(document, updater.version)
    return {**document, "apiVersion": updater.version}


def finish(stored: Object, managed: Managed, before: Object | None, updater: Updater) -> Object:
    """The object to store, a copy: with its managers, and with reset fields restored."""
    if updater.reset:
        stored = restore_reset_fields(
            stored, None if before is None else without_managed_fields(before), reset_values(updater.reset)
        )
    entries = managers.encode_entries(managed)
    if before is not None and keeps_times(updater.behaviour, typed=updater.typed):
        entries = keep_times(
            entries, managers.managed_fields_of(before), lambda: equal(stored, without_managed_fields(before))
        )
    return with_managed_fields(copied(stored), entries)


def with_managed_fields(document: Object, entries: list[Any]) -> Object:
    """An object with these managedFields; the field is left out if empty."""
    document = without_managed_fields(document)
    metadata = document.get("metadata") or {}
    if not entries or type(metadata) is not dict:
        return document
    return {**document, "metadata": {**metadata, "managedFields": entries}}


def keeps_times(behaviour: Behaviour, *, typed: bool) -> bool:
    """True if a write that changes nothing but times changes no time either. `typed`: the kind is built in."""
    return TIMES_BY_FIELDS not in behaviour and (typed or TIMES_CUSTOM_RESOURCES not in behaviour)


def keep_times(entries: list[Any], before: Any, unchanged: Any) -> list[Any]:
    """The entries with their old times, if only times changed in the object."""
    if type(before) is not list or len(entries) != len(before) or entries == before:
        return entries
    old = [*managers.parse_entries(before).values()]
    if len(old) != len(before):
        return entries
    timeless = managers.without_time
    if [timeless(one) for one in entries] != [timeless(managers.encode_entry(one)) for one in old] or not unchanged():
        return entries
    return [managers.with_time(entry, one.time) for entry, one in zip(entries, old, strict=True)]
