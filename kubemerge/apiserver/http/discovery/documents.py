"""Documents as they are sent: bytes and hash, made once for each state of the served resources."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from .served import ServedResources


class Document(NamedTuple):
    """The bytes of a document, and their SHA-512 hash in capital letters, as servers write it."""

    data: bytes
    hash: str

    @property
    def etag(self) -> str:
        """The value of the ETag header: the hash in quotes."""
        return f'"{self.hash}"'

    @classmethod
    def of(cls, data: bytes) -> Document:
        """Return the document with these bytes."""
        return cls(data, hashlib.sha512(data).hexdigest().upper())

    @classmethod
    def of_json(cls, content: Any) -> Document:
        """Return the document with this content as JSON, without spaces."""
        return cls.of(json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode())


def cached(served: ServedResources, key: tuple[object, ...], make: Callable[[], Document]) -> Document:
    """Return a cached document, or make it. Two threads may both make it, with the same result."""
    found: Document | None = served.kept.get(key)
    if found is None:
        found = served.kept[key] = make()
    return found
