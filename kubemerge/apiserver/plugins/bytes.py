"""Bytes in objects: base64, as a server reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..decoding import go_bytes
from ..errors import BadRequest, Invalid
from ..problems import Printed
from ..unchecked import a_map

if TYPE_CHECKING:
    from ..protocol import Object
    from .around import Around

FIELDS = {"Secret": "data", "ConfigMap": "binaryData"}


def read(content: Object, around: Around) -> Object:
    """An object whose bytes can be read; a patch is refused in other words than a whole object."""
    why = problem(content)
    if why and around.live is not None:
        raise Invalid.of_patch(Printed("{...}"), why)
    if why:
        raise unreadable(content, why)
    return content


def check(content: Object) -> None:
    """Refuse an object whose bytes cannot be read."""
    why = problem(content) if content.get("apiVersion") == "v1" and content.get("kind") in FIELDS else ""
    if why:
        raise unreadable(content, why)


def unreadable(content: Object, why: str) -> BadRequest:
    """The refusal of an object that cannot be read."""
    kind = content["kind"]
    return BadRequest(f'{kind} in version "v1" cannot be handled as a {kind}: {why}')


def problem(content: Object) -> str:
    """Why the bytes of an object cannot be read; empty if they can."""
    for value in a_map(content.get(FIELDS[content["kind"]])).values():
        why = go_bytes.problem(value) if isinstance(value, str) else ""
        if why:
            return why
    return ""
