"""The specification that a live cluster serves of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import SpecError
from .opening import documents

if TYPE_CHECKING:
    from .fetch import Fetch
    from .opening import Document


def cluster_documents(server: str, fetch: Fetch) -> list[Document]:
    """What a server says of its types: its OpenAPI v3 documents, or its v2 document where it has none (before 1.24)."""
    base = server.rstrip("/")
    try:
        return documents(f"{base}/openapi/v3", fetch)
    except SpecError as error:
        if not error.found.startswith("404"):
            raise
    return documents(f"{base}/openapi/v2", fetch)
