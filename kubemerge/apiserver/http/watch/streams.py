"""The events of one watch request: ADDED, MODIFIED, DELETED, BOOKMARK, and ERROR for an expired resourceVersion."""

from __future__ import annotations

import asyncio
import random
import time
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from engine import MergeError

from ...crd.deadlines import Unfinished
from ...eras import minor_of
from ...errors import Invalid
from ...kinds.builtin_kinds import stored_in
from ...problems import forbidden, unsupported
from ...storage.pages import ListOptions
from ..messages import Response
from ..negotiation.partial import INITIAL_EVENTS_END
from ..responses import form_of
from ..statuses import RequestError, status_of
from ..threads import in_thread
from ..verbs.reading import NOT_OLDER, requested_version, selects_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Hashable, Sequence

    from ...cluster import EmbeddedCluster
    from ...crd.deadlines import RequestDeadline
    from ...problems import Problem
    from ...protocol import Object
    from ..messages import Request
    from ..negotiation import Form
    from ..routing import Target
    from .feed import Feed, FeedEvent

T = TypeVar("T")
BOOKMARK_INTERVAL, LAST_BOOKMARK = 60.0, 2.0
"""Seconds between two bookmarks, and from the last bookmark to the end of the watch."""
MIN_TIMEOUT = 1800
"""The minimum duration in seconds of a watch without timeoutSeconds. The maximum is twice as long."""
BATCH_SIZE = 250
"""The number of events sent at a time."""


WRITE: ContextVar[Callable[[bytes], bool] | None] = ContextVar("WRITE", default=None)
"""A function that sends a piece of the response without waiting. It returns False if the client has to read first."""


@dataclass(frozen=True)
class WatchOptions:
    """The parameters of a watch."""

    target: Target
    form: Form
    selects: Callable[[Object], bool] | None
    start: int | None
    """The resourceVersion to start after. None to start with the existing objects."""
    bookmarks: bool
    initial_events: bool
    """Whether a bookmark follows the existing objects (`sendInitialEvents`)."""
    seconds: float
    """The duration of the watch."""
    selectors: tuple[str, str] = ("", "")
    """The label and the field selector."""

    @property
    def key(self) -> Hashable:
        """A value that is equal for all watches that send the same events."""
        target = self.target
        return target.resource.api_version, self.form, target.namespace, target.name, self.selectors


def watch(
    cluster: EmbeddedCluster,
    feed: Feed,
    request: Request,
    target: Target,
    deadline: Callable[[Request], RequestDeadline],
) -> Response:
    """Return the stream of events about the objects of a kind."""
    options = _options_of(cluster, request, target)
    return Response(_Stream(cluster, feed, options, lambda: deadline(request)).lines())


def _options_of(cluster: EmbeddedCluster, request: Request, target: Target) -> WatchOptions:
    form = replace(form_of(request, target, watch=True), pretty=False)  # each event is one line
    selects = selects_of(cluster, request, target)
    version, match = requested_version(request, status=500), request.asked("resourceVersionMatch")
    sends_initial = request.flag("sendInitialEvents") if "sendInitialEvents" in request.query else None
    bookmarks = request.flag("allowWatchBookmarks")
    sends_by_default = not version and _bookmarks_initial_events(minor_of(cluster.release))
    if sends_initial is None and not match and sends_by_default and request.flag("watch"):
        problems = _match_problems(NOT_OLDER, request, sends_initial=True)
    else:
        problems = _match_problems(match, request, sends_initial=sends_initial)
    if problems:
        raise Invalid.of("ListOptions.meta.k8s.io", "", problems)
    timeout = request.number("timeoutSeconds")
    from_start = sends_initial if sends_initial is not None else not version
    if sends_initial is None:
        sends_initial = sends_by_default
    now = version or cluster.version()
    return WatchOptions(
        target=target,
        form=form,
        selects=selects,
        start=None if from_start else now,
        bookmarks=bookmarks,
        initial_events=sends_initial and bookmarks,
        selectors=(request.asked("labelSelector"), request.asked("fieldSelector")),
        seconds=float(timeout) if timeout else MIN_TIMEOUT * (1 + random.random()),  # noqa: S311 - so that clients reconnect one by one
    )


