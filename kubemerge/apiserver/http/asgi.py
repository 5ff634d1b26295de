"""The ASGI application: reads requests, dispatches them and sends responses."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..cel.meter import DeadlineExceeded
from ..crd.deadlines import RequestDeadline, Unfinished
from ..errors import NoResource
from ..user import acting_as, current_user
from .access import AccessControl
from .audit.objects import note_deprecation
from .audit.record import recording
from .authentication import Authenticator
from .catalog import Catalog
from .faults import Faults
from .messages import READS, Request, Response, indent, is_pretty
from .metrics import Metrics
from .options import admission_options, check_timeout
from .routing import Target, VirtualKind, is_clean, path_parts, target_of
from .statuses import RequestError, error_response, not_allowed
from .subresources import PARTS, create_binding, is_bindings
from .threads import in_thread
from .verbs import deleting, reading, writing
from .watch.feed import Feed
from .watch.streams import WRITE, watch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping

    from ..cluster import EmbeddedCluster
    from .audit.log import AuditLog
    from .information import Information

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

LARGEST_BODY = 3 * 1024 * 1024
PATIENCE = 30.0
"""Seconds for a client to send its body, and to read the response. A slower client is disconnected."""
CUT_OFF = "kubemerge.cut_off"
"""The ASGI extension to abort a connection in the middle of a response. The ASGI server closes other connections."""
WRITE_NOW = "kubemerge.write_now"
"""The ASGI extension to send a piece of a stream without waiting. It returns False if the client has to read first."""
REQUEST_TIMEOUT = 60.0
"""Seconds in which a write must get its response. It is the `--request-timeout` of kube-apiserver."""
CREATED, METHOD_NOT_ALLOWED = 201, 405
MANY_WRITES, GATHERING = 4, 0.0003
"""After so many writes in one commit, the next one waits for so many seconds, in which about as many more arrive."""
THREADS = 4
"""Requests whose CEL rules run outside of the event loop at the same time. Others wait, and their timeout runs."""
LOG = logging.getLogger("kubemerge.serve")


class Application:
    """The API server of one cluster."""

    def __init__(
        self,
        cluster: EmbeddedCluster,
        access: Authenticator | None = None,
        services: Mapping[str, str] | None = None,
    ) -> None:
        self.cluster = cluster
        cluster.webhook_services = dict(services or {})
        self.feed = Feed(cluster)
        self.faults = Faults()
        """Injected faults, for tests of clients."""
        self.faults.on_end = self.feed.end_watches
        self._catalog = Catalog(cluster)
        self._writes: list[tuple[Request, RequestDeadline, asyncio.Future[Response | Unfinished]]] = []
        """Writes waiting to be committed together."""
        self._last_group = 0
        """The number of writes that were last committed together."""
        self._threads = ThreadPoolExecutor(THREADS, "kubemerge-rules")
        self._information: Information | None = None
        self._metrics = Metrics(cluster)
        self.audit: AuditLog | None = None
        """The audit log, if one is written."""
        self.access = AccessControl(cluster, access or Authenticator(cluster))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request, or the startup and shutdown of the server."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _http(self, scope: Message, receive: Receive, send: Send) -> None:
        request = None
        try:
            with _in_time():
                body = await _body(scope, receive)
            request = self._audited(Request.of(scope, body), scope)
            found = await self._answered(request)
        except RequestError as error:
            found = error_response(error)
        except ClientGone:
            return
        except asyncio.TimeoutError:
            found = error_response(
                RequestError(408, "Timeout", f"the body of the request did not come within {PATIENCE:.0f} seconds")
            )
        if request is None or request.audit is None:
            await _sent(found, scope, receive, send)
            return
        found = request.audit.respond(found)
        try:
            await _sent(found, scope, receive, send)
        finally:
            request.audit.end(found)

    def _audited(self, request: Request, scope: Message) -> Request:
        """Return the request with a record for the audit log, if there is one."""
        if self.audit is None:
            return request
        path, query = scope.get("raw_path") or scope["path"].encode(), scope["query_string"]
        uri = str(path + (b"?" + query if query else b""), "latin-1")
        source, _ = scope.get("client") or ("", 0)
        return replace(request, audit=self.audit.open(request, source, uri))

    async def _answered(self, request: Request) -> Response:
        """Handle a request, with injected faults."""
        fault = self.faults.for_(request)
        if fault is None:
            return await (self._read(request) if request.method in READS else self._with_others(request))
        problem = fault.problem
        if problem is not None and not fault.afterwards:
            await fault.wait()
            return error_response(problem, request)
        found = await self._with_others(request)
        await fault.wait()
        return found if problem is None else error_response(problem, request)

    async def _with_others(self, request: Request) -> Response:
        """Handle a request that may write, and commit it with all other waiting requests.

        A request stays on the event loop, without a hop to a thread and back. Only if the rules of its object take
        long, they are evaluated in a thread while other requests are handled. Then the request is handled again.
        """
        loop = asyncio.get_running_loop()
        patience = self.deadline(request)
        while True:
            if not self._writes:
                if self._last_group < MANY_WRITES:
                    loop.call_soon(self._write)
                else:
                    loop.call_later(GATHERING, self._write)
            done: asyncio.Future[Response | Unfinished] = loop.create_future()
            self._writes.append((request, patience, done))
            found = await done
            if isinstance(found, Response):
                return found
            if not await self._is_finished(found, patience):
                return error_response(timed_out(), request)

    async def _read(self, request: Request) -> Response:
        """Handle a request that changes nothing. Only a conversion webhook makes it wait."""
        patience = self.deadline(request)
        while True:
            found = self._attempted(request, patience)
            if isinstance(found, Response):
                return found
            if not await self._is_finished(found, patience):
                return error_response(timed_out(), request)

    async def _is_finished(self, work: Unfinished, patience: RequestDeadline) -> bool:
        """Do the work in a thread, and return whether it ended before the deadline."""
        loop = asyncio.get_running_loop()
        done = in_thread(work.finish) if work.waits else loop.run_in_executor(self._threads, work.finish)
        try:
            await asyncio.wait_for(done, patience.left())
        except (DeadlineExceeded, asyncio.TimeoutError):
            return False
        return True

    def deadline(self, request: Request) -> RequestDeadline:
        """Return the deadline of a new request, with the functions that call webhooks."""
        return RequestDeadline(REQUEST_TIMEOUT, lambda: admission_options(request), self.convert)

    def convert(
        self, content: dict[str, Any], definition: dict[str, Any], api_version: str, request: RequestDeadline
    ) -> dict[str, Any]:
        """Convert a custom resource with a webhook."""
        from ..webhooks.conversion import converted  # hardly any definition has one

        return converted(content, definition, api_version, request, self.cluster)

    def _write(self) -> None:
        writes, self._writes = self._writes, []
        self._last_group = len(writes)
        answers: list[Response | Unfinished]
        try:
            with self.cluster.together():
                answers = [self._attempted(request, patience) for request, patience, _ in writes]
        except MergeError as error:  # the file cannot be written
            answers = [error_response(error, request) for request, _, _ in writes]
        for (_, _, done), found in zip(writes, answers, strict=True):
            if not done.done():
                done.set_result(found)
        if self.feed.has_watches:  # after the responses, because watches may be many, and the file may be unreadable
            self.feed.poll_soon()

    def _attempted(self, request: Request, patience: RequestDeadline) -> Response | Unfinished:
        try:
            with patience.here():
                return self.answer(request)
        except Unfinished as unfinished:
            return unfinished
        except DeadlineExceeded:
            return error_response(timed_out(), request)

    def answer(self, request: Request) -> Response:
        """Handle any request."""
        target: Target | VirtualKind | None = None
        warnings: list[str] = []
        try:
            with recording(request.audit), acting_as(self.access.admitted(request)):
                parts = path_parts(request.path)
                if not is_clean(request.path):
                    raise NoResource
                if "timeout" in request.query:
                    check_timeout(request)
                # A read is one transaction, and so are all writes that wait.
                with self.cluster.snapshot() if request.method in READS else nullcontext():
                    target = target_of(parts, self._catalog)
                    self.cluster.on_warning = warnings.append
                    if isinstance(target, Target):
                        found = self._of_objects(request, target)
                        if found.status == CREATED and request.method != "POST":
                            self.access.note_created(request, current_user())
                    else:
                        found = self._of_the_rest(request, parts, target)
        except MergeError as error:
            found = error_response(error, request)
            self.access.note_denied(request, error)
            is_served = not isinstance(error, NoResource) and getattr(error, "code", 0) != METHOD_NOT_ALLOWED
            if isinstance(target, Target) and not target.part and is_served:
                with suppress(MergeError):
                    self.cluster.warn_of(target.resource)
        except (Unfinished, DeadlineExceeded):
            raise
        except Exception as error:
            LOG.exception("%s %s", request.method, request.path)
            if request.audit is not None:
                request.audit.panicked(error)
            found = error_response(error, request)
        finally:
            self.cluster.on_warning = None
        if is_pretty(request) and not request.path.startswith("/openapi/"):
            found = indent(found)
        found = self._metrics.counted(request, target, found)
        return found._replace(headers=(*found.headers, *map(_warning, within_limit(warnings))))

    def _of_objects(self, request: Request, target: Target) -> Response:
        cluster, method = self.cluster, request.method
        if request.audit is not None:
            note_deprecation(cluster, target.resource)
        from .methods import check_method, check_watch  # discovery is slow to import, and a server should start at once

        if _is_unregistered(method, target):
            return PAGE_NOT_FOUND
        check_method(method, target, cluster.release)
        if method in READS:
            # A server ignores `watch` for one object: the request is authorized as `get`.
            if (target.watched or (request.flag("watch") and not target.name)) and not target.part:
                cluster.warn_of(target.resource)
                check_watch(target)
                return watch(cluster, self.feed, request, target, self.deadline)
            return (reading.get if target.name else reading.list_)(cluster, request, target)
        found = None if target.watched else self._changed(request, target)
        if found is None:
            raise not_allowed()
        return found

    def _changed(self, request: Request, target: Target) -> Response | None:
        """Handle a request for a change. Return None if the path does not support it."""
        cluster, method = self.cluster, request.method
        if method == "POST":
            special = PARTS.get((target.resource.group, target.resource.kind, target.part))
            if special is not None:
                return special(cluster, request, target)
            if not target.resource.built_in and not target.part:
                target = replace(target, name="")  # a server ignores the name in the path of a custom resource
            return writing.create(cluster, request, target) if _is_place(target) else None
        if method == "PUT":
            return writing.replace(cluster, request, target) if target.name else None
        if method == "PATCH":
            return writing.patch(cluster, request, target) if target.name else None
        if method == "DELETE" and not target.part:
            if target.name:
                return deleting.delete(cluster, request, target)
            return deleting.delete_all(cluster, request, target) if _is_place(target) else None
        return None

    def _of_the_rest(self, request: Request, parts: list[str], target: VirtualKind | None) -> Response:
        if parts == ["metrics"] and request.method in READS:
            return self._metrics.answer()
        if target is not None and request.method == "POST" and is_bindings(target):
            return create_binding(self.cluster, request, target)
        from .information import Information  # these two are slow to import, and a server should start at once
        from .methods import is_virtual
        from .reviews import review

        found = (
            review(self.cluster, self.access.authenticator, request, target)
            if target is not None and request.method == "POST"
            else None
        )
        if found is None:
            self._information = self._information or Information(self.cluster)
            found = self._information.about(request, parts)
        if found is not None:
            return found
        if target is not None and request.method != "POST" and is_virtual(target, self.cluster.release):
            raise not_allowed()
        if parts[:1] == ["api"] or (parts[:1] == ["apis"] and self._catalog.has_built_in("".join(parts[1:2]))):
            raise NoResource
        return PAGE_NOT_FOUND


PAGE_NOT_FOUND = Response(b"404 page not found\n", 404, "text/plain; charset=utf-8")
"""The response for a path outside of the built-in groups."""


def _is_unregistered(method: str, target: Target) -> bool:
    """Whether the path is one of custom resources in all namespaces, which can only be read."""
    resource = target.resource
    return not resource.built_in and resource.namespaced and target.namespace is None and method not in READS


def _is_place(target: Target) -> bool:
    return not target.name and (target.namespace is not None or not target.resource.namespaced)


def timed_out() -> RequestError:
    """The error for a request that takes too long."""
    why = "request did not complete within requested timeout - context deadline exceeded"
    return RequestError(504, "Timeout", f"Timeout: {why}")


MOST_CHARACTERS, MOST_OF_ONE = 4 * 1024, 256
"""The characters of all warnings. If there are more, each is cut to the second length, and the last are left out."""


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Characters that no header contains. A server leaves out the whole warning."""


