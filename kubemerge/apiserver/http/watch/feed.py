"""The watch cache: the last changes of a cluster, read once for all watches.

Older changes are read from the history in the cluster file. So a watch needs no queue, only the last resourceVersion
that it sent. A slow watch uses no memory, and ends with Expired when the history no longer has its resourceVersion.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from engine import MergeError
from engine.values.go_json import decode

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Protocol

    from ...cluster import EmbeddedCluster
    from ...identity import ObjectId
    from ...protocol import Object
    from ...storage.history import Change

    class Subscriber(Protocol):
        """A watch that has sent all events so far."""

        def push(self, events: Sequence[FeedEvent], version: int, pieces: dict[Hashable, bytes]) -> bool:
            """Send events, up to a resourceVersion. Return False to read them later instead.

            `pieces` are the encoded events, shared by all watches with the same parameters.
            """


POLL_INTERVAL = 0.01
"""Seconds between two polls for changes of other processes."""
CACHE_SIZE = 32 * 1024 * 1024
"""The size of cached changes in bytes."""


@dataclass
class FeedEvent:
    """One change, and its encoded events."""

    change: Change
    sent: dict[Hashable, bytes] = field(default_factory=dict)
    """Encoded events by their form. All watches of a kind share them."""

    @property
    def key(self) -> ObjectId:
        """The key of the object."""
        return self.change.key

    @cached_property
    def before(self) -> Object | None:
        """The object before the change, with the resourceVersion of the change."""
        found: Object | None = decode(self.change.before) if self.change.before else None
        if found is not None:
            found = {**found, "metadata": {**found["metadata"], "resourceVersion": str(self.change.version)}}
        return found

    @cached_property
    def after(self) -> Object | None:
        """The object after the change."""
        return decode(self.change.after) if self.change.after else None

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        return 2 * (len(self.change.before or b"") + len(self.change.after or b"")) + 1000


class Feed:
    """The changes of a cluster since the start of the server."""

    def __init__(self, cluster: EmbeddedCluster) -> None:
        self._cluster = cluster
        self._events: dict[tuple[str, str], deque[FeedEvent]] = defaultdict(deque)
        self._by_age: deque[FeedEvent] = deque()
        self._size = 0
        self._begin = self.version = cluster.version()
        """The range of resourceVersions that is cached."""
        self._dropped: dict[tuple[str, str], int] = {}
        """The resourceVersion of the last change that was dropped from the cache, by kind."""
        self._waiting: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._subscribers: dict[tuple[str, str], dict[Subscriber, asyncio.Future[None]]] = {}
        """Watches that have sent all events so far, by kind. A future ends when its watch has to read events."""
        self._next_push_at = 0.0
        """The earliest time of the next push. A pause after each push, as long as the push, leaves half of the time to
        requests. Several events are then pushed together.
        """
        self._scheduled_poll: asyncio.Handle | None = None
        self._followers = 0
        self.end_count = 0
        """The number of calls of `end_watches`."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._polling: asyncio.Task[None] | None = None

    # ---- reading the changes --------------------------------------------------------------------------------------

    def poll(self) -> None:
        """Read new changes, and wake waiting watches."""
        now, changes = self._cluster.changes_since(self.version)
        if now == self.version:
            return
        self.version = now
        if changes is None:  # the history no longer has them all
            self._forget_all(now)
            return
        new: dict[tuple[str, str], list[FeedEvent]] = defaultdict(list)
        for change in changes:
            event = FeedEvent(change)
            new[event.key.group_kind].append(event)
            self._by_age.append(event)
            self._events[event.key.group_kind].append(event)
            self._size += event.size
        while self._size > CACHE_SIZE and len(self._by_age) > 1:
            self._drop_oldest()
        begun = time.monotonic()
        for kind, events in new.items():
            self._push(kind, events)
            self._wake(kind)
        ended = time.monotonic()
        self._next_push_at = ended + (ended - begun)

    def poll_soon(self) -> None:
        """Read new changes after the current request."""
        if self._scheduled_poll is None:
            self._scheduled_poll = asyncio.get_running_loop().call_at(self._next_push_at, self._poll_now)

    def _poll_now(self) -> None:
        self._scheduled_poll = None
        self._poll_or_end()

    def _poll_or_end(self) -> None:
        try:
            self.poll()
        except MergeError:  # the file cannot be read, and the next request reports it
            self.end_watches()

    def _forget_all(self, now: int) -> None:
        self._by_age.clear()
        self._events.clear()
        self._dropped.clear()
        self._size, self._begin = 0, now
        self._wake_all()

    def _drop_oldest(self) -> None:
        event = self._by_age.popleft()
        self._size -= event.size
        self._dropped[event.key.group_kind] = event.change.version
        of_kind = self._events[event.key.group_kind]
        of_kind.popleft()
        if not of_kind:
            del self._events[event.key.group_kind]

    def _wake(self, kind: tuple[str, str]) -> None:
        waiting = self._waiting.pop(kind, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    # ---- waiting for changes --------------------------------------------------------------------------------------

    async def pushed(self, kind: tuple[str, str], subscriber: Subscriber, seconds: float) -> None:
        """Push changes of a kind to a watch until it has to read them itself, or the time is over."""
        waiting = asyncio.get_running_loop().create_future()
        self._subscribers.setdefault(kind, {})[subscriber] = waiting
        try:
            await asyncio.wait((waiting,), timeout=max(seconds, 0))
        finally:
            self._subscribers[kind].pop(subscriber, None)

    def _push(self, kind: tuple[str, str], events: Sequence[FeedEvent]) -> None:
        pieces: dict[Hashable, bytes] = {}
        subscribers = self._subscribers.get(kind, {})
        for subscriber, waiting in list(subscribers.items()):
            try:
                is_sent = subscriber.push(events, self.version, pieces)
            except Exception:  # raised again when the watch reads the events itself
                is_sent = False
            if not is_sent:
                self._release(subscribers.pop(subscriber, waiting))

    @staticmethod
    def _release(waiting: asyncio.Future[None]) -> None:
        if not waiting.done():
            waiting.set_result(None)

    def after(self, version: int, kind: tuple[str, str]) -> list[FeedEvent] | None:
        """Return the changes of a kind after a version. None if that is too old."""
        if version >= self._dropped.get(kind, self._begin):
            found: list[FeedEvent] = []
            for event in reversed(self._events.get(kind, ())):
                if event.change.version <= version:
                    break
                found.append(event)
            return found[::-1]
        _, changes = self._cluster.changes_since(version)
        if changes is None:
            return None
        return [FeedEvent(one) for one in changes if one.key.group_kind == kind and one.version <= self.version]

    async def changed(self, kind: tuple[str, str], seconds: float) -> None:
        """Wait for a change of a kind, or until the time is over."""
        waiting = self._waiting.get(kind)
        if waiting is None or waiting.done():
            waiting = self._waiting[kind] = asyncio.get_running_loop().create_future()
        await asyncio.wait((waiting,), timeout=max(seconds, 0))

    def end_watches(self) -> None:
        """End all open watches. Any thread may call it."""
        self.end_count += 1
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for subscribers in self._subscribers.values():
            for waiting in subscribers.values():
                self._release(waiting)
        for kind in list(self._waiting):
            self._wake(kind)

    @property
    def has_watches(self) -> bool:
        """Whether a watch is open. Otherwise changes need not be read: each new watch polls first."""
        return self._followers > 0

    def follow(self) -> None:
        """Add a watch, and poll for changes of other processes."""
        self._followers += 1
        self._loop = asyncio.get_running_loop()
        if self._polling is None:
            self._polling = asyncio.get_running_loop().create_task(self._keep_polling())

    def leave(self) -> None:
        """Remove a watch."""
        self._followers -= 1
        if not self._followers and self._polling is not None:
            self._polling.cancel()
            self._polling = None
            if self._scheduled_poll is not None:
                self._scheduled_poll.cancel()
                self._scheduled_poll = None

    async def _keep_polling(self) -> None:
        while True:
            if time.monotonic() >= self._next_push_at:
                self._poll_or_end()
            await asyncio.sleep(POLL_INTERVAL)
