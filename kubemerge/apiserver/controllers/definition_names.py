"""The naming controller of CustomResourceDefinitions, after which their kinds are served."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..crd.definitions.status import with_controller_status
from ..kinds.builtin_kinds import DEFINITION
from ..managed_fields import ManagedFieldsRecorder

if TYPE_CHECKING:
    from ..storage.changes import Changes, StoreEvent

WRITER = "kube-apiserver"


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Set the accepted names and the conditions of a definition."""
    live = event.after
    if event.key.group_kind != DEFINITION or live is None or "deletionTimestamp" in live["metadata"]:
        return
    after = with_controller_status(live, changes.index.used_names(changes.store), changes.origins.now())
    if after["status"] == live.get("status"):
        return
    by = ManagedFieldsRecorder(WRITER, changes.kinds, changes.origins)
    changes.save(event.key, by.updated(live, after, changes.resource(live), "status"), live)
