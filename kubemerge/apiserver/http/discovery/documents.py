"""A document as it is sent: its bytes and their hash, made once for what is served."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from .served import Served


class Document(NamedTuple):
    """The bytes of a document, and their hash: SHA-512 in capital letters, as servers write it."""

    data: bytes
    hash: str

    @property
    def etag(self) -> str:
        """The value of the header ETag: the hash in quotes."""
        return f'"{self.hash}"'

    @classmethod
    def of(cls, data: bytes) -> Document:
        """The document with these bytes."""
        return cls(data, hashlib.sha512(data).hexdigest().upper())

    @classmethod
    def of_json(cls, content: Any) -> Document:
        """The document with this content as JSON, without spaces."""
        return cls.of(json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode())


def kept(served: Served, key: tuple[str, ...], make: Callable[[], Document]) -> Document:
    """The document that was made for what is served, or a new one; two threads may both make it, and it is the same."""
    found: Document | None = served.kept.get(key)
    if found is None:
        found = served.kept[key] = make()
    return found
