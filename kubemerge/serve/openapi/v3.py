"""OpenAPI v3: the index, and a document for each group and version."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...cluster import Object
    from ..discovery.documents import Document
    from ..discovery.served import Served


def index(served: Served) -> Object | None:
    """What `/openapi/v3` says; None if the release does not have it."""
    raise NotImplementedError


def document(served: Served, path: str) -> Document | None:
    """What `/openapi/v3/PATH` says, as `apis/apps/v1` or `api/v1`; None if there is none."""
    raise NotImplementedError
