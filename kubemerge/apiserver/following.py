"""What happens to the objects of a kind, whoever writes to the file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.values.go_json import decode

from .kinds.facts import stored_in
from .protocol import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from .errors import Expired
    from .protocol import Object, Resource
    from .storage.history import Change
    from .storage.pages import Page, Wanted

    class Followed(Protocol):
        """What is asked of the cluster."""

        def page(self, wanted: Wanted) -> Page:
            """Some objects of one moment."""

        def changes_since(self, version: int) -> tuple[int, Sequence[Change] | None]:
            """The resourceVersion of now, and the changes after another one."""

        def too_old(self, version: int) -> Expired:
            """The refusal of a version that is too long ago."""

        def seen(self, stored: Object, resource: Resource) -> Object:
            """A stored object as a version of its kind sees it."""


EVERY = 0.05
"""Seconds between two looks at the file."""


def events(cluster: Followed, wanted: Wanted) -> Iterator[Event | None]:
    """The objects that are wanted, None, and what happens to them afterwards."""
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
                yield from _told(cluster, wanted, change)
        version = now
        time.sleep(EVERY)


def _told(cluster: Followed, wanted: Wanted, change: Change) -> Iterator[Event]:
    """The event of a change; none if it is about objects that are not wanted."""
    before, after = (_seen(cluster, wanted, content) for content in (change.before, change.after))
    if after is not None:
        yield Event("MODIFIED" if before is not None else "ADDED", after)
    elif before is not None:
        metadata = {**before["metadata"], "resourceVersion": str(change.version)}
        yield Event("DELETED", {**before, "metadata": metadata})


def _seen(cluster: Followed, wanted: Wanted, content: bytes | None) -> Object | None:
    if content is None:
        return None
    found = cluster.seen(decode(content), wanted.resource)
    return found if wanted.selects is None or wanted.selects(found) else None
