"""Paths in a form in which those of different objects can be compared."""

from __future__ import annotations


def without_keys(path: str) -> str:
    """A path without the keys or positions of elements: `[0]`, `[name=web]`."""
    parts, depth = [], 0
    for char in path:
        depth += (char == "[") - (char == "]" and depth > 0)
        if not depth and char != "]":
            parts.append(char)
    return "".join(parts)
