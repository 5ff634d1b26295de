"""One watch: its stream of events from start to end."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ...errors import Invalid
from ...kinds.builtin_kinds import stored_in
from ...problems import forbidden, unsupported
from ...storage.pages import ListOptions
from ..messages import Response
from ..negotiation.partial import INITIAL_EVENTS_END
from ..responses import form_of
from ..statuses import status_of
from ..verbs.reading import NOT_OLDER, requested_version, selects_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from ...cluster import EmbeddedCluster
    from ...protocol import Object
    from ..messages import Request
    from ..negotiation import Form
    from ..routing import Target
    from .feed import Feed, FeedEvent

BOOKMARK_EVERY, BEFORE_END = 60.0, 2.0
"""Seconds between two bookmarks, and from the last one to the end of the watch."""
SHORTEST = 1800
"""The default minimum duration of a watch in seconds. The maximum is twice as long."""
AT_ONCE = 250
"""The number of initial objects sent at a time."""


@dataclass(frozen=True)
class Watch:
    """The parameters of a watch."""

    target: Target
    form: Form
    selects: Callable[[Object], bool] | None
    start: int | None
    """The resourceVersion to start after. None to start with the existing objects."""
    bookmarks: bool
    initial_events: bool
    """Whether a bookmark marks the end of the existing objects."""
    seconds: float


def watch(cluster: EmbeddedCluster, feed: Feed, request: Request, target: Target) -> Response:
    """Return the stream of events about the objects of a kind."""
    cluster.warn_of(target.resource)
    return Response(_Stream(cluster, feed, _asked(cluster, request, target)).lines())


def _asked(cluster: EmbeddedCluster, request: Request, target: Target) -> Watch:
    form = form_of(request, target, watch=True)
    selects = selects_of(cluster, request, target)
    version, match = requested_version(request), request.asked("resourceVersionMatch")
    initial = request.flag("sendInitialEvents") if "sendInitialEvents" in request.query else None
    bookmarks = request.flag("allowWatchBookmarks")
    problems = []
    if match and initial is None:
        why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"
        problems.append(forbidden("resourceVersionMatch", why))
    if initial is not None and match != NOT_OLDER:
        why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
        problems.append(forbidden("resourceVersionMatch", why))
        if match:
            problems.append(unsupported("resourceVersionMatch", match, [NOT_OLDER]))
    if problems:
        raise Invalid.of("ListOptions.meta.k8s.io", "", problems)
    lasts = request.number("timeoutSeconds")
    begins_with_objects = initial if initial is not None else not version
    if initial is None:
        initial = begins_with_objects and _marks_first_state(int(cluster.release.partition(".")[2]))
    now = version or cluster.version()
    return Watch(
        target=target,
        form=form,
        selects=selects,
        start=None if begins_with_objects else now,
        bookmarks=bookmarks,
        initial_events=initial and bookmarks,
        seconds=float(lasts) if lasts else SHORTEST * (1 + random.random()),  # noqa: S311 - not to come back all at once
    )


def _marks_first_state(minor: int) -> bool:
    """Whether servers of a minor release mark the end of the initial objects by default."""
    return minor == 32 or minor >= 34


class _Stream:
    def __init__(self, cluster: EmbeddedCluster, feed: Feed, asked: Watch) -> None:
        self._cluster, self._feed, self._asked = cluster, feed, asked
        resource = asked.target.resource
        self._kind = stored_in(resource.group, resource.kind), resource.kind
        self._first = True
        self._told = asked.start
        """The last resourceVersion that was sent."""

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the events, each a line of JSON. A first empty piece makes the server send the headers."""
        yield b""
        self._feed.follow()
        try:
            async for piece in self._events():
                yield piece
        except MergeError as error:
            yield self._asked.form.encoded({"type": "ERROR", "object": status_of(error)})
        finally:
            self._feed.leave()

    async def _events(self) -> AsyncIterator[bytes]:
        self._feed.look()
        begun = self._feed.ended
        ends = time.monotonic() + self._asked.seconds
        if self._told is None:
            self._told = self._feed.version
            async for piece in self._there_already(self._told):
                yield piece
        bookmark_at = _next_bookmark(time.monotonic(), ends)
        while True:
            events = self._feed.after(self._told, self._kind)
            if events is None:
                raise self._cluster.too_old(self._told)
            now = self._feed.version
            for start in range(0, len(events), AT_ONCE):
                piece = b"".join(map(self._line, events[start : start + AT_ONCE]))
                if piece:
                    yield piece
            self._told = now
            moment = time.monotonic()
            if self._asked.bookmarks and moment >= bookmark_at:
                yield self._bookmark(now)
                bookmark_at = _next_bookmark(moment, ends)
            if moment >= ends or self._feed.ended != begun:
                return
            if self._feed.version == now and self._feed.ended == begun:
                await self._feed.changed(self._kind, min(ends, bookmark_at) - moment)

    async def _there_already(self, version: int) -> AsyncIterator[bytes]:
        wanted = ListOptions(self._asked.target.resource, self._asked.target.namespace, self._asked.selects, AT_ONCE)
        after = None
        while True:
            page = self._cluster.page(wanted._replace(after=after, version=version))
            if page.items:
                yield b"".join(self._encoded("ADDED", one) for one in page.items)
            if page.last is None:
                break
            after = page.last
        if self._asked.initial_events:
            yield self._bookmark(version, {INITIAL_EVENTS_END: "true"})

    def _line(self, event: FeedEvent) -> bytes:
        asked = self._asked
        if asked.target.namespace is not None and event.key.namespace != asked.target.namespace:
            return b""
        if asked.target.name and event.key.name != asked.target.name:
            return b""
        before, after = self._is_selected(event.before), self._is_selected(event.after)
        if not before and not after:
            return b""
        kind = "ADDED" if not before else "DELETED" if not after else "MODIFIED"
        shared = (asked.target.resource.api_version, kind, asked.form, self._first)
        if shared not in event.sent:
            event.sent[shared] = self._encoded(kind, self._seen(event.after if after else event.before))
        self._first = False
        return event.sent[shared]

    def _is_selected(self, stored: Object | None) -> bool:
        if stored is None or self._asked.selects is None:
            return stored is not None
        return self._asked.selects(self._seen(stored))

    def _seen(self, stored: Any) -> Object:
        resource = self._asked.target.resource
        if resource.built_in and stored["apiVersion"] == resource.api_version:
            return stored  # type: ignore[no-any-return]
        return self._cluster.seen(stored, resource)

    def _encoded(self, kind: str, one: Object) -> bytes:
        form, resource = self._asked.form, self._asked.target.resource
        event = form.of_event(kind, one, resource, self._cluster, first=self._first)
        self._first = False
        return form.encoded(event)

    def _bookmark(self, version: int, annotations: dict[str, str] | None = None) -> bytes:
        resource = self._asked.target.resource
        metadata = {"resourceVersion": str(version), **({"annotations": annotations} if annotations else {})}
        one = {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": metadata}
        return self._encoded("BOOKMARK", one)


def _next_bookmark(now: float, ends: float) -> float:
    found = min(now + BOOKMARK_EVERY, ends - BEFORE_END)
    return found if found > now else ends + 1