def within_limit(warnings: Iterable[str]) -> list[str]:
    """Return the distinct warnings as a server sends them: cut if they are too long together."""
    found: list[str] = []
    written, cuts = 0, False
    for text in dict.fromkeys(filter(None, warnings)):
        if _CONTROL.search(text):
            continue
        if cuts and written >= MOST_CHARACTERS:
            break
        found.append(text[:MOST_OF_ONE] if cuts else text)
        written += len(found[-1])
        if not cuts and written > MOST_CHARACTERS:
            cuts = True
            found = [one[:MOST_OF_ONE] for one in found]
            written = sum(map(len, found))
    return found


def _warning(text: str) -> tuple[str, str]:
    said = "".join(char if char.isprintable() else " " for char in text)
    said = said.replace("\\", "\\\\").replace('"', '\\"')
    return "Warning", f'299 - "{said}"'


# ---- ASGI messages --------------------------------------------------------------------------------------------------


class ClientGone(Exception):
    """The client disconnected before its request was read."""


@contextmanager
def _in_time() -> Iterator[None]:
    """A block with a timeout. Unlike `asyncio.wait_for`, it needs no extra task."""
    task, late = asyncio.current_task(), []

    def end() -> None:
        late.append(True)
        if task is not None:
            task.cancel()

    timer = asyncio.get_running_loop().call_later(PATIENCE, end)
    try:
        yield
    except asyncio.CancelledError:
        if not late:
            raise
        if sys.version_info >= (3, 11) and task is not None:
            task.uncancel()
        raise asyncio.TimeoutError from None
    finally:
        timer.cancel()


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _body(scope: Message, receive: Receive) -> bytes:
    """Read the whole body. Raise RequestError if it is too large."""
    said = dict(scope["headers"]).get(b"content-length", b"0")
    if said.isdigit() and int(said[:20]) > LARGEST_BODY:
        raise _too_large()
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > LARGEST_BODY:
            raise _too_large()
        if not message.get("more_body"):
            return b"".join(pieces)


