"""A watch of a server: the objects that there are, and then what happens to them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from engine import MergeError
from engine.values.go_json import decode

from ...apiserver.errors import ConnectError
from ...apiserver.protocol import Event
from ...apiserver.unchecked import text
from . import limits, lists
from .answer import Answer, a_map
from .statuses import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...apiserver.protocol import Object, Resource
    from .ahead import Ahead
    from .paths import Query
    from .transport import Transport

_TYPES = ("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR")


def events(transport: Transport, ahead: Ahead, resource: Resource, path: str, query: Query) -> Iterator[Event | None]:
    """The objects of a list, None, and what happens afterwards; a stream that ends is continued where it ended."""
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
                raise refusal(Answer(_code(found), {}, json.dumps(found).encode()), "GET")
            version = text(a_map(found.get("metadata"), "metadata").get("resourceVersion")) or version
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
    kind = a_map(event, "an event").get("type")
    if kind not in _TYPES:
        raise ConnectError("the server sent an event of an unknown type. Check that it is an API server")
    return kind, a_map(event.get("object"), "an object")


def _code(status: Object) -> int:
    code = status.get("code")
    return code if isinstance(code, int) and code >= 400 else 500
