"""Helpers for reading parts of documents, which may be missing or of any type."""

from __future__ import annotations

from ..values.plain import ABSENT, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def items(value: Any) -> list[Any]:
    """The value if it is a list, else an empty list."""
    return value if type(value) is list else []


def fields(value: Any) -> dict[str, Any]:
    """The value if it is a map, else an empty map."""
    return value if type(value) is dict else {}


def is_there(value: Any) -> bool:
    """True if a value is set: neither missing nor null."""
    return value is not ABSENT and value is not None


def is_scalar(value: Any) -> bool:
    """True for text, a number or a boolean."""
    return is_there(value) and type(value) not in (dict, list)


def covers(whole: Any, part: Any) -> bool:
    """True if `whole` has everything in `part`; it may have more fields, but no more list elements."""
    if type(part) is dict and type(whole) is dict:
        return all(value is None or (key in whole and covers(whole[key], value)) for key, value in part.items())
    if type(part) is list and type(whole) is list:
        return len(whole) == len(part) and all(map(covers, whole, part))
    return same(whole, part)
