"""Changes between two states of an object, leaf by leaf."""

from __future__ import annotations

import re
from typing import Any

Change = list[Any]
"""The path, and one or two values in lists: `[path, [before], [after]]`; an empty list where there is no value."""
ABSENT = object()


def changes(before: Any, after: Any) -> list[Change]:
    """Every leaf that differs, sorted by its path; managedFields do not count."""
    return [
        [path, [] if one is ABSENT else [one], [] if other is ABSENT else [other]]
        for path, one, other in _leaves(before, after, "")
        if not path.startswith("/metadata/managedFields")
    ]


def _leaves(before: Any, after: Any, path: str) -> list[tuple[str, Any, Any]]:
    if before is after or same(before, after):
        return []
    one, other = _parts(before), _parts(after)
    if one is None and other is None:
        return [(path, before, after)]
    if ABSENT not in (before, after) and type(before) is not type(after):
        return [(path, before, after)]
    found = []
    for key in sorted({**(one or {}), **(other or {})}, key=str):
        left, right = (one or {}).get(key, ABSENT), (other or {}).get(key, ABSENT)
        found += _leaves(left, right, f"{path}/{escaped(str(key))}")
    if not found:  # an empty map appears, or becomes absent
        return [(path, before, after)]
    return found


def _parts(value: Any) -> dict[Any, Any] | None:
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, list) else None


def escaped(key: str) -> str:
    """A key in a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def same(left: Any, right: Any) -> bool:
    """Equality by JSON type, except that 1 and 1.0 are one number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right) if not isinstance(left, (dict, list)) else _same_parts(left, right)


def _same_parts(left: Any, right: Any) -> bool:
    if isinstance(left, dict):
        if not isinstance(right, dict) or left.keys() != right.keys():
            return False
        return all(same(left[key], right[key]) for key in left)
    if not isinstance(right, list) or len(left) != len(right):
        return False
    return all(same(one, other) for one, other in zip(left, right, strict=True))


def words(change: Any) -> str:
    """A change as text, or a marker for none."""
    if change is None:
        return "unchanged"
    return " -> ".join(brief(repr(side[0])) if side else "nothing" for side in change)


def brief(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) < 160 else text[:150] + " ..."


def general(path: str) -> str:
    """A path without positions in lists."""
    return re.sub(r"/\d+(?=/|$)", "/*", path)
