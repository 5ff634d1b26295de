"""Running all controllers until nothing changes any more, inside the same transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import deletion
from . import bootstrap as start
from . import conditions, definition_names, garbage_collector, namespaces, protection
from . import names as controllers

if TYPE_CHECKING:
    from ..storage.changes import Changes


def reconcile(changes: Changes) -> None:
    """Run the controllers on all changes of a request."""
    draining: dict[str, None] = {}
    while changes.events or draining:
        while changes.events:
            event = changes.events.popleft()
            definition_names.on_event(changes, event)
            start.on_event(changes, event)
            conditions.on_event(changes, event)
            if controllers.GARBAGE_COLLECTOR in changes.controllers:
                garbage_collector.on_event(changes, event)
            deletion.on_event(changes, event)
            protection.on_event(changes, event)
            namespace = namespaces.affected_namespace(event)
            if namespace and controllers.NAMESPACE in changes.controllers:
                draining[namespace] = None
        for name in list(draining):
            if not namespaces.delete_content(changes, name):
                del draining[name]
