"""Running all controllers until nothing changes any more, inside the same transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import deletion
from . import bootstrap as start
from . import conditions, definitions, garbage, namespaces, protection
from . import names as controllers

if TYPE_CHECKING:
    from ..storage.changes import Changes


def settle(changes: Changes) -> None:
    """Run the controllers on all changes of a request."""
    draining: dict[str, None] = {}
    while changes.events or draining:
        while changes.events:
            event = changes.events.popleft()
            definitions.react(changes, event)
            start.react(changes, event)
            conditions.react(changes, event)
            if controllers.GARBAGE_COLLECTOR in changes.controllers:
                garbage.react(changes, event)
            deletion.react(changes, event)
            protection.react(changes, event)
            namespace = namespaces.concerned(event)
            if namespace and controllers.NAMESPACE in changes.controllers:
                draining[namespace] = None
        for name in list(draining):
            if not namespaces.drain(changes, name):
                del draining[name]
