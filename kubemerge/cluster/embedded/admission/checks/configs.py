"""What the API does not allow in a ConfigMap and in a Secret: their keys, their size, and changes of immutable ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map

from ....refusals import forbidden, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

MOST = 2**20
"""How many bytes all values together may have."""
_KEY = "[-._a-zA-Z0-9]+"
NO_KEY = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
    f"(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '{_KEY}')"
)
FIXED = "field is immutable when `immutable` is set"


def config_map(content: Object) -> Iterator[str]:
    """A ConfigMap."""
    data, binary = a_map(content.get("data")), a_map(content.get("binaryData"))
    for key in data:
        yield from _key("data", key)
        if key in binary:
            yield invalid(f"data[{key}]", key, "duplicate of key present in binaryData")
    for key in binary:
        yield from _key("binaryData", key)
    if sum(map(_length, data.values())) + sum(map(_decoded_length, binary.values())) > MOST:
        yield f"[]: Too long: may not be more than {MOST} bytes"  # a ConfigMap as a whole has no path


def secret(content: Object) -> Iterator[str]:
    """A Secret."""
    data = a_map(content.get("data"))
    for key in data:
        yield from _key("data", key)
    if sum(map(_decoded_length, data.values())) > MOST:
        yield f"data: Too long: may not be more than {MOST} bytes"


def immutable_config_map(content: Object, before: Object) -> Iterator[str]:
    """The changes that an immutable ConfigMap forbids."""
    return _immutable(content, before, ("data", "binaryData"))


def immutable_secret(content: Object, before: Object) -> Iterator[str]:
    """The changes that an immutable Secret forbids."""
    return _immutable(content, before, ("data",))


def _immutable(content: Object, before: Object, fields: tuple[str, ...]) -> Iterator[str]:
    if before.get("immutable") is not True:
        return
    if content.get("immutable") is not True:
        yield forbidden("immutable", FIXED)
    yield from (forbidden(field, FIXED) for field in fields if a_map(content.get(field)) != a_map(before.get(field)))


def _key(field: str, key: str) -> Iterator[str]:
    at = f"{field}[{key}]"
    if len(key) > 253:
        yield invalid(at, key, "must be no more than 253 characters")
    if not re.fullmatch(_KEY, key):
        yield invalid(at, key, NO_KEY)
    elif key in (".", ".."):
        yield invalid(at, key, f"must not be '{key}'")
    elif key.startswith(".."):
        yield invalid(at, key, "must not start with '..'")


def _length(value: Any) -> int:
    return len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else 0


def _decoded_length(value: Any) -> int:
    """How many bytes a base64 value decodes to."""
    return len(value.rstrip("=")) * 3 // 4 if isinstance(value, str) else 0
