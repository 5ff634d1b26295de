"""Running all controllers until nothing changes any more, inside the same transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import deletion
from ..kinds.builtin_kinds import POLICIES
from ..storage.store import DELETIONS_DENIED
from . import (
    aggregation,
    api_registration,
    conditions,
    definition_names,
    garbage_collector,
    ip_addresses,
    namespaces,
    policy_status,
    protection,
    quotas,
)
from . import bootstrap as start
from . import names as controllers

if TYPE_CHECKING:
    from ..storage.changes import Changes


def _retry_deletions(changes: Changes) -> dict[str, None]:
    """Attempt denied deletions again, and return the namespaces to drain."""
    changes.store.set(DELETIONS_DENIED, "")
    if controllers.GARBAGE_COLLECTOR in changes.controllers:
        garbage_collector.retry(changes)
    return dict.fromkeys(namespaces.retry(changes) if controllers.NAMESPACE in changes.controllers else ())


def reconcile(changes: Changes) -> None:
    """Run the controllers on all changes of a request."""
    draining: dict[str, None] = {}
    aggregations = aggregation.MOST_PASSES if controllers.AGGREGATION in changes.controllers else 0
    while changes.events or draining:
        has_roles = False
        while changes.events:
            event = changes.events.popleft()
            definition_names.on_event(changes, event)
            start.on_event(changes, event)
            conditions.on_event(changes, event)
            ip_addresses.on_event(changes, event)
            api_registration.on_event(changes, event)
            if controllers.GARBAGE_COLLECTOR in changes.controllers:
                garbage_collector.on_event(changes, event)
            deletion.on_event(changes, event)
            protection.on_event(changes, event)
            quotas.on_event(changes, event)
            policy_status.on_event(changes, event)
            if event.key.group_kind in POLICIES and changes.store.text(DELETIONS_DENIED):
                draining |= _retry_deletions(changes)
            has_roles = has_roles or aggregation.concerns(event)
            namespace = namespaces.affected_namespace(event)
            if namespace and controllers.NAMESPACE in changes.controllers:
                draining[namespace] = None
        if has_roles and aggregations:
            aggregations -= 1
            aggregation.aggregate(changes)
        for name in list(draining):
            if not namespaces.delete_content(changes, name):
                del draining[name]
