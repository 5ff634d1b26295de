"""What a create, a replace or a patch stores: the object with managedFields as the API server books the write."""

from __future__ import annotations

from .. import aliases
from ..errors import MergeError, NotAnObject
from ..tables.schema import Schema
from ..values.guard import run
from ..values.plain import copied
from . import chain, managers
from .chain import Writer
from .fields.field_set import FieldSet
from .fields.reset import reset_fields as reset_by
from .fields.reset import restored
from .stored import bare, finished, in_version, is_typed, with_entries
from .typed.nulls import without_nulls
from .typed.shapes import shape_of
from .updater import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..values.plain import Object
    from .managers import Managed


def record_update(
    before: aliases.Object | None,
    after: aliases.Object,
    schema: Schema | None,
    *,
    manager: str,
    subresource: str | None = None,
    time: str | None = None,
    reset_fields: FieldSet | None = None,
) -> aliases.Object:
    """What a create (`before` is None), a replace or a patch stores: `after` with metadata.managedFields.

    The manager owns what changed, and nobody else does any more. An object that exists and has no managedFields is
    not tracked. If the fields cannot be told apart by their types, managedFields stay as they were.

    For a kind of Kubernetes itself, a create is exact if `before` is the empty object of the kind, without a uid,
    with the fields that a server prints even if they are empty.

    `subresource` is "status", "scale" (only spec.replicas counts then) or another one. `reset_fields` are the fields
    that this write cannot change; by default those of the kind.
    """
    if not isinstance(after, dict):
        raise NotAnObject("object after the write", after)
    writer = Writer(manager, subresource, managers.utc(time) or managers.now() if time else managers.now())
    if subresource == "scale":
        from .scale import record_scale

        return record_scale(before, after, schema, writer)
    reset = reset_by(schema, subresource) if reset_fields is None else reset_fields.tree

    def work(after: Object, before: Object | None = None) -> Object:
        version = str(after.get("apiVersion") or (schema.api_version if schema else "") or "")
        writing = Writing(shape_of(schema), version, reset, typed=is_typed(schema))
        return _booked(writing, before, after, writer)

    return run(work, after=after) if before is None else run(work, after=after, before=before)


def managed_fields_after(
    before: Object, after: Object, schema: Schema, *, manager: str, subresource: str | None, time: str
) -> aliases.Any:
    """The managedFields alone that `record_update` gives to `after`, for who stores objects and needs no copy of them.

    All documents are plain. The time is that of the write, even if the write changes nothing.
    """
    writer = Writer(manager, subresource, time)

    def work(after: Object, before: Object) -> aliases.Any:
        writing = Writing(
            shape_of(schema), str(after["apiVersion"]), reset_by(schema, subresource), typed=is_typed(schema)
        )
        live = in_version(without_nulls(before) if writing.typed else before, writing)
        new = without_nulls(bare(after)) if writing.typed else bare(after)
        try:
            return managers.written(chain.update(writing, bare(live), new, _given(live, after, writer), writer))
        except MergeError:
            return copied(managers.of_object(before))

    return run(work, after=after, before=before)


def _booked(writing: Writing, before: Object | None, after: Object, writer: Writer) -> Object:
    if before is None:
        live: Object = {name: after[name] for name in ("apiVersion", "kind") if name in after}
    else:
        live = before = in_version(without_nulls(before) if writing.typed else before, writing)
    new = without_nulls(bare(after)) if writing.typed else bare(after)
    try:
        managed = chain.update(writing, bare(live), new, _given(live, after, writer), writer)
    except MergeError:
        entries = managers.of_object(live)
        new = restored(new, None if before is None else bare(before), writing.reset)
        return with_entries(copied(new), copied(entries) if type(entries) is list else [])
    return finished(new, managed, before, writing)


def _given(live: Object, after: Object, writer: Writer) -> Managed:
    """The managers that the write starts from: those that it brings along, else those of the live object."""
    brought = None if writer.subresource else managers.of_object(after)
    if brought in ([], [{}]):
        return {}
    managed = _readable(brought)
    return managed or _readable(managers.of_object(live))


def _readable(entries: object) -> Managed:
    try:
        return managers.read(entries)
    except MergeError:
        return {}
