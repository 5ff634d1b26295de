"""Deleting objects: finalizers, grace periods and the marks of a pending deletion."""

from __future__ import annotations

from datetime import timedelta, timezone
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from . import generations
from .identity import ObjectId
from .kinds.builtin_kinds import DEFINITION, NAMESPACE, facts_of
from .unchecked import as_map, as_number, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .protocol import Object
    from .storage.changes import Changes, StoreEvent

POD = ("", "Pod")
ORPHAN, FOREGROUND = "orphan", "foregroundDeletion"
"""The finalizers that select how the garbage collector treats dependents."""
FINALIZER_OF = {"Orphan": ORPHAN, "Foreground": FOREGROUND}
FINISHED = ("Succeeded", "Failed")
TIME = "%Y-%m-%dT%H:%M:%SZ"


class DeleteAdmission(Enum):
    """How admission policies see a deletion: as a request for one object, or for several. An eviction was admitted
    already.
    """

    ONE = "one"
    SEVERAL = "several"
    EVICTION = "eviction"


class DeleteOptions(NamedTuple):
    """The options of a deletion. With None, the kind of the object decides."""

    propagation: str | None = None
    grace: int | None = None


def as_sent(options: DeleteOptions, uid: str | None, resource_version: str | None) -> Object:
    """Return options and preconditions as the fields of DeleteOptions."""
    found: Object = {"propagationPolicy": options.propagation, "gracePeriodSeconds": options.grace}
    preconditions = {"uid": uid, "resourceVersion": resource_version}
    found["preconditions"] = {name: one for name, one in preconditions.items() if one is not None} or None
    return {name: one for name, one in found.items() if one is not None}


def delete(changes: Changes, key: ObjectId, live: Object, options: DeleteOptions) -> Object:
    """Remove the object, or mark it for deletion while something keeps it."""
    for inner in list(_instances(changes, key, live)):
        inside = changes.get(inner)
        if inside is not None:
            delete(changes, inner, inside, DeleteOptions("Background"))
    wanted = _with_finalizers(live, key, options.propagation)
    grace = _grace(key, live, options.grace)
    if is_removable(changes, key, wanted) and not grace:
        changes.remove(key, live)
        return _marked(changes, key, wanted, 0) if key.group_kind == POD else live
    marked = _marked(changes, key, wanted, grace or 0)
    return live if marked == live else changes.save(key, marked, live)


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Remove a terminating CustomResourceDefinition after its last instance is gone."""
    definition = changes.kinds.definition_of(*event.key.group_kind) if event.after is None else None
    if definition is not None:
        key = ObjectId(*DEFINITION, "", definition["metadata"]["name"])
        live = changes.get(key)
        if live is not None and grace_is_over(live) and is_removable(changes, key, live):
            changes.remove(key, live)


def is_removable(changes: Changes, key: ObjectId, content: Object) -> bool:
    """Whether nothing blocks the removal of a deleted object."""
    if content["metadata"].get("finalizers") or _kept_by_its_spec(key, content):
        return False
    return not any(_has_finalizers(changes, inner) for inner in _instances(changes, key, content))


def without_finalizer(changes: Changes, key: ObjectId, live: Object, finalizer: str) -> None:
    """Remove a finalizer as a controller does. Remove the object if nothing else blocks it."""
    kept = [one for one in live["metadata"].get("finalizers") or () if one != finalizer]
    metadata = {name: one for name, one in live["metadata"].items() if name != "finalizers"}
    content = {**live, "metadata": {**metadata, **({"finalizers": kept} if kept else {})}}
    if is_removable(changes, key, content):
        changes.remove(key, live)
    else:
        changes.by_controller(key, live, content)


def grace_is_over(content: Object) -> bool:
    """Whether the grace period of a deleted object is over."""
    return "deletionTimestamp" in content["metadata"] and not content["metadata"].get("deletionGracePeriodSeconds")


def _kept_by_its_spec(key: ObjectId, content: Object) -> bool:
    return key.group_kind == NAMESPACE and bool(as_map(content.get("spec")).get("finalizers"))


def _instances(changes: Changes, key: ObjectId, content: Object) -> Iterator[ObjectId]:
    if key.group_kind != DEFINITION:
        return iter(())
    return changes.store.keys_of(content["spec"]["group"], content["spec"]["names"]["kind"])


def _has_finalizers(changes: Changes, key: ObjectId) -> bool:
    found = changes.get(key)
    return found is not None and bool(found["metadata"].get("finalizers"))


def _with_finalizers(live: Object, key: ObjectId, propagation: str | None) -> Object:
    before = live["metadata"].get("finalizers") or []
    if facts_of(*key.group_kind).never_collected:
        return live
    if propagation is None:
        kept = set(before) & {ORPHAN, FOREGROUND}
        orphans = not kept and facts_of(*key.group_kind).orphans_dependents
        added = [ORPHAN] if orphans else [one for one in (ORPHAN, FOREGROUND) if one in kept]
    else:
        added = [FINALIZER_OF[propagation]] if propagation in FINALIZER_OF else []
    after = [one for one in before if one not in (ORPHAN, FOREGROUND)] + added
    if sorted(after) == sorted(before):
        return live
    metadata = {name: value for name, value in live["metadata"].items() if name != "finalizers"}
    return {**live, "metadata": {**metadata, **({"finalizers": after} if after else {})}}


def _grace(key: ObjectId, live: Object, asked: int | None) -> int:
    if key.group_kind != POD:
        return 0
    spec, phase = as_map(live.get("spec")), as_map(live.get("status")).get("phase")
    given = live["metadata"].get("deletionGracePeriodSeconds") if "deletionTimestamp" in live["metadata"] else None
    if given is not None:
        wanted = given if asked is None else min(given, asked)
    elif not as_text(spec.get("nodeName")) or phase in FINISHED:
        wanted = 0
    else:
        wanted = asked if asked is not None else (as_number(spec.get("terminationGracePeriodSeconds")) or 0)
    return 1 if wanted < 0 else wanted


def _marked(changes: Changes, key: ObjectId, live: Object, grace: int) -> Object:
    found, now = live["metadata"], changes.origins.clock().astimezone(timezone.utc)
    if "deletionTimestamp" in found:
        before = found.get("deletionGracePeriodSeconds") or 0
        if grace >= before:
            return live
        from .decoding.go_times import parsed  # few deletions are repeated

        sooner = parsed(found["deletionTimestamp"]) + timedelta(seconds=grace - before)
        marks = {"deletionTimestamp": max(sooner, now).strftime(TIME), "deletionGracePeriodSeconds": grace}
        return {**live, "metadata": {**found, **marks}}
    marks = {
        "deletionTimestamp": (now + timedelta(seconds=grace)).strftime(TIME),
        "deletionGracePeriodSeconds": grace,
    }
    if key.group_kind == NAMESPACE:
        del marks["deletionGracePeriodSeconds"]  # a namespace has none
    marked = {**live, "metadata": generations.marked_for_deletion({**found, **marks}, *key.group_kind)}
    if key.group_kind == NAMESPACE:
        marked["status"] = {**live.get("status", {}), "phase": "Terminating"}
    return marked