def _too_large() -> RequestError:
    return RequestError(413, "RequestEntityTooLarge", f"Request entity too large: limit is {LARGEST_BODY}")


async def _sent(found: Response, scope: Message, receive: Receive, send: Send) -> None:
    own = [(name.lower().encode(), value.encode("utf-8")) for name, value in found.headers]
    cached = () if any(name == b"cache-control" for name, _ in own) else ((b"cache-control", b"no-cache, private"),)
    typed = ((b"content-type", found.media_type.encode()),) if found.media_type else ()
    headers = [*typed, *cached, *own]
    head = scope["method"] == "HEAD"
    if isinstance(found.body, bytes):
        headers.append((b"content-length", str(len(found.body)).encode()))
        await send({"type": "http.response.start", "status": found.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if head else found.body})
        return
    await send({"type": "http.response.start", "status": found.status, "headers": headers})
    WRITE.set(scope.get("extensions", {}).get(WRITE_NOW))
    sending = asyncio.ensure_future(_pieces(found.body, send))
    leaving = asyncio.ensure_future(_until_gone(receive))
    try:
        await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, leaving):
            task.cancel()
        ended, _ = await asyncio.gather(sending, leaving, return_exceptions=True)
    if isinstance(ended, Exception):  # the client does not read, or the stream failed
        if not isinstance(ended, asyncio.TimeoutError):
            LOG.error("%s %s", scope["method"], scope["path"], exc_info=ended)
        scope.get("extensions", {}).get(CUT_OFF, _nothing)()


def _nothing() -> None:
    pass


async def _pieces(body: AsyncIterator[bytes], send: Send) -> None:
    async for piece in body:
        message = {"type": "http.response.body", "body": piece, "more_body": True}
        with _in_time():
            await send(message)
    await send({"type": "http.response.body", "body": b""})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
