"""The quota controller: sets the status of a ResourceQuota, and releases the usage of deleted and changed objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kinds.builtin_kinds import DEFINITION
from ..unchecked import as_map, get_path
from .bootstrap import DEFAULT_OBJECTS
from .names import RESOURCE_QUOTA

if TYPE_CHECKING:
    from ..identity import ObjectId
    from ..storage.changes import Changes, StoreEvent

QUOTA = ("", "ResourceQuota")


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Update the quotas that a change concerns."""
    key = event.key
    if RESOURCE_QUOTA not in changes.controllers:
        return
    if key.group_kind == QUOTA and _is_new(event):
        _update(changes, key)
    elif key.group_kind == DEFINITION:
        _update_all(changes)
    elif key.namespace and key.namespace in changes.index.quotas(changes.store):
        _released(changes, event)


def _is_new(event: StoreEvent) -> bool:
    """Whether a quota is created, or gets other limits."""
    if event.after is None:
        return False
    before, after = (as_map(get_path(one, "spec.hard")) for one in (event.before, event.after))
    return event.before is None or before != after


def _update(changes: Changes, key: ObjectId) -> None:
    from ..quota.status import update_status  # most clusters have no quotas

    live = changes.get(key)
    if live is not None:
        update_status(changes, live)


def _update_all(changes: Changes) -> None:
    """Count again: a quota may limit the number of objects of a kind that is defined now."""
    for namespace in list(changes.index.quotas(changes.store)):
        for key in list(changes.store.keys_of(*QUOTA, namespace)):
            _update(changes, key)


def _released(changes: Changes, event: StoreEvent) -> None:
    if event.before is None and event.key.name not in DEFAULT_OBJECTS:
        return  # the request that created the object charged it
    from ..quota.release import release  # most clusters have no quotas

    release(changes, event)
