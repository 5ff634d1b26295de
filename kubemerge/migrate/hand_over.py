"""Handing fields over between managers, with the steps of tools and of `--write`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import FieldSet, server_side_apply, upgrade_managed_fields
from engine.clientside.last_applied import without_last_applied
from engine.serverside.managers import APPLY, UPDATE
from engine.serverside.write_steps import with_managed_fields
from engine.values.plain import copied

from ..actions.serverside.handing_over import annotation_to_keep, owners_of_annotation, replacing_entries
from ..actions.serverside.managers import LAST_APPLIED
from .tools import BEFORE_FIRST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Schema

    from .tools import FormerWriter, Tool

    Object = dict[str, Any]


def entries_of(live: Object) -> list[Object]:
    """The managedFields of an object."""
    found = live["metadata"].get("managedFields")
    return found if isinstance(found, list) else []


def with_fields_taken_before(live: Object, tool: Tool, manager: str) -> Object:
    """The object with the fields that the tool takes over before its first server-side apply."""
    if tool.drops_annotation:
        live = without_last_applied(live)
        return with_entries_merged(live, [*tool.takes], manager)
    if not tool.takes:
        return live
    names = {manager if writer.name == tool.manager else writer.name for writer in tool.takes}
    return upgrade_managed_fields(live, names, manager)


def with_fields_taken_after(live: Object, manager: str) -> Object:
    """The object with the fields that kubectl takes over after a server-side apply: the annotation writer's."""
    writers = {*owners_of_annotation(live, UPDATE)}
    return upgrade_managed_fields(live, writers, manager) if writers else live


def keeping_annotation(live: Object, schema: Schema | None, manager: str, time: str | None) -> Object:
    """The object with the annotation of client-side apply owned by its keeper, as kubectl does for its own manager."""
    config = annotation_to_keep(live, manager)
    if config is None:
        return live
    return server_side_apply(config, live, schema, manager=LAST_APPLIED, time=time).merged


def with_entries_merged(
    live: Object, former: Sequence[FormerWriter], manager: str, wanted: FieldSet | None = None
) -> Object:
    """The object with all entries of former writers merged into the manager's entry.

    The entry `before-first-apply` owns the fields of all earlier writers. Only its `wanted` fields are handed over.
    """
    entries = [copied(entry) for entry in entries_of(live)]
    target = next((one for one in entries if _is_apply_entry(one, manager)), None)
    left: list[Object] = []
    for entry in entries:
        if entry is target or not any(writer.owns(entry) for writer in former):
            left.append(entry)
            continue
        mine = FieldSet.parse(entry.get("fieldsV1"))
        if wanted is not None and BEFORE_FIRST.owns(entry):
            rest = mine.difference(wanted)
            if rest:
                left.append({**entry, "fieldsV1": rest.to_fields_v1()})
            mine = mine.intersection(wanted)
        if target is None:
            target = {**entry, "manager": manager, "operation": APPLY}
            left.append(target)
        else:
            mine = mine.union(FieldSet.parse(target.get("fieldsV1")))
        target["fieldsV1"] = mine.to_fields_v1()
    return with_managed_fields(live, left)


def _is_apply_entry(entry: Object, manager: str) -> bool:
    return entry.get("manager") == manager and entry.get("operation") == APPLY and not entry.get("subresource")


def patch_of(before: Object, after: Object) -> list[Object]:
    """The JSON patch that hands the fields over in a cluster if the object is unchanged; empty if not needed."""
    if entries_of(before) == entries_of(after):
        return []
    return replacing_entries(before, entries_of(after))
