"""Running all controllers until nothing changes any more, inside the same transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import deletion
from . import (
    aggregation,
    conditions,
    definition_names,
    garbage_collector,
    namespaces,
    policy_status,
    protection,
    quotas,
)
from . import bootstrap as start
from . import names as controllers

if TYPE_CHECKING:
    from ..storage.changes import Changes


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
            if controllers.GARBAGE_COLLECTOR in changes.controllers:
                garbage_collector.on_event(changes, event)
            deletion.on_event(changes, event)
            protection.on_event(changes, event)
            quotas.on_event(changes, event)
            policy_status.on_event(changes, event)
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
