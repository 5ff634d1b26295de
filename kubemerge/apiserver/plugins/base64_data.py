"""base64 data of Secrets and ConfigMaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..decoding import go_bytes
from ..errors import BadRequest, Invalid
from ..problems import Printed
from ..unchecked import as_map

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext

FIELDS = {"Secret": "data", "ConfigMap": "binaryData"}


def read(content: Object, context: AdmissionContext) -> Object:
    """Return an object with valid base64 data. Patches and whole objects have different errors."""
    why = problem(content)
    if why and context.live is not None:
        raise Invalid.of_patch(Printed("{...}"), why)
    if why:
        raise unreadable(content, why)
    return content


def check(content: Object) -> None:
    """Reject an object with invalid base64 data."""
    why = problem(content) if content.get("apiVersion") == "v1" and content.get("kind") in FIELDS else ""
    if why:
        raise unreadable(content, why)


def unreadable(content: Object, why: str) -> BadRequest:
    """Return the error for an object that cannot be decoded."""
    kind = content["kind"]
    return BadRequest(f'{kind} in version "v1" cannot be handled as a {kind}: {why}')


def problem(content: Object) -> str:
    """Return the error about an object's base64 data, or an empty text."""
    for value in as_map(content.get(FIELDS[content["kind"]])).values():
        why = go_bytes.problem(value) if isinstance(value, str) else ""
        if why:
            return why
    return ""