def _match_problems(match: str, request: Request, *, sends_initial: bool | None) -> list[Problem]:
    """The problems of the resourceVersionMatch of a watch."""
    whys = []
    if sends_initial is not None and match != NOT_OLDER:
        whys.append("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
    if match and sends_initial is None:
        whys.append("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")
    problems = [forbidden("resourceVersionMatch", why) for why in whys]
    if match and match != NOT_OLDER:
        problems.append(unsupported("resourceVersionMatch", match, [NOT_OLDER]))
    if match and request.asked("continue"):
        why = "resourceVersionMatch is forbidden when continue is provided"
        problems.append(forbidden("resourceVersionMatch", why))
    return problems


def _bookmarks_initial_events(minor: int) -> bool:
    """Whether servers of a minor release send a bookmark after the initial events by default."""
    return minor == 32 or minor >= 34


class _Stream:
    def __init__(
        self,
        cluster: EmbeddedCluster,
        feed: Feed,
        options: WatchOptions,
        deadline: Callable[[], RequestDeadline],
    ) -> None:
        self._cluster, self._feed, self._options, self._deadline = cluster, feed, options, deadline
        resource = options.target.resource
        self._kind = stored_in(resource.group, resource.kind), resource.kind
        self._first = True
        self._write: Callable[[bytes], bool] | None = None
        self._last_version = options.start
        """The resourceVersion up to which events were sent."""

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the events, each a line of JSON. The empty first piece makes the server send the headers."""
        yield b""
        self._write = WRITE.get() if self._options.target.resource.built_in else None
        self._feed.follow()
        try:
            async for piece in self._events():
                yield piece
        except MergeError as error:
            yield self._options.form.encoded({"type": "ERROR", "object": status_of(error)})
        finally:
            self._feed.leave()

    async def _events(self) -> AsyncIterator[bytes]:
        self._feed.poll()
        end_count = self._feed.end_count
        ends = time.monotonic() + self._options.seconds
        if self._last_version is None:
            self._last_version = self._feed.version
            async for piece in self._initial_events(self._last_version):
                yield piece
        bookmark_at = _next_bookmark(time.monotonic(), ends)
        while True:
            events = self._feed.after(self._last_version, self._kind)
            if events is None:
                raise self._cluster.too_old(self._last_version)
            now = self._feed.version
            for start in range(0, len(events), BATCH_SIZE):
                some = events[start : start + BATCH_SIZE]
                piece = await self._with_conversions(lambda some=some: b"".join(map(self._encoded_event, some)))  # type: ignore[misc]
                if piece:
                    yield piece
            self._last_version = now
            moment = time.monotonic()
            if moment >= bookmark_at:
                bookmark_at = _next_bookmark(moment, ends)
                if self._options.bookmarks:
                    yield self._bookmark(now)
            if moment >= ends or self._feed.end_count != end_count:
                return
            if self._feed.version == now and self._feed.end_count == end_count:
                seconds = min(ends, bookmark_at) - moment
                if self._write is None:
                    await self._feed.changed(self._kind, seconds)
                else:
                    await self._feed.pushed(self._kind, self, seconds)

    def push(self, events: Sequence[FeedEvent], version: int, pieces: dict[Hashable, bytes]) -> bool:
        """Send events without waiting. Return False if there are too many, or if the client has to read first."""
        if self._write is None or len(events) > BATCH_SIZE:
            return False
        first, key = self._first, (self._options.key, self._first)
        if key not in pieces:
            pieces[key] = b"".join(map(self._encoded_event, events))
            self._first = first
        if pieces[key]:
            if not self._write(pieces[key]):
                return False
            self._first = False
        self._last_version = version
        return True

    async def _initial_events(self, version: int) -> AsyncIterator[bytes]:
        wanted = ListOptions(
            self._options.target.resource, self._options.target.namespace, self._options.selects, BATCH_SIZE
        )
        after = None
        while True:
            asked = wanted._replace(after=after, version=version)
            page = await self._with_conversions(lambda asked=asked: self._cluster.page(asked))  # type: ignore[misc]
            if page.items:
                yield b"".join(self._encoded("ADDED", one) for one in page.items)
            if page.last is None:
                break
            after = page.last
        if self._options.initial_events:
            yield self._bookmark(version, {INITIAL_EVENTS_END: "true"})

    async def _with_conversions(self, work: Callable[[], T]) -> T:
        """Return the result of work. If it needs a conversion webhook, call the webhook and repeat the work."""
        if self._options.target.resource.built_in:
            return work()
        request, first = self._deadline(), self._first
        while True:
            try:
                with request.here():
                    return work()
            except Unfinished as unfinished:
                self._first = first
                try:
                    await asyncio.wait_for(in_thread(unfinished.finish), max(request.left(), 0))
                except asyncio.TimeoutError:
                    why = "Timeout: request did not complete within requested timeout - context deadline exceeded"
                    raise RequestError(504, "Timeout", why) from None

    def _encoded_event(self, event: FeedEvent) -> bytes:
        """The event as JSON: ADDED if the object begins to match the selectors, DELETED if it stops matching."""
        options = self._options
        if options.target.namespace is not None and event.key.namespace != options.target.namespace:
            return b""
        if options.target.name and event.key.name != options.target.name:
            return b""
        before, after = self._is_selected(event.before), self._is_selected(event.after)
        if not before and not after:
            return b""
        kind = "ADDED" if not before else "DELETED" if not after else "MODIFIED"
        shared = (options.target.resource.api_version, kind, options.form, self._first)
        if shared not in event.sent:
            event.sent[shared] = self._encoded(kind, self._converted(event.after if after else event.before))
        self._first = False
        return event.sent[shared]

    def _is_selected(self, stored: Object | None) -> bool:
        if stored is None or self._options.selects is None:
            return stored is not None
        return self._options.selects(self._converted(stored))

    def _converted(self, stored: Any) -> Object:
        resource = self._options.target.resource
        if resource.built_in and stored["apiVersion"] == resource.api_version:
            return stored  # type: ignore[no-any-return]
        return self._cluster.in_version(stored, resource)

    def _encoded(self, kind: str, one: Object) -> bytes:
        form, resource = self._options.form, self._options.target.resource
        event = form.of_event(kind, one, resource, self._cluster, first=self._first)
        self._first = False
        return form.encoded(event)

    def _bookmark(self, version: int, annotations: dict[str, str] | None = None) -> bytes:
        resource = self._options.target.resource
        metadata = {"resourceVersion": str(version), **({"annotations": annotations} if annotations else {})}
        one = {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": metadata}
        return self._encoded("BOOKMARK", one)


def _next_bookmark(now: float, ends: float) -> float:
    found = min(now + BOOKMARK_INTERVAL, ends - LAST_BOOKMARK)
    return found if found > now else ends + 1
