"""The form of a request body, by its Content-Type."""

from __future__ import annotations

import re
from functools import lru_cache

from ...errors import ClusterError
from .media_types import JSON, PROTOBUF, YAML

BODIES = {JSON: "json", YAML: "yaml", PROTOBUF: "protobuf"}
"""The media types of bodies, with their forms."""

_PARAMETER = re.compile(r'\s*[!-~]+?\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";=]+)\s*')


class UnknownFormat(ClusterError):
    """A body in a format that the server does not read."""

    code, reason = 415, "UnsupportedMediaType"

    def __init__(self, accepted: tuple[str, ...] = tuple(BODIES)) -> None:
        said = "the body of the request was in an unknown format - accepted media types include: "
        super().__init__(said + ", ".join(accepted))


@lru_cache(64)
def body_form(content_type: str, *, built_in: bool = True) -> str:
    """Return "json", "yaml" or "protobuf", by default JSON. Custom resources cannot be protobuf."""
    accepted = tuple(one for one in BODIES if built_in or one != PROTOBUF)
    media_type, *parameters = content_type.split(";")
    media_type = media_type.strip().lower() or ("" if parameters else JSON)
    if media_type not in accepted or not all(_PARAMETER.fullmatch(one) for one in parameters if one.strip()):
        raise UnknownFormat(accepted)
    return BODIES[media_type]
