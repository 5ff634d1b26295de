"""OpenAPI v2: everything in one document."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..discovery.documents import Document
    from ..discovery.served import Served


def v2_json(served: Served) -> Document:
    """What `/openapi/v2` says, as JSON."""
    raise NotImplementedError


def v2_protobuf(served: Served) -> Document:
    """The same as protobuf; the hash is that of the JSON."""
    raise NotImplementedError
