"""The changes of one transaction, stored at once and queued for controllers."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ClusterError
from ..kinds.builtin_kinds import DEFINITION, POLICIES, WEBHOOKS
from .store import DELETIONS_DENIED, KINDS_CHANGED, POLICIES_CHANGED

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..identity import ObjectId
    from ..metadata import Origins
    from ..protocol import Object, Resource
    from ..resources import Kinds
    from .index import Index
    from .store import Store

CONTROLLERS = "kube-controller-manager"
"""The field manager of controllers."""


class StoreEvent(NamedTuple):
    """One change: an object before and after it, None where it does not exist."""

    key: ObjectId
    before: Object | None
    after: Object | None


class ControllerDeletion(NamedTuple):
    """A deletion by a controller."""

    key: ObjectId
    live: Object
    account: str
    """The name of the controller's ServiceAccount."""
    options: Object
    """The fields of DeleteOptions."""
    of_collection: bool = False
    """Whether the request is one for a whole collection, which has no name."""


class Changes:
    """The objects in one transaction, and the changes so far. A dry run stores nothing."""

    def __init__(
        self, store: Store, kinds: Kinds, origins: Origins, index: Index, controllers: frozenset[str], *, dry_run: bool
    ) -> None:
        self.store, self.kinds, self.origins, self.index, self.dry_run = store, kinds, origins, index, dry_run
        self.controllers = controllers
        """The controllers to run, by name."""
        self.events: deque[StoreEvent] = deque()
        self.admit: Callable[[ControllerDeletion], None] | None = None
        """Raises a ClusterError if a policy denies a deletion by a controller. None if there are no policies."""

    def get(self, key: ObjectId) -> Object | None:
        """Return one object in its current state."""
        return self.store.get(key)

    def save(self, key: ObjectId, content: Object, before: Object | None) -> Object:
        """Store an object with a new resourceVersion."""
        if self.dry_run:
            stored = self.kinds.stored(content)
            return content if stored is content else self.kinds.in_version(stored, self.resource(content))
        version = self.store.next_version()
        content = {**content, "metadata": {**content["metadata"], "resourceVersion": str(version)}}
        stored = self.kinds.stored(content)
        self.store.put(key, stored, version)
        self._note(version, StoreEvent(key, before, stored))
        return content if stored is content else self.kinds.in_version(stored, self.resource(content))

    def remove(self, key: ObjectId, before: Object) -> None:
        """Remove an object."""
        if self.dry_run:
            return
        version = self.store.next_version()
        self.store.remove(key, version)
        self._note(version, StoreEvent(key, before, None))

    def denial(self, deletion: ControllerDeletion) -> str:
        """Return the message of a policy that denies a deletion by a controller. Empty if none does."""
        if self.admit is None:
            return ""
        try:
            self.admit(deletion)
        except ClusterError as error:
            self.store.set(DELETIONS_DENIED, "yes")
            return str(error)
        return ""

    def _note(self, version: int, event: StoreEvent) -> None:
        if event.key.group_kind == DEFINITION:  # makes every process reload the kinds
            self.store.set(KINDS_CHANGED, version)
        elif event.key.group_kind in POLICIES or event.key.group_kind in WEBHOOKS:
            self.store.set(POLICIES_CHANGED, str(version))
        self.index.note(version, event.key, event.before, event.after)
        self.events.append(event)

    def by_controller(self, key: ObjectId, live: Object, content: Object, subresource: str | None = None) -> Object:
        """Store an object changed by a controller."""
        from ..managed_fields import ManagedFieldsRecorder  # late, because a command that only reads needs none

        resource = self.resource(live)
        booked = ManagedFieldsRecorder(CONTROLLERS, self.kinds, self.origins).updated(
            live, content, resource, subresource
        )
        return self.save(key, booked, live)

    def resource(self, live: Object) -> Resource:
        """Return the kind of an object."""
        return self.kinds.resource(live["apiVersion"], live["kind"])
