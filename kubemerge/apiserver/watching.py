"""`EmbeddedCluster.watch`, an iterator of events. It includes changes by other processes, and sends no bookmarks.

Watches over HTTP are in `http.watch`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.values.go_json import decode

from .kinds.builtin_kinds import stored_in
from .protocol import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from .errors import Expired
    from .protocol import Object, Resource
    from .storage.history import Change
    from .storage.pages import ListOptions, Page

    class WatchedCluster(Protocol):
        """The methods of a cluster that a watch needs."""

        def page(self, wanted: ListOptions) -> Page:
            """Return objects at one resourceVersion."""

        def changes_since(self, version: int) -> tuple[int, Sequence[Change] | None]:
            """Return the current resourceVersion, and the changes after another one."""

        def too_old(self, version: int) -> Expired:
            """Return the error for an expired resourceVersion."""

        def in_version(self, stored: Object, resource: Resource) -> Object:
            """Convert a stored object to a version of its kind."""


POLL_INTERVAL = 0.05
"""Seconds between two polls of the file."""


def events(cluster: WatchedCluster, wanted: ListOptions) -> Iterator[Event | None]:
    """Yield an event for each existing object, then None, then an event for each change."""
    page = cluster.page(wanted)
    for one in page.items:
        yield Event("ADDED", one)
    yield None
    version, kind = page.version, (stored_in(wanted.resource.group, wanted.resource.kind), wanted.resource.kind)
    while True:
        now, changes = cluster.changes_since(version)
        if changes is None:
            raise cluster.too_old(version)
        for change in changes:
            if change.key.group_kind == kind and wanted.namespace in (None, change.key.namespace):
                yield from _events_of(cluster, wanted, change)
        version = now
        time.sleep(POLL_INTERVAL)


def _events_of(cluster: WatchedCluster, wanted: ListOptions, change: Change) -> Iterator[Event]:
    before, after = (_selected(cluster, wanted, content) for content in (change.before, change.after))
    if after is not None:
        yield Event("MODIFIED" if before is not None else "ADDED", after)
    elif before is not None:
        metadata = {**before["metadata"], "resourceVersion": str(change.version)}
        yield Event("DELETED", {**before, "metadata": metadata})


def _selected(cluster: WatchedCluster, wanted: ListOptions, content: bytes | None) -> Object | None:
    if content is None:
        return None
    found = cluster.in_version(decode(content), wanted.resource)
    return found if wanted.selects is None or wanted.selects(found) else None
