"""A body in protobuf: the envelope that says what it holds, and the message in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.guard import with_room

from ...cluster.errors import BadRequest
from .messages import message, message_of
from .wire import BadMessage

if TYPE_CHECKING:
    from ...cluster import Object
    from .messages import Message

MARK = b"k8s\0"
"""What a body begins with."""
SHOWN = 30
"""How many bytes of a body are shown that cannot be read."""


class BadBody(BadRequest):
    """A body that cannot be read."""


def decoded(body: bytes, api_version: str, kind: str, *, scheme: str = "pkg/api/legacyscheme/scheme.go:30") -> Object:
    """The object in a body, as its JSON; BadBody if it cannot be read.

    `api_version` and `kind` are what was to be sent; the object may say that it is something else.
    """
    try:
        given_version, given_kind, at, stop = _opened(body)
    except (BadMessage, IndexError) as error:
        raise BadBody(
            f"the object provided is unrecognized (must be of type {kind}): {_why(error)} ({_shown(body)})"
        ) from None
    api_version, given_kind = given_version or api_version, given_kind or kind
    try:
        content = message_of(api_version, given_kind)
        if content is None:
            raise BadMessage(f'no kind "{given_kind}" is registered for version "{api_version}" in scheme "{scheme}"')
        return {"kind": given_kind, "apiVersion": api_version, **_read(content, body, at, stop)}
    except (BadMessage, IndexError) as error:
        version = api_version.rpartition("/")[2]
        raise BadBody(f'{given_kind} in version "{version}" cannot be handled as a {kind}: {_why(error)}') from None


def _opened(body: bytes) -> tuple[str, str, int, int]:
    """The apiVersion and kind in the envelope, and where the message begins and ends."""
    if not body:
        raise BadMessage("empty data")
    if not body.startswith(MARK):
        raise BadMessage("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")
    if len(body) == len(MARK):
        raise BadMessage("empty body")
    envelope = message("runtime.Unknown").read(body, len(MARK), len(body), 0)
    type_ = envelope["typeMeta"]
    return type_.get("apiVersion", ""), type_.get("kind", ""), *envelope.get("raw", (0, 0))


def _read(content: Message, body: bytes, at: int, stop: int) -> Object:
    read: Object = with_room(lambda: content.read(body, at, stop, 0))
    return read


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, BadMessage) else "unexpected EOF"


def _shown(body: bytes) -> str:
    if not body:
        return "<empty>"
    first = body[:SHOWN].decode("utf-8", "go") if body.startswith(b"{") else body[:SHOWN].hex()
    return first + " ..." * (len(body) > SHOWN)
