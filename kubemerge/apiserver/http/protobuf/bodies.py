"""Protobuf bodies: the envelope with the type, and the message in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.guard import with_room

from ...errors import BadRequest
from ...text.go_text import quoted
from .messages import message, message_of
from .wire import BadMessage

if TYPE_CHECKING:
    from ...protocol import Object
    from .messages import Message

MARK = b"k8s\0"
"""The prefix of a body."""
SCHEME = "pkg/runtime/scheme.go:111"
"""The source file in servers' error messages for unknown kinds, as of 1.37."""
SHOWN = 30
"""The number of bytes of an unreadable body in its error message."""


class BadBody(BadRequest):
    """A body that cannot be decoded."""


def decode_body(body: bytes, api_version: str, kind: str) -> Object:
    """Decode the object in a body to its JSON. Raise BadBody on failure.

    `api_version` and `kind` are the expected ones. The envelope may contain others.
    """
    try:
        given_version, given_kind, at, stop = _opened(body)
    except (BadMessage, IndexError) as error:
        said = f"the object provided is unrecognized (must be of type {kind})"
        raise BadBody(f"{said}: {_why(error)} ({_shown(body)})") from None
    api_version, given_kind = given_version or api_version, given_kind or kind
    try:
        return _read(message_of(api_version, given_kind), api_version, given_kind, body[at:stop])
    except (BadMessage, IndexError) as error:
        version = api_version.rpartition("/")[2]
        raise BadBody(f'{given_kind} in version "{version}" cannot be handled as a {kind}: {_why(error)}') from None


def decode_options(body: bytes, kind: str = "DeleteOptions") -> Object:
    """Decode the options of a request in its body. Raise BadBody on failure."""
    try:
        api_version, given_kind, at, stop = _opened(body)
        known = message(f"meta.v1.{kind}") if given_kind in ("", kind) else None
        return _read(known, api_version or "v1", given_kind or kind, body[at:stop])
    except (BadMessage, IndexError) as error:
        raise BadBody(_why(error)) from None


def _opened(body: bytes) -> tuple[str, str, int, int]:
    """The apiVersion and kind in the envelope, and the start and end of the message."""
    if not body:
        raise BadMessage("empty data")
    if not body.startswith(MARK):
        raise BadMessage("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")
    if len(body) == len(MARK):
        raise BadMessage("empty body")
    envelope = message("runtime.Unknown").read(body, len(MARK), len(body), 0)
    type_ = envelope["typeMeta"]
    return type_.get("apiVersion", ""), type_.get("kind", ""), *envelope.get("raw", (0, 0))


def _read(content: Message | None, api_version: str, kind: str, raw: bytes) -> Object:
    if content is None:
        said = f"no kind {quoted(kind)} is registered for version {quoted(api_version)}"
        raise BadMessage(f'{said} in scheme "{SCHEME}"')
    return {"kind": kind, "apiVersion": api_version, **with_room(lambda: content.read(raw, 0, len(raw), 0))}


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, BadMessage) else "unexpected EOF"


def _shown(body: bytes) -> str:
    if not body:
        return "<empty>"
    first = body[:SHOWN].decode("utf-8", "go") if body.startswith(b"{") else body[:SHOWN].hex()
    return first + " ..." * (len(body) > SHOWN)
