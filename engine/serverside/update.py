"""managedFields after a create, replace or patch."""

from __future__ import annotations

from .. import aliases
from ..errors import MergeError, NotAnObject
from ..tables.behaviour import CLEARS_MANAGERS
from ..tables.schema import Schema
from ..values.guard import run
from ..values.plain import copied
from . import field_managers, managers
from .field_managers import Writer
from .fields.field_set import FieldSet
from .fields.reset_fields import reset_fields as reset_by
from .fields.reset_fields import reset_values, restore_reset_fields
from .typed.zero_values import without_nulls
from .write_steps import finish, in_version, updater_for, with_managed_fields, without_managed_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..values.plain import Object
    from .managers import Managed
    from .updater import Updater


def record_update(
    before: aliases.Object | None,
    after: aliases.Object,
    schema: Schema | None,
    *,
    manager: str,
    subresource: str | None = None,
    time: str | None = None,
    reset_fields: FieldSet | None = None,
    scaled_by: str = "spec.replicas",
    convert: aliases.Converter | None = None,
) -> aliases.Object:
    """The object that a create (`before` is None), replace or patch stores: `after` with metadata.managedFields.

    The manager becomes the only owner of changed fields. An existing object without managedFields is not tracked. If
    the fields cannot be identified by their types, managedFields stay unchanged. Before 1.37, they are removed.

    `subresource` is "status", "scale" (then only its spec.replicas counts) or another one. `reset_fields` are the
    fields that this write cannot change, by default those of the kind. `scaled_by` is the path of the kind's replicas.
    `convert` converts an object to another apiVersion, for managers that wrote in that version. Without it, all
    apiVersions are assumed to have the same fields.
    """
    if not isinstance(after, dict):
        raise NotAnObject("object after the write", after)
    writer = Writer(manager, subresource, managers.to_utc(time) or managers.now() if time else managers.now())
    if subresource == "scale":
        from .scale import Scaling, record_scale

        return record_scale(before, after, Scaling(schema, scaled_by), writer)
    reset = reset_by(schema, subresource) if reset_fields is None else reset_fields.tree

    def work(after: Object, before: Object | None = None) -> Object:
        version = str(after.get("apiVersion") or (schema.api_version if schema else "") or "")
        updater = updater_for(schema, version, reset, subresource, convert)
        return _record(updater, before, after, writer)

    return run(work, after=after) if before is None else run(work, after=after, before=before)


def managed_fields_after(
    before: Object | None,
    after: Object,
    schema: Schema,
    *,
    manager: str,
    subresource: str | None,
    time: str,
    reset_fields: FieldSet | None = None,
    convert: aliases.Converter | None = None,
) -> aliases.Any:
    """Only the managedFields that `record_update` gives to `after`, for callers that need no copy of the object.

    All documents are plain. The time is the time of the write, even if the write changes nothing.
    """
    writer = Writer(manager, subresource, time)
    reset = reset_by(schema, subresource) if reset_fields is None else reset_fields.tree

    def work(after: Object, before: Object | None = None) -> aliases.Any:
        updater = updater_for(schema, str(after["apiVersion"]), reset, subresource, convert)
        managed = _of_new(updater, before, after, writer)
        if managed is not None:
            return managers.encode_entries(managed)
        live, new = _comparable(updater, before, after)
        try:
            return managers.encode_entries(
                field_managers.update(
                    updater, without_managed_fields(live), new, _initial_managers(live, after, writer), writer
                )
            )
        except MergeError:
            return None if CLEARS_MANAGERS in updater.behaviour else copied(managers.managed_fields_of(live))

    return run(work, after=after) if before is None else run(work, after=after, before=before)


def _of_new(updater: Updater, before: Object | None, after: Object, writer: Writer) -> Managed | None:
    """The managers of an ordinary new object. None: they take more steps."""
    if before is not None or managers.managed_fields_of(after) is not None:
        return None
    return field_managers.create(updater, after, writer)


def _record(updater: Updater, before: Object | None, after: Object, writer: Writer) -> Object:
    managed = _of_new(updater, before, after, writer)
    if managed is not None:
        return finish(without_managed_fields(after), managed, before, updater)
    live, new = _comparable(updater, before, after)
    if before is not None:
        before = live
    try:
        managed = field_managers.update(
            updater, without_managed_fields(live), new, _initial_managers(live, after, writer), writer
        )
    except MergeError:
        entries = None if CLEARS_MANAGERS in updater.behaviour else managers.managed_fields_of(live)
        new = restore_reset_fields(
            new, None if before is None else without_managed_fields(before), reset_values(updater.reset)
        )
        return with_managed_fields(copied(new), copied(entries) if type(entries) is list else [])
    return finish(new, managed, before, updater)


def _comparable(updater: Updater, before: Object | None, after: Object) -> tuple[Object, Object]:
    """The objects to compare: the old object, or the kind's empty object, and the new one, without managedFields."""
    new = without_managed_fields(after)
    if before is None:
        live = field_managers.empty_of(after, updater)
    else:
        live = in_version(without_nulls(before, updater.atom) if updater.typed else before, updater)
    return live, without_nulls(new, updater.atom) if updater.typed else new


def _initial_managers(live: Object, after: Object, writer: Writer) -> Managed:
    """The managers before the write: those in the request, or if there are none, those of the live object.

    A request with an empty list, or with one empty entry, resets them.
    """
    requested = None if writer.subresource else managers.managed_fields_of(after)
    if requested in ([], [{}]):
        return {}
    managed = _parse_or_empty(requested)
    return managed or _parse_or_empty(managers.managed_fields_of(live))


def _parse_or_empty(entries: object) -> Managed:
    """The managers of the entries. Empty if they cannot be parsed."""
    try:
        return managers.parse_entries(entries)
    except MergeError:
        return {}
