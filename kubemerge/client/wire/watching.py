"""Watching a server: existing objects, then changes."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from engine import MergeError
from engine.values.go_json import decode

from ...apiserver.errors import ConnectError
from ...apiserver.protocol import Event
from ...apiserver.unchecked import as_text
from . import limits, lists
from .response import Response, require_map
from .statuses import error_from_response

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...apiserver.protocol import Object, Resource
    from .paths import Query
    from .transport import Transport
    from .work_queue import WorkQueue

_TYPES = ("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR")


def events(
    transport: Transport, ahead: WorkQueue, resource: Resource, path: str, query: Query
) -> Iterator[Event | None]:
    """Yield the objects of a list, then None, then changes. A closed stream is continued."""
    versions = [""]
    for one in lists.objects(transport, ahead, resource, path, query, versions.append):
        yield Event("ADDED", one)
    yield None
    version = versions[-1]
    empty = 0
    while True:
        asked = [*query, ("watch", "true"), ("allowWatchBookmarks", "true"), ("resourceVersion", version)]
        begun = time.monotonic()
        empty += 1
        for line in transport.lines(path, asked):
            empty = 0
            kind, found = _event(line)
            if kind == "ERROR":
                raise error_from_response(Response(_code(found), {}, json.dumps(found).encode()), "GET")
            version = as_text(require_map(found.get("metadata"), "metadata").get("resourceVersion")) or version
            if kind != "BOOKMARK":
                yield Event(kind, lists.whole_object(found, resource))
        if time.monotonic() - begun > limits.SOON:
            empty = 0
            continue
        if empty >= limits.EMPTY_STREAMS:
            raise ConnectError("the server ends each watch at once. Check that it is an API server")
        transport.pause(max(empty, 1))


def _event(line: bytes) -> tuple[str, Object]:
    try:
        event = decode(line)
    except MergeError:
        raise ConnectError("the server sent an event that is not JSON. Check that it is an API server") from None
    kind = require_map(event, "an event").get("type")
    if kind not in _TYPES:
        raise ConnectError("the server sent an event of an unknown type. Check that it is an API server")
    return kind, require_map(event.get("object"), "an object")


def _code(status: Object) -> int:
    code = status.get("code")
    return code if isinstance(code, int) and code >= 400 else 500
