"""Values of documents by JSON pointers (RFC 6901)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.plain import ABSENT

from ..apiserver.patches.json_patch import apply_json_patch

if TYPE_CHECKING:
    from collections.abc import Iterable


def parts_of(pointer: str) -> list[str]:
    """The unescaped parts of a pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def lookup(document: Any, pointer: str) -> Any:
    """The value at a pointer, or ABSENT."""
    value = document
    for part in parts_of(pointer):
        if isinstance(value, dict):
            value = value.get(part, ABSENT)
        elif isinstance(value, list):
            value = value[int(part)] if _is_index(part) and int(part) < len(value) else ABSENT
        else:
            return ABSENT
    return value


def _is_index(part: str) -> bool:
    return part.isascii() and part.isdigit() and len(part) < 10


def removed(document: Any, pointers: Iterable[str]) -> Any:
    """The document without the values at these pointers, removed one by one. Missing ones are ignored."""
    for pointer in pointers:
        try:
            document = apply_json_patch(document, [{"op": "remove", "path": pointer}])
        except MergeError:
            continue
    return document


def replaced(document: Any, pointer: str, value: Any) -> Any:
    """The document with another value at a pointer."""
    return apply_json_patch(document, [{"op": "replace", "path": pointer, "value": value}])
